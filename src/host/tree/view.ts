import {
  EventEmitter,
  l10n,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
} from "vscode";
import type { Disposable, Event, TreeDataProvider } from "vscode";
import type { Snapshot } from "../../core/snapshot.ts";
import { usdText } from "../../core/usd.ts";
import type { Parts } from "../parts.ts";
import { QueueNode, nodeId } from "./node.ts";
import type { NodeRef } from "./node.ts";
import { renderRow } from "./render.ts";
import type { RenderContext, Row } from "./render.ts";
import { childRefs, rootRefs } from "./structure.ts";
import { tooltip } from "./tooltip.ts";
import { WiderSnapshot } from "./wider.ts";

const ROOT = "";
const openStates: Record<Row["open"], TreeItemCollapsibleState> = {
  leaf: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
};

/** The queue as a tree. Asks the editor to redraw only rows whose look or children changed. */
export class QueueTree implements TreeDataProvider<QueueNode>, Disposable {
  readonly #current: () => Snapshot;
  readonly #wider: WiderSnapshot;
  readonly #context: RenderContext;
  readonly #changed = new EventEmitter<QueueNode[] | undefined>();
  readonly #nodes = new Map<string, QueueNode>();
  /** By row id: its look and its children's ids, as the editor last got them. */
  readonly #looks = new Map<string, string>();
  readonly #children = new Map<string, string>();
  /** The ids of what is queued, when it last changed. */
  #queue = "";
  readonly onDidChangeTreeData: Event<QueueNode[] | undefined> = this.#changed.event;

  constructor(
    snapshot: () => Snapshot,
    journal: Pick<Parts["journal"], "operations">,
    context: RenderContext,
  ) {
    this.#current = snapshot;
    this.#wider = new WiderSnapshot(journal);
    this.#context = context;
  }

  getTreeItem(node: QueueNode): TreeItem {
    const row = this.#row(node);
    const item = new TreeItem(row?.label ?? "", openStates[row?.open ?? "leaf"]);
    item.id = node.id;
    if (!row) return item;
    this.#looks.set(node.id, JSON.stringify(row));
    if (node.ref.kind === "more")
      item.command = { command: "batchControl.showMore", title: row.label, arguments: [node] };
    item.description = row.description;
    item.contextValue = row.contextValue;
    item.iconPath = row.color ? new ThemeIcon(row.icon, new ThemeColor(row.color)) : new ThemeIcon(row.icon);
    item.accessibilityInformation = { label: row.spoken };
    return item;
  }

  getChildren(node?: QueueNode): QueueNode[] {
    const refs = this.#refs(node);
    this.#children.set(node?.id ?? ROOT, idsOf(refs));
    return refs.map((ref) => this.#intern(ref));
  }

  resolveTreeItem(item: TreeItem, node: QueueNode): TreeItem {
    const text = tooltip(this.#snapshot(), node.ref, this.#context);
    if (text !== undefined) item.tooltip = new MarkdownString(text, true);
    return item;
  }

  /** Call after the snapshot changed. */
  changed(): void {
    const queue = JSON.stringify(
      [this.#current().git, this.#current().llm].map(({ queued }) => queued.map(({ id }) => id)),
    );
    if (queue !== this.#queue) this.#wider.forgetQueued();
    this.#queue = queue;
    this.#refresh();
  }

  /** Shows the next page of what a last row stands for. */
  async showMore({ ref }: QueueNode): Promise<void> {
    if (ref.kind !== "more") return;
    await this.#wider.more(this.#current(), ref.side, ref.batch);
    this.#refresh();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #snapshot(): Snapshot {
    return this.#wider.widen(this.#current());
  }

  #refresh(): void {
    if (this.#children.get(ROOT) !== idsOf(this.#refs(undefined))) {
      this.#forget(() => true);
      this.#changed.fire(undefined);
      return;
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
    if (stale.length > 0) this.#changed.fire(stale);
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

/** Days and times as the reader's language writes them. */
export function treeContext(locale: string): RenderContext {
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full" });
  return {
    t: l10n.t,
    time: (iso) => time.format(new Date(iso)),
    day: (date) => day.format(new Date(`${date}T12:00:00`)),
    usd: usdText(locale),
    dayOf: (iso) => localDay(new Date(iso)),
  };
}

const localDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
