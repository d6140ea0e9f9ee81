import type { TemplateResult } from "lit";
import { html, nothing } from "lit";
import type { OperationView, PanelRequest } from "../../src/protocol.ts";
import type { RowRequest } from "../model/actions.ts";
import { rowActions } from "../model/actions.ts";
import type { Range } from "../model/expected.ts";
import { hasFailed } from "../model/filter.ts";
import type { ListNode } from "../model/nodes.ts";
import { kindCounts, shortGroup } from "../model/nodes.ts";
import type { Row } from "../model/rows.ts";
import { batchCost, batchTrips } from "../model/series.ts";
import type { Texts } from "../model/texts.ts";
import { finalCount } from "../model/totals.ts";
import type { IconName } from "./icons.ts";
import { icon, namedIcon } from "./icons.ts";
import type { Failure } from "./panel-element.ts";

export interface RowView {
  readonly texts: Texts;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly active: boolean;
  readonly failure: Failure | undefined;
  /** How long batches of a group usually take. */
  readonly usual: ReadonlyMap<string, Range>;
  readonly ask: (request: PanelRequest) => void;
}

const actionIcons: Record<RowRequest["kind"], IconName> = {
  flush: "run-all",
  pause: "debug-pause",
  cancelBatch: "debug-stop",
  retryBatch: "refresh",
  cancelOperation: "circle-slash",
  retryOperation: "refresh",
  openChanges: "diff",
  openDetails: "info",
  openResult: "go-to-file",
};
const statusIcons: Record<ListNode["status"] | OperationView["status"], readonly [IconName, string]> = {
  queued: ["circle-large", "dim"],
  pending: ["history", "dim"],
  executing: ["loading", "busy"],
  succeeded: ["pass", "good"],
  completed: ["pass", "good"],
  failed: ["error", "bad"],
  expired: ["watch", "bad"],
  cancelled: ["circle-slash", "dim"],
};
const kindIcons: Record<OperationView["kind"], IconName> = {
  commit: "git-commit",
  merge: "git-merge",
  push: "repo-push",
  request: "sparkle",
};

/** The cells of one row. */
export function rowCells(row: Row, view: RowView): TemplateResult {
  switch (row.kind) {
    case "node":
      return nodeCells(row, view);
    case "operation":
      return operationCells(row, view);
    case "more":
      return html`<span role="gridcell" class="name dim">${view.texts.count("list.more", row.hidden)}</span>`;
  }
}

function nodeCells(row: Row & { kind: "node" }, view: RowView): TemplateResult {
  const { node, expanded } = row;
  const { texts } = view;
  const status = nodeStatus(node);
  return html`<span role="gridcell" class="name">
      ${icon(expanded ? "chevron-down" : "chevron-right")}
      ${namedIcon(...statusIcons[status], texts.t(`status.${status}`))}
      <span class="title">
        <span class="label" title=${node.group}>${shortGroup(node.group)}</span>
        <span class="count dim">${composition(node, texts)}</span>
      </span>
    </span>
    <span role="gridcell" class="facts dim">${nodeFacts(node, view)}</span>
    ${actions(row, view)} ${errors([node.batch?.error, failureOf(row, view)])}`;
}

function composition(node: ListNode, texts: Texts): string {
  const kinds = kindCounts(node);
  const shown =
    kinds === undefined
      ? texts.count("list.operations", node.operationCount)
      : texts.list([...kinds].map(([kind, n]) => texts.count(`list.${kind}`, n)));
  return node.filteredFrom === undefined ? shown : texts.t("list.filtered", { shown, of: node.filteredFrom });
}

/** A batch that succeeded in part is marked as one that needs a look. */
const nodeStatus = (node: ListNode): ListNode["status"] =>
  node.status === "completed" && failedCount(node) > 0 ? "failed" : node.status;
/** It, or something in it, did not succeed: marked by more than a colour. */
export function needsLook(row: Row): boolean {
  switch (row.kind) {
    case "node":
      return nodeStatus(row.node) === "failed";
    case "operation":
      return hasFailed(row.operation);
    case "more":
      return false;
  }
}

const failedCount = ({ batch }: ListNode): number =>
  (batch?.counts["failed"] ?? 0) + (batch?.counts["expired"] ?? 0);

function nodeFacts(node: ListNode, { texts, now, usual }: RowView): unknown {
  const { batch } = node;
  if (batch === undefined) return texts.t("list.queued");
  // Counts and money are those of the whole batch, whatever a filter leaves of it.
  const whole = node.filteredFrom === undefined ? undefined : texts.t("list.whole");
  const { createdAt, startedAt, endedAt, counts, progress } = batch;
  switch (node.phase) {
    case "queued":
    case "pending":
      return texts.t("list.since", { time: texts.when(createdAt, now) });
    case "executing": {
      const done = finalCount(batch);
      const range = usual.get(node.group);
      const of = texts.t("list.done", { done, of: batch.operationCount });
      return html`<progress max=${batch.operationCount} value=${done} aria-label=${of}></progress>${apart([
          "",
          whole,
          of,
          progress && texts.t(`push.${progress.step}`, { 0: progress.target, 1: progress.percent }),
          startedAt === undefined ? undefined : texts.duration(now - Date.parse(startedAt)),
          range && texts.t("list.usual", { from: texts.duration(range.from), to: texts.duration(range.to) }),
        ])}`;
    }
    case "finished": {
      const failed = failedCount(node);
      const cost = batchCost(node);
      const { cancelled = 0 } = counts;
      const facts = apart([
        failed > 0 ? "" : whole,
        cancelled > 0 ? texts.count("list.cancelled", cancelled) : undefined,
        tripsText(node, texts),
        cost.alone + cost.batched > 0
          ? texts.t("list.cost", { paid: texts.money(cost.batched), standard: texts.money(cost.alone) })
          : undefined,
        startedAt === undefined || endedAt === undefined
          ? undefined
          : texts.duration(Date.parse(endedAt) - Date.parse(startedAt)),
        texts.when(endedAt ?? createdAt, now),
      ]);
      return failed > 0
        ? html`${whole === undefined ? nothing : apart([whole, ""])}<span class="bad"
              >${texts.count("total.failed", failed)}</span
            >${facts}`
        : facts;
    }
  }
}

function tripsText(node: ListNode, texts: Texts): string | undefined {
  const { alone, batched } = batchTrips(node);
  if (alone + batched === 0) return undefined;
  return texts.count(alone === 0 ? `list.tripsNone.${node.side}` : `list.trips.${node.side}`, batched, {
    alone,
  });
}

/** As one text that breaks only between facts: an element for each would be most of what a row costs to draw. */
const apart = (facts: readonly (string | undefined)[]): string =>
  facts.flatMap((fact) => fact?.replaceAll(" ", "\u00a0") ?? []).join("\u2003");

function operationCells(row: Row & { kind: "operation" }, view: RowView): TemplateResult {
  const { operation } = row;
  const { texts, now } = view;
  const [glyph, tone] = statusIcons[operation.status];
  const facts = apart([
    operation.retryOf === undefined ? undefined : texts.t("list.retry"),
    operation.source === "person" ? undefined : texts.t(`source.${operation.source}`),
    texts.t(isChecking(operation.detail) ? "status.checking" : `status.${operation.status}`),
    texts.when(operation.enqueuedAt, now),
  ]);
  return html`<span role="gridcell" class="name">
      ${icon(glyph, tone)}
      ${namedIcon(kindIcons[operation.kind], "dim", texts.t(`filter.kind.${operation.kind}`))}
      <span class="label" title=${operation.label}>${operation.label}</span>
    </span>
    <span role="gridcell" class="facts dim">${facts}</span>
    ${actions(row, view)} ${errors([operation.error, failureOf(row, view)])}`;
}

/** Its outcome is being found out after a crash or a lost answer. */
const isChecking = (detail: unknown): boolean =>
  typeof detail === "object" && detail !== null && "checking" in detail && detail.checking === true;

function actions(row: Row, { texts, active, ask }: RowView): TemplateResult {
  return html`<span role="gridcell" class="actions">
    ${rowActions(row).map((request) => {
      const label = texts.t(`action.${request.kind}`);
      return html`<button
        class="action"
        data-action=${request.kind}
        title=${label}
        aria-label=${label}
        tabindex=${active ? 0 : -1}
        @click=${() => ask(request)}
      >
        ${icon(actionIcons[request.kind])}
      </button>`;
    })}
  </span>`;
}

const failureOf = (row: Row, { failure }: RowView): string | undefined =>
  failure?.id === row.key ? failure.message : undefined;

function errors(messages: readonly (string | undefined)[]): TemplateResult | typeof nothing {
  const known = messages.filter((message) => message !== undefined);
  if (known.length === 0) return nothing;
  return html`<span role="gridcell" class="error"
    >${known.map((message) => html`<span class="bad">${message}</span>`)}</span
  >`;
}
