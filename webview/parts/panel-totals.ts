import type { TemplateResult } from "lit";
import { css, html, nothing } from "lit";
import type { LlmStats, Snapshot } from "../../src/protocol.ts";
import { totals } from "../model/totals.ts";
import { PanelElement } from "./panel-element.ts";

/** The headline figures; each says beneath it what it is made of. */
export class PanelTotals extends PanelElement {
  static override properties = { snapshot: { attribute: false } };
  declare snapshot: Snapshot;

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
    return html`<section aria-labelledby="totals">
      <h2 id="totals" class="hidden">${texts.t("totals")}</h2>
      <dl>
        ${this.#tile("waiting", texts.number(waiting), [
          texts.count("total.batchesFormed", git.pending.length + llm.pending.length),
        ])}
        ${this.#tile("executing", texts.number(executing), [
          texts.count("total.inBatches", git.executing.length + llm.executing.length),
        ])}
        ${this.#tile("finished", texts.number(finished), [
          texts.count("total.inBatches", finishedBatches),
          failed > 0 ? html`<span class="bad">${texts.count("total.failed", failed)}</span>` : nothing,
        ])}
        ${this.#tile("tokens", texts.compact(tokens.totalTokens), [texts.t("total.tokenParts", parts)])}
        ${this.#tile(
          "pushes",
          texts.number(git.stats.networkSavings),
          [
            texts.t("total.pushesFor", {
              made: git.stats.pushesExecuted,
              asked: git.stats.networkSavings + git.stats.pushesExecuted,
            }),
          ],
          tone(git.stats.networkSavings),
        )}
        ${this.#tile(
          "calls",
          texts.number(llm.stats.apiCallsSaved),
          [
            texts.t("total.callsFor", {
              made: llm.stats.apiCalls,
              asked: llm.stats.apiCallsSaved + llm.stats.apiCalls,
            }),
          ],
          tone(llm.stats.apiCallsSaved),
        )}
        ${this.#money(llm.stats)}
      </dl>
    </section>`;
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
    name: "waiting" | "executing" | "finished" | "pushes" | "calls" | "tokens" | "money" | "moneyLost",
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
