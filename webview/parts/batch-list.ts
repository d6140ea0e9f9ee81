import type { PropertyValues, TemplateResult } from "lit";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { opening } from "../model/actions.ts";
import type { Range } from "../model/expected.ts";
import type { ListNode } from "../model/nodes.ts";
import type { Row } from "../model/rows.ts";
import { successor } from "../model/rows.ts";
import { Slots } from "../model/slots.ts";
import { rowTops, rowsWithin } from "../model/window.ts";
import { moveFrom } from "../model/list-keys.ts";
import { needsLook, rowCells } from "./list-row.ts";
import { listStyles } from "./list-styles.ts";
import type { Failure } from "./panel-element.ts";
import { PanelElement } from "./panel-element.ts";

/** Height of a row in pixels before one of its kind was on the page. */
const guess: Record<Row["kind"], number> = { node: 32, operation: 28, more: 28 };
/** Rows kept ready beyond the visible ones, in pixels. */
const margin = 400;

/** A second press opens; it is not to mark a word as well. */
const keepUnselected = (event: MouseEvent): void => {
  if (event.detail > 1) event.preventDefault();
};

/** All batches and their operations as one tree, of which only what is in view is on the page. */
export class BatchList extends PanelElement {
  static override properties = {
    rows: { attribute: false },
    nodes: { attribute: false },
    failure: { attribute: false },
    now: { attribute: false },
    usual: { attribute: false },
    active: { state: true },
  };
  declare rows: readonly Row[];
  declare nodes: readonly ListNode[];
  declare failure: Failure | undefined;
  declare now: number;
  declare usual: ReadonlyMap<string, Range>;
  /** The one row that the Tab key reaches. */
  declare active: string | undefined;

  readonly #heights = new Map<string, number>();
  /** Of the lowest row of each kind, one without errors: what those are taken for that were never on the page. */
  readonly #usualHeights = new Map<Row["kind"], number>();
  /** The rows that were measured as they are now. */
  readonly #measured = new Set<string>();
  readonly #slots = new Slots();
  #indexes: ReadonlyMap<string, number> = new Map();
  #tops = rowTops([]);
  #activeIndex = 0;
  /** All that happened since the last update is scrolling. */
  #scrolled = false;
  #focused: { readonly action: string | undefined } | undefined;
  #anchor: { readonly key: string; readonly top: number } | undefined;
  #frame = 0;

  static override styles = [PanelElement.styles, listStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("scroll", this.#onScroll, { passive: true });
    window.addEventListener("resize", this.#onResize, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("scroll", this.#onScroll);
    window.removeEventListener("resize", this.#onResize);
    cancelAnimationFrame(this.#frame);
  }

  /** Scrolling alone changes nothing that is worked out from all rows. */
  override willUpdate(changed: PropertyValues<this>): void {
    this.#scrolled &&= changed.size === 0;
    if (this.#scrolled) return;
    this.#measured.clear();
    this.#anchor = this.#firstInView();
    if (changed.has("rows")) {
      this.#focused = this.#focusWithin();
      this.active = successor(this.rows, this.nodes, this.active ?? "", this.#activeIndex);
      this.#indexes = new Map(this.rows.map(({ key }, index) => [key, index]));
    }
    this.#activeIndex = this.#indexes.get(this.active ?? "") ?? 0;
    this.#tops = rowTops(this.rows.map((row) => this.#heightOf(row.key, row.kind)));
  }

  override render(): TemplateResult {
    const { rows, texts } = this;
    const shown = this.#shown();
    const slots = this.#slots.assign(
      shown.map(([, row]) => row),
      this.#focusedRow()?.dataset["key"],
    );
    return html`<div
      role="treegrid"
      aria-label=${texts.t("batches")}
      aria-rowcount=${rows.length}
      .style=${`height:${this.#tops.at(-1) ?? 0}px`}
      @keydown=${this.#key}
      @focusin=${this.#focus}
      @click=${this.#click}
      @mousedown=${keepUnselected}
      @dblclick=${this.#doubleClick}
    >
      ${repeat(
        shown,
        (_, at) => slots[at],
        ([index, row]) => this.#row(index, row),
      )}
    </div>`;
  }

  #row(index: number, row: Row): TemplateResult {
    const { texts, now, failure, usual } = this;
    const active = index === this.#activeIndex;
    return html`<div
      role="row"
      class="row ${row.kind} ${needsLook(row) ? "failed" : ""}"
      data-key=${row.key}
      data-kind=${row.kind}
      tabindex=${active ? 0 : -1}
      aria-level=${row.kind === "node" ? 1 : 2}
      aria-posinset=${row.position}
      aria-setsize=${row.of}
      aria-rowindex=${index + 1}
      aria-expanded=${row.kind === "node" ? row.expanded : nothing}
      .style=${`top:${this.#tops[index] ?? 0}px`}
    >
      ${rowCells(row, { texts, now, active, failure, usual, ask: (request) => this.request(request) })}
    </div>`;
  }

  override updated(): void {
    const mended = this.#measure();
    this.#keepPlace();
    if (this.#focused !== undefined && this.#focusWithin() === undefined)
      this.#restoreFocus(this.#focused.action);
    this.#focused = undefined;
    this.#scrolled = !mended;
    if (mended) this.requestUpdate();
  }

  /** Whether a row is of another height than it was taken for, or those that were never on the page have to be. */
  #measure(): boolean {
    let mended = false;
    for (const element of this.#elements()) {
      const { key = "" } = element.dataset;
      const kind = element.dataset["kind"] as Row["kind"];
      if (this.#measured.has(key)) continue;
      const height = element.offsetHeight;
      if (height === 0) continue;
      this.#measured.add(key);
      const expected = this.#heightOf(key, kind);
      const usual = this.#usualHeights.get(kind);
      if (usual === undefined || height < usual) this.#usualHeights.set(kind, height);
      mended ||= height !== expected || this.#usualHeights.get(kind) !== (usual ?? guess[kind]);
      this.#heights.set(key, height);
    }
    return mended;
  }

  /** The rows in view with their indexes, and the active one wherever it is, so that focus is never lost to scrolling. */
  #shown(): readonly (readonly [index: number, row: Row])[] {
    const { rows } = this;
    const above = -this.getBoundingClientRect().top;
    const { start, end } = rowsWithin(this.#tops, above - margin, above + window.innerHeight + margin);
    const inView = rows.slice(start, end).map((row, at) => [start + at, row] as const);
    const index = this.#activeIndex;
    const active = rows[index];
    if (active === undefined || (index >= start && index < end)) return inView;
    return index < start ? [[index, active], ...inView] : [...inView, [index, active]];
  }

  /** Remembered before a change so that what the reader looks at stays where it is. */
  #firstInView(): { key: string; top: number } | undefined {
    const { top } = this.getBoundingClientRect();
    if (top >= 0) return undefined;
    for (const element of this.#elements()) {
      const place = element.getBoundingClientRect();
      if (place.top >= 0) return { key: element.dataset["key"] ?? "", top: place.top };
    }
    return undefined;
  }

  #keepPlace(): void {
    const index = this.rows.findIndex(({ key }) => key === this.#anchor?.key);
    const before = this.#anchor?.top;
    this.#anchor = undefined;
    if (index < 0 || before === undefined) return;
    const moved = this.getBoundingClientRect().top + (this.#tops[index] ?? 0) - before;
    if (Math.abs(moved) >= 1) window.scrollBy(0, moved);
  }

  #heightOf(key: string, kind: Row["kind"]): number {
    return this.#heights.get(key) ?? this.#usualHeights.get(kind) ?? guess[kind];
  }

  readonly #onResize = (): void => {
    this.#scrolled = false;
    this.#usualHeights.clear();
    this.#onScroll();
  };

  readonly #onScroll = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.requestUpdate());
  };

  readonly #key = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    const row = this.rows[this.#activeIndex];
    if (row === undefined || !target.matches(".row")) return;
    const move = moveFrom(this.rows, this.#activeIndex, event.key);
    if (move === undefined) return;
    event.preventDefault();
    switch (move.kind) {
      case "go":
        this.active = this.rows[move.index]?.key;
        void this.updateComplete.then(() => this.#restoreFocus(undefined));
        return;
      case "toggle":
        this.emit("toggle-node", row.node.key);
        return;
      case "ask":
        this.request(move.request);
    }
  };

  readonly #focus = (event: FocusEvent): void => {
    const key = (event.target as HTMLElement).closest<HTMLElement>(".row")?.dataset["key"];
    if (key !== undefined) this.active = key;
  };

  readonly #click = (event: MouseEvent): void => {
    const target = event.target as HTMLElement;
    const key = target.closest<HTMLElement>(".row.node")?.dataset["key"];
    if (key !== undefined && target.closest("button") === null) this.emit("toggle-node", key);
  };

  readonly #doubleClick = (event: MouseEvent): void => {
    const target = event.target as HTMLElement;
    const key = target.closest<HTMLElement>(".row")?.dataset["key"];
    const row =
      key === undefined || target.closest("button") ? undefined : this.rows[this.#indexes.get(key) ?? -1];
    const request = row && opening(row);
    if (request !== undefined) this.request(request);
  };

  #focusedRow(): HTMLElement | null | undefined {
    return this.shadowRoot?.activeElement?.closest<HTMLElement>(".row");
  }

  #elements(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".row")];
  }

  /** Where the focus is within the list: a row, or one of its actions. */
  #focusWithin(): { readonly action: string | undefined } | undefined {
    const focused = this.shadowRoot?.activeElement;
    return focused instanceof HTMLElement ? { action: focused.dataset["action"] } : undefined;
  }

  #restoreFocus(action: string | undefined): void {
    const row = this.#elements().find((element) => element.dataset["key"] === this.active);
    const control =
      action === undefined ? undefined : row?.querySelector<HTMLElement>(`[data-action="${action}"]`);
    (control ?? row)?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }
}
customElements.define("batch-list", BatchList);
