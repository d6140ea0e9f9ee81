import { DataTransferItem } from "vscode";
import type { DataTransfer, TreeDragAndDropController } from "vscode";
import type { Snapshot } from "../../core/snapshot.ts";
import { QueueNode } from "./node.ts";
import { placeInQueue } from "./structure.ts";

const MIME = "application/vnd.code.tree.batchcontrol.queue";

/** Reorders queued operations by dropping them on one of the same queue. */
export class QueueDrag implements TreeDragAndDropController<QueueNode> {
  readonly dragMimeTypes = [MIME];
  readonly dropMimeTypes = [MIME];
  readonly #snapshot: () => Snapshot;
  readonly #move: (id: string, to: number) => Promise<void>;

  /** `move` tells of a refusal itself and never rejects. */
  constructor(snapshot: () => Snapshot, move: (id: string, to: number) => Promise<void>) {
    this.#snapshot = snapshot;
    this.#move = move;
  }

  handleDrag(source: readonly QueueNode[], transfer: DataTransfer): void {
    transfer.set(MIME, new DataTransferItem(source));
  }

  async handleDrop(target: QueueNode | undefined, transfer: DataTransfer): Promise<void> {
    const dragged: unknown = transfer.get(MIME)?.value;
    if (target?.ref.kind !== "operation" || !Array.isArray(dragged)) return;
    const place = placeInQueue(this.#snapshot()[target.ref.side], target.ref.operation);
    if (!place) return;
    // The last one first, so that each lands at the target's place and they keep their order.
    for (const node of dragged.toReversed()) {
      if (
        !(node instanceof QueueNode) ||
        node.ref.kind !== "operation" ||
        node.ref.operation === target.ref.operation
      )
        continue;
      await this.#move(node.ref.operation, place.index);
    }
  }
}
