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
import { lazily } from "../../core/lazily.ts";
import type { Clock } from "../../core/ports.ts";
import { numbersIn } from "../numbers.ts";
import type { Stale, TreeModel } from "./model.ts";
import type { QueueNode } from "./node.ts";
import type { RenderContext, Row } from "./render.ts";

/**
 * After so much quiet all is drawn once more where requests of the editor may have overlapped: of two for one row's
 * children it may keep the answer that is empty (VS Code 1.139, `_fetchChildrenNodes`). That is where a change follows its
 * questions closely, and where it asks for the roots, as when the view is opened, maybe in the middle of a change. Only
 * then, for a menu whose entry is chosen during a redraw has lost its row.
 */
const SETTLED_MS = 2000;
/** No answer to the editor takes longer. */
const ANSWERED_MS = 1000;

const openStates: Record<Row["open"], TreeItemCollapsibleState> = {
  leaf: TreeItemCollapsibleState.None,
  collapsed: TreeItemCollapsibleState.Collapsed,
  expanded: TreeItemCollapsibleState.Expanded,
};

/** The queue as a tree. Asks the editor to redraw only rows whose look or children changed. */
export class QueueTree implements TreeDataProvider<QueueNode>, Disposable {
  readonly #model: TreeModel;
  readonly #changed = new EventEmitter<QueueNode[] | undefined>();
  readonly onDidChangeTreeData: Event<QueueNode[] | undefined> = this.#changed.event;

  readonly #clock: Clock;
  #asked = -Infinity;
  #settled = -Infinity;
  #cancelSettling: (() => void) | undefined;

  constructor(model: TreeModel, clock: Clock) {
    this.#model = model;
    this.#clock = clock;
  }

  getTreeItem(node: QueueNode): TreeItem {
    const row = this.#model.draw(node);
    const item = new TreeItem(row?.label ?? "", openStates[row?.open ?? "leaf"]);
    // The editor keeps a row as it was, open or not, as long as its id is the same; this one has to be looked at now.
    item.id = node.ref.kind === "batch" && row?.open === "expanded" ? `${node.id}/open` : node.id;
    if (!row) return item;
    if (node.ref.kind === "more")
      item.command = { command: "batchControl.showMore", title: row.label, arguments: [node] };
    if (row.opens !== undefined)
      item.command = { command: `batchControl.${row.opens}`, title: row.label, arguments: [node] };
    item.description = row.description;
    item.contextValue = row.contextValue;
    item.iconPath = row.color ? new ThemeIcon(row.icon, new ThemeColor(row.color)) : new ThemeIcon(row.icon);
    item.accessibilityInformation = { label: row.spoken };
    return item;
  }

  getChildren(node?: QueueNode): QueueNode[] {
    const now = this.#clock.now();
    this.#asked = now;
    // The redraw asks for the roots itself.
    if (node === undefined && now - this.#settled > ANSWERED_MS) this.#settleLater();
    return this.#model.children(node);
  }

  getParent(node: QueueNode): QueueNode | undefined {
    return this.#model.parent(node);
  }

  resolveTreeItem(item: TreeItem, node: QueueNode): TreeItem {
    const text = this.#model.tooltip(node);
    if (text !== undefined) item.tooltip = new MarkdownString(text, true);
    return item;
  }

  /** Call after the snapshot changed. Resolves when what is shown beyond it has followed. */
  async changed(): Promise<void> {
    this.#redraw(this.#model.changed());
    this.#redraw(await this.#model.refresh());
  }

  /** Shows the next page of what a last row stands for. Answers the first row that it brought. */
  async showMore(node: QueueNode): Promise<QueueNode | undefined> {
    const { stale, first } = await this.#model.showMore(node);
    this.#redraw(stale);
    return first;
  }

  dispose(): void {
    this.#cancelSettling?.();
    this.#changed.dispose();
  }

  #redraw(stale: Stale): void {
    if (stale === "all") this.#changed.fire(undefined);
    else if (stale.length > 0) this.#changed.fire([...stale]);
    else return;
    if (this.#cancelSettling || this.#clock.now() - this.#asked <= ANSWERED_MS) this.#settleLater();
  }

  #settleLater(): void {
    this.#cancelSettling?.();
    this.#cancelSettling = this.#clock.after(SETTLED_MS, () => {
      this.#cancelSettling = undefined;
      this.#settled = this.#clock.now();
      this.#changed.fire(undefined);
    });
  }
}

/** Days and times as the reader's language writes them. */
export function treeContext(locale: string): RenderContext {
  const time = lazily(() => new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }));
  // Short, for a narrow view cuts what stands behind it.
  const date = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const day = lazily(() => new Intl.DateTimeFormat(locale, date));
  return {
    t: l10n.t,
    time: (iso) => time().format(new Date(iso)),
    day: (date) => day().format(new Date(`${date}T12:00:00`)),
    ...numbersIn(locale),
    dayOf: (iso) => localDay(new Date(iso)),
  };
}

const localDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
