import type { ListNode } from "./nodes.ts";
import type { Pair } from "./series.ts";
import { batchCost, batchTrips } from "./series.ts";

/** What became of one group's finished batches, as far as the snapshot lists them. */
export interface GroupOutcome {
  readonly group: string;
  /** Without those of which everything was cancelled. */
  readonly batches: number;
  readonly cancelledBatches: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Operations cancelled before they were done. */
  readonly cancelled: number;
  readonly trips: Pair;
  readonly cost: Pair;
  /** At least one batch says what it took. */
  readonly measured: boolean;
}

export function groupOutcomes(nodes: readonly ListNode[]): readonly GroupOutcome[] {
  const finished = nodes.filter((node) => node.phase === "finished");
  return [...Map.groupBy(finished, (node) => node.group)]
    .map(([group, members]): GroupOutcome => {
      const counted = (...statuses: readonly string[]): number =>
        members.reduce(
          (sum, { batch }) => sum + statuses.reduce((n, status) => n + (batch?.counts[status] ?? 0), 0),
          0,
        );
      const batches = members.filter((node) => node.status !== "cancelled").length;
      return {
        group,
        batches,
        cancelledBatches: members.length - batches,
        succeeded: counted("succeeded"),
        failed: counted("failed", "expired"),
        cancelled: counted("cancelled"),
        trips: members.map(batchTrips).reduce(add, { alone: 0, batched: 0 }),
        cost: members.map(batchCost).reduce(add, { alone: 0, batched: 0 }),
        measured: members.some((node) => node.batch?.stats !== undefined),
      };
    })
    .sort((a, b) => a.group.localeCompare(b.group));
}

const add = (a: Pair, b: Pair): Pair => ({ alone: a.alone + b.alone, batched: a.batched + b.batched });
