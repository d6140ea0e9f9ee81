import type { BatchView, OperationView } from "../../core/snapshot.ts";
import { adviceFor } from "../advice.ts";
import { escapeMarkdown } from "../markdown.ts";
import { batchErrorText, failureText } from "../reason-words.ts";
import {
  batchStatus,
  checkingText,
  hasChecking,
  isChecking,
  isStatus,
  operationStatus,
  placeOf,
  statusName,
} from "../words.ts";
import type { NodeRef } from "./node.ts";
import type { RenderContext } from "./render.ts";
import { findBatch, findOperation } from "./structure.ts";
import type { TreeSnapshot } from "./structure.ts";

/** Markdown with the whole story of a batch or an operation; `undefined` where the row says it all. */
export function tooltip(snapshot: TreeSnapshot, ref: NodeRef, context: RenderContext): string | undefined {
  if (ref.kind === "batch") {
    const batch = findBatch(snapshot[ref.side], ref.batch);
    return batch && batchTooltip(batch, context);
  }
  if (ref.kind === "operation") {
    const operation = findOperation(snapshot[ref.side], ref.operation, ref.batch);
    return operation && operationTooltip(operation, context);
  }
  return undefined;
}

function batchTooltip(batch: BatchView, { t, time, count }: RenderContext): string {
  const counts = Object.entries(batch.counts).map(
    ([status, many]) => `${isStatus(status) ? statusName(status, t) : status}: ${count(many)}`,
  );
  return lines([
    `**${escapeMarkdown(placeOf(batch.group))}**`,
    t("Status: {0}", batchStatus(batch, t)),
    hasChecking(batch) ? escapeMarkdown(checkingText(batch.group, t)) : undefined,
    counts.join(", "),
    t("Formed: {0}", time(batch.createdAt)),
    batch.startedAt && t("Started: {0}", time(batch.startedAt)),
    batch.endedAt && t("Ended: {0}", time(batch.endedAt)),
    batch.remoteId && t("Provider's id: {0}", escapeMarkdown(batch.remoteId)),
    batch.error && t("Error: {0}", escapeMarkdown(batchErrorText(batch.error, t))),
  ]);
}

function operationTooltip(operation: OperationView, { t, time }: RenderContext): string {
  return lines([
    `**${escapeMarkdown(operation.label)}**`,
    t("Status: {0}", operationStatus(operation, t)),
    isChecking(operation) ? escapeMarkdown(checkingText(operation.group, t)) : undefined,
    t("Queued: {0}", time(operation.enqueuedAt)),
    operation.error && t("Error: {0}", escapeMarkdown(failureText(operation.error, operation.reason, t))),
    escapeMarkdown(adviceFor(operation, t) ?? ""),
    operation.retryOf && t("Retry of: {0}", operation.retryOf),
    `\`${operation.id}\``,
  ]);
}

const lines = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");
