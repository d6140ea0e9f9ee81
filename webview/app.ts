import type { PropertyValues, TemplateResult } from "lit";
import { LitElement, css, html, nothing } from "lit";
import type { PanelRequest, Snapshot, ToPanel } from "../src/protocol.ts";
import type { Host } from "./host.ts";
import type { Range } from "./model/expected.ts";
import { usualDurations } from "./model/expected.ts";
import { filterNodes } from "./model/filter.ts";
import { keptOlder, loaded, nextOlder, noOlder, withOlder } from "./model/older.ts";
import type { AfterBySide, Older } from "./model/older.ts";
import type { ListNode } from "./model/nodes.ts";
import { listNodes } from "./model/nodes.ts";
import type { Row } from "./model/rows.ts";
import { isExpanded, listRows } from "./model/rows.ts";
import { Texts } from "./model/texts.ts";
import { totals } from "./model/totals.ts";
import type { UiState } from "./model/ui-state.ts";
import "@vscode-elements/elements/dist/vscode-button/index.js";
import "./parts/batch-list.ts";
import { icon } from "./parts/icons.ts";
import "./parts/panel-charts.ts";
import type { Failure } from "./parts/panel-element.ts";
import "./parts/panel-filters.ts";
import "./parts/panel-groups.ts";
import "./parts/panel-header.ts";
import "./parts/panel-notices.ts";
import "./parts/panel-totals.ts";
import { Announcer } from "./parts/announcer.ts";
import { baseStyles } from "./parts/styles.ts";

/** The whole panel: a function of the newest snapshot and of how the reader arranged it. */
export class PanelApp extends LitElement {
  static override properties = {
    snapshot: { state: true },
    texts: { state: true },
    ui: { state: true },
    older: { state: true },
    loading: { state: true },
    failure: { state: true },
    announced: { state: true },
    now: { state: true },
  };
  declare snapshot: Snapshot | undefined;
  declare texts: Texts;
  declare ui: UiState;
  declare older: Older;
  /** What was asked for and has not come yet. */
  declare loading: AfterBySide | undefined;
  declare failure: Failure | undefined;
  declare announced: string;
  declare now: number;
  readonly #host: Host;
  readonly #announcer = new Announcer((text) => (this.announced = text));
  #usual: ReadonlyMap<string, Range> = new Map();
  /** The newest snapshot with what was loaded of its past. */
  #whole: Snapshot | undefined;
  #nodes: readonly ListNode[] = [];
  #filtered: readonly ListNode[] = [];
  #rows: readonly Row[] = [];
  #stopListening: (() => void) | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;

  static override styles = [
    baseStyles,
    css`
      main {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 16px;
        max-width: 1200px;
        margin: 0 auto;
        padding: 16px 0 24px;
      }
      :host([data-place="view"]) main {
        gap: 10px;
        margin-inline: -10px;
        padding-top: 6px;
      }
      .filters {
        position: sticky;
        top: 0;
        z-index: 1;
        padding-block: 8px;
        background: var(--vscode-editor-background);
      }
      :host([data-place="view"]) .filters {
        background: var(--vscode-sideBar-background, var(--vscode-editor-background));
      }
      .heading {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 12px;
      }
      .more {
        display: grid;
        justify-items: center;
        padding-block: 12px;
      }
      [data-older][aria-disabled="true"] {
        cursor: default;
        opacity: 0.4;
      }
      .empty {
        display: grid;
        justify-items: center;
        gap: 4px;
        padding: 24px 12px;
        text-align: center;
      }
    `,
  ];

  constructor(host: Host) {
    super();
    this.#host = host;
    this.ui = host.uiState;
    this.older = noOlder;
    this.announced = "";
    this.now = Date.now();
    this.addEventListener("panel-request", (event) => this.#ask(event.detail));
    this.addEventListener("arrange", (event) =>
      this.#arrange((event as CustomEvent<Partial<UiState>>).detail),
    );
    this.addEventListener("toggle-node", (event) => this.#toggle((event as CustomEvent<string>).detail));
    this.addEventListener("dismiss", () => (this.failure = undefined));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopListening = this.#host.onMessage((message) => this.#receive(message));
    this.#clock = setInterval(() => (this.now = Date.now()), 10_000);
    document.addEventListener("scrollend", this.#keepScroll);
    this.#host.post({ kind: "ready" });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopListening?.();
    clearInterval(this.#clock);
    this.#announcer.stop();
    document.removeEventListener("scrollend", this.#keepScroll);
  }

  /** What is derived from the snapshot keeps its identity until it changes, so that parts render only when they must. */
  override willUpdate(changed: PropertyValues<this>): void {
    if ((changed.has("snapshot") || changed.has("older")) && this.snapshot !== undefined) {
      this.#whole = withOlder(this.snapshot, this.older);
      this.#nodes = listNodes(this.#whole);
      this.#usual = usualDurations(this.#nodes);
    }
    if (!["snapshot", "older", "ui"].some((name) => changed.has(name as keyof PanelApp))) return;
    this.#filtered = filterNodes(this.#nodes, this.ui.filter);
    this.#rows = listRows(this.#filtered, this.ui.expansion);
  }

  override render(): TemplateResult | typeof nothing {
    const { snapshot, texts, ui, failure } = this;
    if (snapshot === undefined) return nothing;
    const nodes = this.#nodes;
    const known = nodes.some(
      ({ key, operations }) => key === failure?.id || operations.some(({ id }) => id === failure?.id),
    );
    const view = this.dataset["place"] === "view";
    const header = html`<panel-header .texts=${texts} .snapshot=${snapshot} .titled=${!view}></panel-header>`;
    const figures = html`<panel-totals
      .texts=${texts}
      .snapshot=${snapshot}
      .savingsFirst=${view}
    ></panel-totals>`;
    // A view opens low, below another that has title and buttons of its own.
    return html`<main>
      ${view ? figures : header}
      <panel-notices
        .texts=${texts}
        .snapshot=${snapshot}
        .failure=${known ? undefined : failure}
      ></panel-notices>
      ${view ? header : figures}
      <panel-charts
        ?hidden=${nodes.length === 0}
        .texts=${texts}
        .snapshot=${snapshot}
        .nodes=${nodes}
        .shown=${ui}
      ></panel-charts>
      <section aria-labelledby="batches">
        <div class="heading">
          <h2 id="batches">${texts.t("batches")}</h2>
          ${nodes.some(({ phase }) => phase === "finished") ? this.#export() : nothing}
        </div>
        ${nodes.length === 0 ? this.#empty() : this.#list(nodes)}
      </section>
      <panel-groups
        ?hidden=${nodes.every(({ phase }) => phase !== "finished")}
        .texts=${texts}
        .nodes=${nodes}
      ></panel-groups>
      <div class="hidden" role="status">${this.announced}</div>
    </main>`;
  }

  #list(nodes: readonly ListNode[]): TemplateResult {
    const { texts, ui, failure, now } = this;
    const rows = this.#rows;
    const groups = [...new Set(nodes.map(({ group }) => group))].sort();
    return html`<panel-filters
        class="filters"
        .texts=${texts}
        .filter=${ui.filter}
        .groups=${groups}
      ></panel-filters>
      ${rows.length === 0 ? html`<p class="empty dim">${texts.t("list.nothingFound")}</p>` : nothing}
      <batch-list
        .texts=${texts}
        .rows=${rows}
        .nodes=${this.#filtered}
        .failure=${failure}
        .now=${now}
        .usual=${this.#usual}
        ?hidden=${rows.length === 0}
      ></batch-list>
      ${this.#more()}`;
  }

  #more(): TemplateResult | typeof nothing {
    const after = this.#whole && nextOlder(this.#whole, this.older);
    if (after === undefined) return nothing;
    const waits = this.loading !== undefined;
    return html`<div class="more">
      <vscode-button
        secondary
        aria-disabled=${waits}
        data-older
        @click=${() => {
          // Disabled it would lose the focus, and whoever uses the keyboard the place.
          if (waits) return;
          this.loading = after;
          this.#host.post({ kind: "older", after });
        }}
        >${this.texts.t("list.older")}</vscode-button
      >
    </div>`;
  }

  #export(): TemplateResult {
    const text = this.texts.t("history.export");
    return html`<button class="action" data-export @click=${() => this.#ask({ kind: "exportHistory" })}>
      ${icon("export")} ${text}
    </button>`;
  }

  #empty(): TemplateResult {
    const { texts } = this;
    return html`<div class="empty">
      <h3>${texts.t("empty.title")}</h3>
      <p class="dim">${texts.t("empty.text")}</p>
    </div>`;
  }

  #receive(message: ToPanel): void {
    switch (message.kind) {
      case "failed":
        if (message.request === "older") this.loading = undefined;
        this.failure = message;
        return;
      case "older":
        this.older = loaded(this.older, this.loading ?? {}, message.batches);
        this.loading = undefined;
        return;
      case "snapshot":
        this.#show(message);
    }
  }

  /** Ignores a snapshot that an earlier one has overtaken. */
  #show({ snapshot, strings, locale }: ToPanel & { kind: "snapshot" }): void {
    if (this.snapshot !== undefined && snapshot.sequence < this.snapshot.sequence) return;
    const first = this.snapshot === undefined;
    if (first) this.texts = new Texts(strings, locale);
    if (this.snapshot !== undefined) this.older = keptOlder(this.older, this.snapshot, snapshot);
    this.snapshot = snapshot;
    this.now = Date.now();
    this.#announcer.say(this.#summary(snapshot));
    if (first) void this.updateComplete.then(() => window.scrollTo(0, this.ui.scroll));
  }

  #summary(snapshot: Snapshot): string {
    const { waiting, executing, finished, failed, trips } = totals(snapshot);
    return this.texts.t("announce", {
      waiting,
      executing,
      finished,
      failed,
      saved: trips.alone - trips.batched,
    });
  }

  #ask(request: PanelRequest): void {
    this.failure = undefined;
    this.#host.post(request);
  }

  #arrange(change: Partial<UiState>): void {
    this.ui = { ...this.ui, ...change };
    this.#host.uiState = { ...this.ui, scroll: window.scrollY };
  }

  /** Only keys that are still listed are kept, so that the stored state cannot grow for ever. */
  #toggle(key: string): void {
    const { expansion } = this.ui;
    const kept = this.#nodes.flatMap((node): (readonly [string, boolean])[] => {
      if (node.key === key) return [[key, !isExpanded(node, expansion)]];
      const own = expansion[node.key];
      return own === undefined ? [] : [[node.key, own]];
    });
    this.#arrange({ expansion: Object.fromEntries(kept) });
  }

  readonly #keepScroll = (): void => {
    if (this.snapshot !== undefined) this.#host.uiState = { ...this.ui, scroll: window.scrollY };
  };
}
customElements.define("batch-control-panel", PanelApp);
