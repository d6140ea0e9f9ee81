import type { PropertyValues, SVGTemplateResult, TemplateResult } from "lit";
import { html, nothing, svg } from "lit";
import type { ChartShape } from "../model/chart.ts";
import { chartShape, nearest } from "../model/chart.ts";
import { shortGroup } from "../model/nodes.ts";
import type { Pair, Point } from "../model/series.ts";
import { chartStyles } from "./gap-chart-styles.ts";
import { PanelElement } from "./panel-element.ts";

const width = 560;
const height = 150;

/** What a chart says in words; `alone` and `batched` name the lines. */
export interface ChartWords {
  readonly title: string;
  readonly alone: string;
  readonly batched: string;
  readonly format: (value: number) => string;
}

/** Two rising lines and the area between them, readable by pointer and by arrow keys. */
export class GapChart extends PanelElement {
  static override properties = {
    points: { attribute: false },
    words: { attribute: false },
    cursor: { state: true },
  };
  declare points: readonly Point[];
  declare words: ChartWords;
  /** Index into the shape's spots; 0, the origin, means none. */
  declare cursor: number;
  #shape: ChartShape = chartShape([], width, height);

  static override styles = [PanelElement.styles, chartStyles];

  constructor() {
    super();
    this.cursor = 0;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("points")) return;
    this.#shape = chartShape(this.points, width, height);
    this.cursor = Math.min(this.cursor, this.points.length);
  }

  override render(): TemplateResult {
    const { words, points, texts } = this;
    const { saved, lost } = this.#shape;
    const last = points.at(-1)?.at ?? "";
    const shown = this.cursor === 0 ? points.length : this.cursor;
    return html`
      <div class="legend">
        ${legend("alone", words.alone)} ${legend("batched", words.batched)}
        ${saved === "" ? nothing : legend("saved", texts.t("chart.saved"))}
        ${lost === "" ? nothing : legend("lost", texts.t("chart.lost"))}
      </div>
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          ${this.#shape.ticks.toReversed().map(({ value }) => html`<span>${words.format(value)}</span>`)}
        </div>
        <div
          class="area"
          role="slider"
          tabindex="0"
          aria-label=${words.title}
          aria-valuemin="1"
          aria-valuemax=${points.length}
          aria-valuenow=${shown}
          aria-valuetext=${this.#reading(shown)}
          @keydown=${this.#key}
          @pointermove=${this.#point}
          @pointerleave=${() => (this.cursor = 0)}
          @blur=${() => (this.cursor = 0)}
        >
          ${this.#drawing()}
        </div>
        <div class="times dim" aria-hidden="true">
          <span>${texts.when(points[0]?.at ?? last, Date.parse(last))}</span
          ><span>${texts.dateTime(last)}</span>
        </div>
      </div>
      <p class="reading" aria-hidden="true">${this.cursor === 0 ? this.#summary() : this.#reading(shown)}</p>
    `;
  }

  #drawing(): TemplateResult {
    const { alone, batched, saved, lost, ticks, spots } = this.#shape;
    const spot = this.cursor === 0 ? undefined : spots[this.cursor];
    return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
      ${ticks.map(({ y }) => svg`<path class="grid" d="M0 ${y}H${width}" />`)}
      <path class="saved" d=${saved} />
      <path class="lost" d=${lost} />
      <path class="alone" d=${alone} />
      <path class="batched" d=${batched} />
      ${spot === undefined ? nothing : cursorLine(spot.x, spot.alone, spot.batched)}
    </svg>`;
  }

  #summary(): string {
    const { points, texts } = this;
    return texts.count(
      "chart.summary",
      points.length,
      this.#named(points.at(-1) ?? { alone: 0, batched: 0 }),
    );
  }

  /** One batch in words: which, when, both sums and the difference. */
  #reading(index: number): string {
    const point = this.points[index - 1];
    if (point === undefined) return "";
    const { texts, words } = this;
    const saved = point.alone - point.batched;
    return texts.t(saved < 0 ? "chart.readingLost" : "chart.reading", {
      ...this.#named(point),
      at: texts.dateTime(point.at),
      group: shortGroup(point.group),
      saved: words.format(Math.abs(saved)),
    });
  }

  #named({ alone, batched }: Pair): Readonly<Record<string, string>> {
    const { words } = this;
    return {
      aloneName: words.alone,
      alone: words.format(alone),
      batchedName: words.batched,
      batched: words.format(batched),
    };
  }

  readonly #key = (event: KeyboardEvent): void => {
    const last = this.points.length;
    const from = this.cursor === 0 ? last : this.cursor;
    const to: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      PageDown: from - 10,
      PageUp: from + 10,
      Home: 1,
      End: last,
    };
    const target = to[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.cursor = Math.min(last, Math.max(1, target));
  };

  readonly #point = (event: PointerEvent): void => {
    const area = (event.currentTarget as HTMLElement).getBoundingClientRect();
    if (area.width > 0)
      this.cursor = nearest(this.#shape.spots, ((event.clientX - area.left) / area.width) * width);
  };
}

const legend = (line: "alone" | "batched" | "saved" | "lost", name: string): TemplateResult =>
  html`<span>
    <svg class="key" viewBox="0 0 20 8" aria-hidden="true">
      <path class=${line} d=${line === "alone" || line === "batched" ? "M0 4H20" : "M0 0H20V8H0Z"} />
    </svg>
    ${name}
  </span>`;

const cursorLine = (x: number, alone: number, batched: number): SVGTemplateResult =>
  svg`<path class="cursor" d="M${x} 0V${height}" />
    <path class="dot alone" d="M${x} ${alone}h0" /><path class="dot batched" d="M${x} ${batched}h0" />`;

customElements.define("gap-chart", GapChart);
