import type { Snapshot } from "../../core/snapshot.ts";
import type { Parts } from "../parts.ts";
import { QueueNode, nodeId } from "./node.ts";
import type { NodeRef } from "./node.ts";
import { renderRow } from "./render.ts";
import type { RenderContext, Row } from "./render.ts";
import { childRefs, rootRefs } from "./structure.ts";
import { tooltip } from "./tooltip.ts";
import { WiderSnapshot } from "./wider.ts";

const ROOT = "";

/** Which rows to draw anew: all, some with what they hold, or none. */
export type Stale = "all" | readonly QueueNode[];

/** The rows of the queue as the editor last got them, so that only what looks or holds something else is drawn anew. */
export class TreeModel {
  readonly #current: () => Snapshot;
  readonly #wider: WiderSnapshot;
  readonly #context: RenderContext;
  readonly #nodes = new Map<string, QueueNode>();
  /** By row id: its look and its children's ids, as the editor last got them. */
  readonly #looks = new Map<string, string>();
  readonly #children = new Map<string, string>();
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(
    snapshot: () => Snapshot,
    journal: Pick<Parts["journal"], "operations">,
    context: RenderContext,
  ) {
    this.#current = snapshot;
    this.#wider = new WiderSnapshot(journal);
    this.#context = context;
  }

  /** What the editor is about to show for a row; `undefined` where that is gone. */
  draw(node: QueueNode): Row | undefined {
    const row = this.#row(node);
    if (row) this.#looks.set(node.id, JSON.stringify(row));
    return row;
  }

  /** The rows that the editor is about to show within one, or at the top. */
  children(node?: QueueNode): QueueNode[] {
    const refs = this.#refs(node);
    this.#children.set(node?.id ?? ROOT, idsOf(refs));
    return refs.map((ref) => this.#intern(ref));
  }

  /** Markdown. */
  tooltip(node: QueueNode): string | undefined {
    return tooltip(this.#snapshot(), node.ref, this.#context);
  }

  /** Call after the snapshot changed. */
  changed(): Stale {
    return this.#stale();
  }

  /** Call after the snapshot changed, too: what is shown beyond it has to be read anew. */
  refresh(): Promise<Stale> {
    // One after the other, each with the snapshot of its own time: the last one has the last word.
    const next = this.#refreshing
      .catch(() => undefined)
      .then(() => this.#wider.refresh(this.#current()))
      .then((wasStale): Stale => (wasStale ? this.#stale() : []));
    this.#refreshing = next;
    return next;
  }

  /** Fetches the next page of what a last row stands for. */
  async showMore({ ref }: QueueNode): Promise<Stale> {
    if (ref.kind !== "more") return [];
    await this.#wider.more(this.#current(), ref.side, ref.batch);
    // It may have changed while it was read.
    await this.refresh();
    return this.#stale();
  }

  #snapshot(): Snapshot {
    return this.#wider.widen(this.#current());
  }

  #stale(): Stale {
    if (this.#children.get(ROOT) !== idsOf(this.#refs(undefined))) {
      this.#forget((node) => this.#row(node) === undefined);
      return "all";
    }
    const stale: QueueNode[] = [];
    for (const node of this.#nodes.values()) {
      const row = this.#row(node);
      const look = this.#looks.get(node.id);
      if (!row || look === undefined) continue;
      const children = this.#children.get(node.id);
      if (look !== JSON.stringify(row) || (children !== undefined && children !== idsOf(this.#refs(node))))
        stale.push(node);
    }
    this.#forget((node) => this.#row(node) === undefined);
    return stale;
  }

  #row(node: QueueNode): Row | undefined {
    return renderRow(this.#snapshot(), node.ref, this.#context);
  }

  #refs(node: QueueNode | undefined): readonly NodeRef[] {
    return node ? childRefs(this.#snapshot(), node.ref, this.#context.dayOf) : rootRefs(this.#snapshot());
  }

  /** The editor knows a row by the very object it was given. */
  #intern(ref: NodeRef): QueueNode {
    const id = nodeId(ref);
    const known = this.#nodes.get(id) ?? new QueueNode(ref);
    this.#nodes.set(id, known);
    return known;
  }

  #forget(which: (node: QueueNode) => boolean): void {
    for (const node of [...this.#nodes.values()].filter(which)) {
      this.#nodes.delete(node.id);
      this.#looks.delete(node.id);
      this.#children.delete(node.id);
    }
  }
}

const idsOf = (refs: readonly NodeRef[]): string => refs.map(nodeId).join("\n");
