import type { TemplateResult } from "lit";
import { css, html, nothing } from "lit";
import { pushesDelivered, requestsAnswered } from "../../src/protocol.ts";
import type { GitStats, LlmStats, Snapshot } from "../../src/protocol.ts";
import { totals } from "../model/totals.ts";
import { PanelElement } from "./panel-element.ts";

/** The headline figures; each says beneath it what it is made of. */
export class PanelTotals extends PanelElement {
  static override properties = { snapshot: { attribute: false }, savingsFirst: { attribute: false } };
  declare snapshot: Snapshot;
  /** What was saved comes before what is going on, where little room is. */
  declare savingsFirst: boolean;

  static override styles = [
    PanelElement.styles,
    css`
      section {
        container-type: inline-size;
      }
      dl {
        display: grid;
        grid-template-columns: repeat(4, minmax(0, 1fr));
        gap: 8px;
      }
      .card {
        display: flex;
        flex-direction: column;
        padding: 8px 12px 10px;
        min-width: 0;
      }
      dt {
        color: var(--dim);
      }
      .value {
        font-size: 1.75em;
        font-weight: 600;
        line-height: 1.35;
        font-variant-numeric: tabular-nums;
        overflow-wrap: anywhere;
      }
      .note {
        color: var(--dim);
        font-size: 0.92em;
        overflow-wrap: anywhere;
      }
      .money {
        grid-column: span 2;
      }
      @container (width < 520px) {
        dl {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
      @container (width > 1080px) {
        dl {
          grid-template-columns: repeat(8, minmax(0, 1fr));
        }
      }
    `,
  ];

  override render(): TemplateResult {
    const { texts, snapshot } = this;
    const { git, llm } = snapshot;
    const { waiting, executing, finished, finishedBatches, failed } = totals(snapshot);
    const tokens = llm.stats;
    const parts = {
      input: texts.compact(tokens.inputTokens),
      output: texts.compact(tokens.outputTokens),
      cache: texts.compact(tokens.cacheReadTokens + tokens.cacheWriteTokens),
    };
    const work = html`${this.#tile("waiting", texts.number(waiting), [
      texts.count("total.batchesFormed", git.pending.length + llm.pending.length),
    ])}
    ${this.#tile("executing", texts.number(executing), [
      texts.count("total.inBatches", git.executing.length + llm.executing.length),
    ])}
    ${this.#tile("finished", texts.number(finished), [
      texts.count("total.inBatches", finishedBatches),
      failed > 0 ? html`<span class="bad">${texts.count("total.failed", failed)}</span>` : nothing,
    ])}
    ${this.#tile("tokens", texts.compact(tokens.totalTokens), [texts.t("total.tokenParts", parts)])}`;
    const savings = html`${this.#pushes(git.stats)} ${this.#calls(llm.stats)} ${this.#money(llm.stats)}`;
    return html`<section aria-labelledby="totals">
      <h2 id="totals" class="hidden">${texts.t("totals")}</h2>
      <dl>${this.savingsFirst ? [savings, work] : [work, savings]}</dl>
    </section>`;
  }

  #pushes(stats: GitStats): TemplateResult {
    const { texts } = this;
    const { networkSavings, pushesExecuted, pushesRequested } = stats;
    const delivered = pushesDelivered(stats);
    const refused = pushesRequested - delivered;
    return this.#trips(networkSavings < 0 ? "pushesLost" : "pushes", networkSavings, [
      texts.count("total.pushesFor", pushesExecuted, { delivered }),
      refused > 0 ? texts.count("total.pushesRefused", refused) : nothing,
    ]);
  }

  #calls(stats: LlmStats): TemplateResult {
    const { apiCallsSaved, apiCalls } = stats;
    return this.#trips(apiCallsSaved < 0 ? "callsLost" : "calls", apiCallsSaved, [
      this.texts.count("total.callsFor", apiCalls, { answered: requestsAnswered(stats) }),
    ]);
  }

  /** Round trips saved; where there were more than needed, how many and why. */
  #trips(
    name: "pushes" | "pushesLost" | "calls" | "callsLost",
    saved: number,
    notes: readonly unknown[],
  ): TemplateResult {
    const { texts } = this;
    const lost = saved < 0 ? texts.t("total.tripsLost") : nothing;
    return this.#tile(name, texts.number(Math.abs(saved)), [...notes, lost], tone(saved));
  }

  #money(stats: LlmStats): TemplateResult {
    const { texts } = this;
    const { costUsd, standardCostUsd, savedUsd, unpricedRequests, totalRequests } = stats;
    const known = totalRequests > unpricedRequests || standardCostUsd > 0;
    const notes = [
      known
        ? texts.t("total.moneyOf", { paid: texts.money(costUsd), standard: texts.money(standardCostUsd) })
        : nothing,
      unpricedRequests > 0
        ? html`<span class="warn">${texts.count("total.unpriced", unpricedRequests)}</span>`
        : nothing,
      texts.t("total.moneyBasis"),
    ];
    const value = known || totalRequests === 0 ? texts.money(Math.abs(savedUsd)) : texts.t("total.unknown");
    return this.#tile(savedUsd < 0 ? "moneyLost" : "money", value, notes, tone(savedUsd));
  }

  #tile(
    name:
      | "waiting"
      | "executing"
      | "finished"
      | "pushes"
      | "pushesLost"
      | "calls"
      | "callsLost"
      | "tokens"
      | "money"
      | "moneyLost",
    value: string,
    notes: readonly unknown[],
    valueTone = "",
  ): TemplateResult {
    return html`<div class="card ${name.startsWith("money") ? "money" : ""}" data-total=${name}>
      <dt>${this.texts.t(`total.${name}`)}</dt>
      <dd class="value ${valueTone}">${value}</dd>
      ${notes.filter((note) => note !== nothing).map((note) => html`<dd class="note">${note}</dd>`)}
    </div>`;
  }
}

const tone = (saved: number): string => (saved > 0 ? "good" : saved < 0 ? "warn" : "");
customElements.define("panel-totals", PanelTotals);
