import type { PropertyValues, TemplateResult } from "lit";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Range } from "../model/expected.ts";
import type { ListNode } from "../model/nodes.ts";
import type { Row } from "../model/rows.ts";
import { successor } from "../model/rows.ts";
import { rowTops, rowsWithin } from "../model/window.ts";
import { moveFrom } from "../model/list-keys.ts";
import { rowCells } from "./list-row.ts";
import { listStyles } from "./list-styles.ts";
import type { Failure } from "./panel-element.ts";
import { PanelElement } from "./panel-element.ts";

/** Height of a row that was never on the page, in pixels; mended as soon as it is. */
const guess: Record<Row["kind"], number> = { node: 32, operation: 28, more: 28 };
/** Rows kept ready beyond the visible ones, in pixels. */
const margin = 400;

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
  #tops = rowTops([]);
  #activeIndex = 0;
  #focused: { readonly action: string | undefined } | undefined;
  #anchor: { readonly key: string; readonly top: number } | undefined;
  #frame = 0;

  static override styles = [PanelElement.styles, listStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("scroll", this.#follow, { passive: true });
    window.addEventListener("resize", this.#follow, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("scroll", this.#follow);
    window.removeEventListener("resize", this.#follow);
    cancelAnimationFrame(this.#frame);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.#anchor = this.#firstInView();
    if (changed.has("rows")) {
      this.#focused = this.#focusWithin();
      this.active = successor(this.rows, this.nodes, this.active ?? "", this.#activeIndex);
    }
    this.#activeIndex = Math.max(
      0,
      this.rows.findIndex(({ key }) => key === this.active),
    );
    this.#tops = rowTops(this.rows.map((row) => this.#heights.get(row.key) ?? guess[row.kind]));
  }

  override render(): TemplateResult {
    const { rows, texts } = this;
    const indexes = this.#shown();
    return html`<div
      role="treegrid"
      aria-label=${texts.t("batches")}
      aria-rowcount=${rows.length}
      .style=${`height:${this.#tops.at(-1) ?? 0}px`}
      @keydown=${this.#key}
      @focusin=${this.#focus}
      @click=${this.#click}
    >
      ${repeat(
        indexes,
        (index) => rows[index]?.key,
        (index) => this.#row(index),
      )}
    </div>`;
  }

  #row(index: number): TemplateResult | typeof nothing {
    const row = this.rows[index];
    if (row === undefined) return nothing;
    const { texts, now, failure, usual } = this;
    const active = index === this.#activeIndex;
    return html`<div
      role="row"
      class="row ${row.kind}"
      data-key=${row.key}
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
    let changed = false;
    for (const element of this.#elements()) {
      const { key = "" } = element.dataset;
      const height = element.offsetHeight;
      if (height === 0 || this.#heights.get(key) === height) continue;
      changed ||=
        (this.#heights.get(key) ?? guess[element.classList.contains("node") ? "node" : "operation"]) !==
        height;
      this.#heights.set(key, height);
    }
    this.#keepPlace();
    if (this.#focused !== undefined && this.#focusWithin() === undefined)
      this.#restoreFocus(this.#focused.action);
    this.#focused = undefined;
    if (changed) this.requestUpdate();
  }

  /** The indexes of rows in view, and the active one wherever it is, so that focus is never lost to scrolling. */
  #shown(): readonly number[] {
    const above = -this.getBoundingClientRect().top;
    const { start, end } = rowsWithin(this.#tops, above - margin, above + window.innerHeight + margin);
    const indexes = Array.from({ length: end - start }, (_, at) => start + at);
    const active = this.#activeIndex;
    if (this.rows.length === 0 || (active >= start && active < end)) return indexes;
    return active < start ? [active, ...indexes] : [...indexes, active];
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

  readonly #follow = (): void => {
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
