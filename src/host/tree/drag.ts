import { DataTransferItem } from "vscode";
import type { DataTransfer, TreeDragAndDropController } from "vscode";
import { QueueNode } from "./node.ts";

const MIME = "application/vnd.code.tree.batchcontrol.queue";

/** Reorders queued operations by dropping them on one of the same queue. */
export class QueueDrag implements TreeDragAndDropController<QueueNode> {
  readonly dragMimeTypes = [MIME];
  readonly dropMimeTypes = [MIME];
  readonly #move: (ids: readonly string[], onto: string) => Promise<void>;

  /** `move` tells of a refusal itself and never rejects. */
  constructor(move: (ids: readonly string[], onto: string) => Promise<void>) {
    this.#move = move;
  }

  handleDrag(source: readonly QueueNode[], transfer: DataTransfer): void {
    transfer.set(MIME, new DataTransferItem(source));
  }

  async handleDrop(target: QueueNode | undefined, transfer: DataTransfer): Promise<void> {
    const dragged: unknown = transfer.get(MIME)?.value;
    if (target?.ref.kind !== "operation" || !Array.isArray(dragged)) return;
    const ids = dragged.flatMap((node) =>
      node instanceof QueueNode && node.ref.kind === "operation" ? [node.ref.operation] : [],
    );
    if (ids.length > 0) await this.#move(ids, target.ref.operation);
  }
}
