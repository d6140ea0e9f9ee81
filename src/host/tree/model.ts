import type { Snapshot } from "../../core/snapshot.ts";
import type { Parts } from "../parts.ts";
import { QueueNode, nodeId } from "./node.ts";
import type { NodeRef } from "./node.ts";
import { renderRow } from "./render.ts";
import type { RenderContext, Row } from "./render.ts";
import { childRefs, parentRef, rootRefs, withDismissed } from "./structure.ts";
import type { TreeSnapshot } from "./structure.ts";
import { tooltip } from "./tooltip.ts";
import { WiderSnapshot } from "./wider.ts";

const ROOT = "";
const nothing: ReadonlySet<string> = new Set();

/** Which rows to draw anew: all, some with what they hold, or none. */
export type Stale = "all" | readonly QueueNode[];

/** What the next page brought: rows to draw anew, and the first row of an operation that was not there before. */
export interface Shown {
  readonly stale: Stale;
  readonly first: QueueNode | undefined;
}

/** The rows of the queue as the editor last got them, so that only what looks or holds something else is drawn anew. */
export class TreeModel {
  readonly #current: () => Snapshot;
  readonly #wider: WiderSnapshot;
  readonly #context: RenderContext;
  readonly #dismissed: () => ReadonlySet<string>;
  #shown:
    { readonly of: Snapshot; readonly without: ReadonlySet<string>; readonly as: TreeSnapshot } | undefined;
  readonly #nodes = new Map<string, QueueNode>();
  /** By row id: its look and its children's ids, as the editor last got them. */
  readonly #looks = new Map<string, string>();
  readonly #children = new Map<string, string>();
  #refreshing: Promise<unknown> = Promise.resolve();

  /** `dismissed`: ids of batches that do not stand on top any more; another set where that changes. */
  constructor(
    snapshot: () => Snapshot,
    journal: Pick<Parts["journal"], "operations">,
    context: RenderContext,
    dismissed: () => ReadonlySet<string> = () => nothing,
  ) {
    this.#current = snapshot;
    this.#wider = new WiderSnapshot(journal);
    this.#context = context;
    this.#dismissed = dismissed;
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

  /** The row that one stands in. */
  parent(node: QueueNode): QueueNode | undefined {
    const ref = parentRef(this.#snapshot(), node.ref, this.#context.dayOf);
    return ref && this.#intern(ref);
  }

  /** The row that stands for this; `undefined` where there is none. */
  row(ref: NodeRef): QueueNode | undefined {
    const node = this.#intern(ref);
    return this.has(node) ? node : undefined;
  }

  /** Whether the row is in the tree, be it in a row that is collapsed. */
  has(node: QueueNode): boolean {
    const parent = this.parent(node);
    return (!parent || this.has(parent)) && this.#refs(parent).some((ref) => nodeId(ref) === node.id);
  }

  /** Where to go on from a row that goes away, the best first: to those that follow it, stand before it, or hold it. */
  near(node: QueueNode): readonly QueueNode[] {
    const parent = this.parent(node);
    const siblings = this.#refs(parent).map((ref) => this.#intern(ref));
    const at = siblings.findIndex(({ id }) => id === node.id);
    return [
      ...siblings.slice(at + 1),
      ...siblings.slice(0, Math.max(at, 0)).toReversed(),
      ...(parent ? [parent, ...this.near(parent)] : []),
    ];
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
  async showMore(node: QueueNode): Promise<Shown> {
    const { ref } = node;
    if (ref.kind !== "more") return { stale: [], first: undefined };
    const before = new Set(this.#operationsIn(this.parent(node)).map(({ id }) => id));
    await this.#wider.more(this.#current(), ref.side, ref.batch);
    // It may have changed while it was read.
    await this.refresh();
    const first = this.#operationsIn(this.parent(node)).find(({ id }) => !before.has(id));
    return { stale: this.#stale(), first };
  }

  /** The same object until something changes, for what is looked up in it is indexed by it. */
  #snapshot(): TreeSnapshot {
    const of = this.#wider.widen(this.#current());
    const without = this.#dismissed();
    if (this.#shown?.of !== of || this.#shown.without !== without)
      this.#shown = { of, without, as: withDismissed(of, without) };
    return this.#shown.as;
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

  /** As they are read from top to bottom. */
  #operationsIn(node: QueueNode | undefined): readonly QueueNode[] {
    return this.#refs(node).flatMap((ref) => {
      const row = this.#intern(ref);
      return ref.kind === "operation" ? [row] : this.#operationsIn(row);
    });
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
