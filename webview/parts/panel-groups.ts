import type { TemplateResult } from "lit";
import { css, html } from "lit";
import type { GroupOutcome } from "../model/groups.ts";
import { groupOutcomes } from "../model/groups.ts";
import type { ListNode } from "../model/nodes.ts";
import { shortGroup } from "../model/nodes.ts";
import { PanelElement } from "./panel-element.ts";

/** What became of each repository's and model's work, and what batching it saved. */
export class PanelGroups extends PanelElement {
  static override properties = { nodes: { attribute: false } };
  declare nodes: readonly ListNode[];

  static override styles = [
    PanelElement.styles,
    css`
      .card {
        margin-top: 8px;
        max-height: none;
      }
      td:first-child,
      tbody th {
        max-width: 320px;
        overflow: hidden;
        text-overflow: ellipsis;
      }
    `,
  ];

  override render(): TemplateResult {
    const { texts } = this;
    const outcomes = groupOutcomes(this.nodes);
    const columns = [
      "batches",
      "succeeded",
      "failed",
      "cancelled",
      "delivered",
      "trips",
      "saved",
      "moneySaved",
    ] as const;
    return html`<section aria-labelledby="groups">
      <h2 id="groups">${texts.t("groups")}</h2>
      <p class="dim">${texts.t("groups.basis")} ${texts.t("chart.trips.basis")}</p>
      <div class="card scroller" tabindex="0" role="region" aria-labelledby="groups">
        <table>
          <thead>
            <tr>
              <th scope="col">${texts.t("column.group")}</th>
              ${columns.map((column) => html`<th scope="col">${texts.t(`column.${column}`)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${outcomes.map((outcome) => this.#row(outcome))}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #row(outcome: GroupOutcome): TemplateResult {
    const { texts } = this;
    const { group, batches, cancelledBatches, succeeded, failed, cancelled, trips, cost, measured } = outcome;
    const listed =
      cancelledBatches === 0
        ? texts.number(batches)
        : texts.t("groups.batches", { batches, cancelled: cancelledBatches });
    const unknown = texts.t("total.unknown");
    const trip = (value: number): string => (measured ? texts.number(value) : unknown);
    const saved = cost.alone === 0 && cost.batched === 0 ? "–" : texts.money(cost.alone - cost.batched);
    return html`<tr>
      <th scope="row" title=${group}>${shortGroup(group)}</th>
      <td>${listed}</td>
      <td>${texts.number(succeeded)}</td>
      <td class=${failed > 0 ? "bad" : ""}>${texts.number(failed)}</td>
      <td>${texts.number(cancelled)}</td>
      <td>${trip(trips.alone)}</td>
      <td>${trip(trips.batched)}</td>
      <td class=${trips.alone > trips.batched ? "good" : ""}>${trip(trips.alone - trips.batched)}</td>
      <td>${saved}</td>
    </tr>`;
  }
}
customElements.define("panel-groups", PanelGroups);
