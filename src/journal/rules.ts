import { endedStatus } from "../core/batch.ts";
import type { Batch } from "../core/batch.ts";
import type { OperationKind, OperationStatus, SideName } from "../core/operation.ts";
import { isFinal } from "../core/operation.ts";
import type { Counter, Counters, StatsDelta } from "../core/stats.ts";
import type { JournalEvent, SealLimits } from "../core/journal.ts";
import type { Tables, Transaction } from "./tables.ts";

/** `counts` after `n` operations changed their status; `undefined` stands for outside the batch. Zeros are left out. */
export function shifted(
  counts: Batch["counts"],
  from: OperationStatus | undefined,
  to: OperationStatus | undefined,
  n: number,
): Batch["counts"] {
  const next = new Map(Object.entries(counts));
  if (from !== undefined) next.set(from, (next.get(from) ?? 0) - n);
  if (to !== undefined) next.set(to, (next.get(to) ?? 0) + n);
  return Object.fromEntries(
    [...next].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const finalCount = (counts: Batch["counts"]): number =>
  Object.entries(counts).reduce((sum, [status, n]) => sum + (isFinal(status as OperationStatus) ? n : 0), 0);

/** Writes the batch down; one whose operations are all final ends here and is counted. */
export function saveBatch({ tables, now }: Transaction, batch: Batch): Batch {
  const open = batch.status === "pending" || batch.status === "executing";
  if (!open || finalCount(batch.counts) < batch.operationCount) {
    tables.updateBatch(batch);
    return batch;
  }
  const ended: Batch = { ...batch, status: endedStatus(batch.counts), endedAt: now };
  tables.updateBatch(ended);
  addStats(tables, batch.id, endedStats(ended));
  return ended;
}

/** What a batch that ended adds. Cancelled operations, and batches of nothing else, were no work. */
function endedStats(batch: Batch): StatsDelta {
  if (batch.status === "cancelled") return {};
  const operations = batch.operationCount - (batch.counts["cancelled"] ?? 0);
  // A clock that was set back while the batch ran must not take time away from the sum.
  const time = Math.max(0, (batch.endedAt ?? 0) - (batch.startedAt ?? batch.endedAt ?? 0));
  return batch.side === "git"
    ? { "git.totalBatches": 1, "git.totalOps": operations, "git.totalExecuteTimeMs": time }
    : { "llm.totalBatches": 1, "llm.totalRequests": operations, "llm.totalExecutionTimeMs": time };
}

/** What an operation adds when it becomes final. */
export function settledStats(kind: OperationKind, status: OperationStatus): StatsDelta {
  if (status === "failed" || status === "expired")
    return kind === "request" ? { "llm.failed": 1 } : { "git.failed": 1 };
  if (status !== "succeeded") return {};
  switch (kind) {
    case "commit":
      return { "git.commits": 1 };
    case "merge":
      return { "git.merges": 1 };
    case "request":
      return { "llm.answered": 1 };
    case "push":
      return {};
  }
}

/** Adds to the totals and to what the batch has added to them. */
export function addStats(tables: Tables, batch: string, ...deltas: readonly StatsDelta[]): void {
  const sums = deltas.map(exact).reduce(added, new Map());
  if (sums.size === 0) return;
  for (const [counter, amount] of sums) tables.addToCounter(counter, amount);
  tables.addToBatch(batch, sums);
}

const exact = (delta: StatsDelta): Counters =>
  new Map(
    Object.entries(delta)
      .map(
        ([name, amount]) =>
          [name as Counter, typeof amount === "bigint" ? amount : BigInt(Math.round(amount))] as const,
      )
      .filter(([, amount]) => amount !== 0n),
  );

/** The sums of both. */
export function added(sums: Counters, amounts: Counters): Counters {
  const result = new Map(sums);
  for (const [counter, amount] of amounts) result.set(counter, (result.get(counter) ?? 0n) + amount);
  return result;
}

/** Where a queue is cut so that each part keeps the limits; answers the parts in order. One that is too large stands alone. */
export function split<Item extends { readonly bytes: number }>(
  items: readonly Item[],
  { maxCount = Infinity, maxBytes = Infinity }: SealLimits,
): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (part.length > 0 && (part.length >= maxCount || bytes + item.bytes > maxBytes)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += item.bytes;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Ids in one event are kept few, so that one row never holds a hundred thousand of them. */
const idsPerEvent = 500;

export function emit(
  tables: Tables,
  type: JournalEvent["type"],
  about: { readonly batch?: string; readonly operations?: readonly string[] },
): void {
  const { operations = [], ...rest } = about;
  if (operations.length === 0) tables.appendEvent({ type, ...rest });
  for (let at = 0; at < operations.length; at += idsPerEvent) {
    tables.appendEvent({ type, ...rest, operations: operations.slice(at, at + idsPerEvent) });
  }
}

export const sides: readonly SideName[] = ["git", "llm"];
