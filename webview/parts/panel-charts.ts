import type { TemplateResult } from "lit";
import { css, html, nothing } from "lit";
import type { Snapshot } from "../../src/protocol.ts";
import type { ListNode } from "../model/nodes.ts";
import { shortGroup } from "../model/nodes.ts";
import type { Series } from "../model/series.ts";
import { costSeries, tripSeries } from "../model/series.ts";
import { totals } from "../model/totals.ts";
import type { UiState } from "../model/ui-state.ts";
import type { ChartWords } from "./gap-chart.ts";
import "./gap-chart.ts";
import { icon } from "./icons.ts";
import { PanelElement } from "./panel-element.ts";

type Shown = Pick<UiState, "tripSide" | "tables">;
type ChartName = "trips" | "cost";

/** What batching saved, as two charts, each with a table of the same numbers. */
export class PanelCharts extends PanelElement {
  static override properties = {
    snapshot: { attribute: false },
    nodes: { attribute: false },
    shown: { attribute: false },
  };
  declare snapshot: Snapshot;
  declare nodes: readonly ListNode[];
  declare shown: Shown;

  static override styles = [
    PanelElement.styles,
    css`
      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr));
        gap: 8px;
        margin-top: 8px;
      }
      .card {
        display: flex;
        flex-direction: column;
        min-width: 0;
        padding: 8px 12px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px;
        margin-bottom: 6px;
      }
      .head h3 {
        flex: 1 1 80px;
      }
      .none {
        flex: 1;
        display: grid;
        place-items: center;
        min-height: 96px;
        text-align: center;
        color: var(--dim);
      }
      .verdict {
        display: flex;
        gap: 6px;
        margin-top: 4px;
      }
      /* As high as the chart beside it. */
      .scroller {
        flex: 1 1 240px;
        max-height: max(240px, 40vh);
      }
      /* The names get what the figures leave, and no less than this: then the table scrolls. */
      .text {
        width: 100%;
        min-width: 96px;
        max-width: 96px;
        overflow: hidden;
        text-align: start;
        text-overflow: ellipsis;
      }
    `,
  ];

  override render(): TemplateResult {
    const { texts, shown, nodes, snapshot } = this;
    const trips: ChartWords = {
      title: texts.t("chart.trips"),
      alone: texts.t("chart.trips.alone"),
      batched: texts.t("chart.trips.batched"),
      format: (value) => texts.number(value),
    };
    const cost: ChartWords = {
      title: texts.t("chart.cost"),
      alone: texts.t("chart.cost.alone"),
      batched: texts.t("chart.cost.batched"),
      format: (value) => texts.money(value),
    };
    return html`<section aria-labelledby="savings">
      <h2 id="savings">${texts.t("savings")}</h2>
      ${this.#verdict()}
      <div class="charts">
        ${this.#card("trips", trips, tripSeries(nodes, shown.tripSide), this.#sides())}
        ${snapshot.llm.stats.totalRequests > 0 ? this.#card("cost", cost, costSeries(nodes)) : nothing}
      </div>
    </section>`;
  }

  /** Said in words when there is no gap to see, or one that goes the wrong way. */
  #verdict(): TemplateResult | typeof nothing {
    const { texts, snapshot } = this;
    const { alone, batched } = totals(snapshot).trips;
    const { savedUsd, standardCostUsd } = snapshot.llm.stats;
    const lines = [
      alone > 0 && alone === batched ? texts.t("verdict.nothing") : undefined,
      alone < batched ? texts.count("verdict.moreTrips", batched - alone) : undefined,
      savedUsd < 0 ? texts.t("verdict.moreMoney", { more: texts.money(-savedUsd) }) : undefined,
      standardCostUsd > 0 && savedUsd === 0 ? texts.t("verdict.noMoney") : undefined,
    ].filter((line) => line !== undefined);
    return lines.length === 0
      ? nothing
      : html`<p class="verdict">${icon("info")} <span>${lines.join(" ")}</span></p>`;
  }

  #sides(): TemplateResult {
    const { texts, shown } = this;
    const side = (name: UiState["tripSide"]): TemplateResult =>
      html`<button
        class="action"
        aria-pressed=${shown.tripSide === name}
        @click=${() => this.#arrange({ tripSide: name })}
      >
        ${texts.t(`side.${name}`)}
      </button>`;
    return html`<div role="group" aria-label=${texts.t("chart.side")}>
      ${side("all")}${side("git")}${side("llm")}
    </div>`;
  }

  #card(name: ChartName, words: ChartWords, series: Series, extra?: TemplateResult): TemplateResult {
    const { texts, shown } = this;
    const table = shown.tables.includes(name);
    const tables = table ? shown.tables.filter((other) => other !== name) : [...shown.tables, name];
    const toggle = texts.t(table ? "chart.showChart" : "chart.showTable");
    const empty = series.points.length === 0;
    const unpriced = name === "cost" && this.snapshot.llm.stats.unpricedRequests > 0;
    return html`<div class="card" data-chart=${name}>
      <div class="head">
        <h3>${words.title}</h3>
        ${extra ?? nothing}
        ${
          empty
            ? nothing
            : html`<button
                class="action"
                title=${toggle}
                aria-label="${words.title}: ${toggle}"
                @click=${() => this.#arrange({ tables })}
              >
                ${icon(table ? "graph-line" : "table")}
              </button>`
        }
      </div>
      ${empty ? html`<p class="none">${texts.t(unpriced ? "chart.noPrices" : "chart.none")}</p>` : nothing}
      ${!empty && table ? this.#table(words, series) : nothing}
      ${
        !empty && !table
          ? html`<gap-chart .texts=${texts} .points=${series.points} .words=${words}></gap-chart>`
          : nothing
      }
      ${series.leftOut > 0 ? html`<p class="dim">${texts.count("chart.leftOut", series.leftOut)}</p>` : nothing}
      <p class="dim">${texts.t(name === "cost" ? "total.moneyBasis" : "chart.trips.basis")}</p>
    </div>`;
  }

  #table(words: ChartWords, { points }: Series): TemplateResult {
    const { texts } = this;
    const now = Date.now();
    return html`<div class="scroller" tabindex="0" role="region" aria-label=${words.title}>
      <table>
        <caption class="dim">
          ${texts.t("chart.sums")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${texts.t("column.ended")}</th>
            <th scope="col" class="text">${texts.t("column.group")}</th>
            <th scope="col">${words.alone}</th>
            <th scope="col">${words.batched}</th>
            <th scope="col">${texts.t("chart.saved")}</th>
          </tr>
        </thead>
        <tbody>
          ${points.map(
            ({ at, group, alone, batched }) =>
              html`<tr>
                <th scope="row" title=${texts.dateTime(at)}>${texts.when(at, now)}</th>
                <td class="text" title=${group}>${shortGroup(group)}</td>
                <td>${words.format(alone)}</td>
                <td>${words.format(batched)}</td>
                <td>${words.format(alone - batched)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  #arrange(shown: Partial<Shown>): void {
    this.emit("arrange", shown);
  }
}
customElements.define("panel-charts", PanelCharts);
