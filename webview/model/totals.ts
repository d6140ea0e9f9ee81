import { pushesDelivered, requestsAnswered } from "../../src/protocol.ts";
import type { BatchView, Snapshot } from "../../src/protocol.ts";

export interface Totals {
  readonly waiting: number;
  readonly executing: number;
  readonly finished: number;
  readonly finishedBatches: number;
  readonly failed: number;
  /** What was delivered or answered, and the round trips that were made. */
  readonly trips: { readonly alone: number; readonly batched: number };
}

const final = ["succeeded", "failed", "cancelled", "expired"] as const;

export function totals({ git, llm }: Snapshot): Totals {
  return {
    waiting: [git, llm].reduce(
      (sum, side) => sum + side.queuedCount + operations(side.pending, openCount),
      0,
    ),
    executing: operations([...git.executing, ...llm.executing], openCount),
    finished: git.stats.totalOps + llm.stats.totalRequests,
    finishedBatches: git.stats.totalBatches + llm.stats.totalBatches,
    failed: git.stats.failed + llm.stats.failed,
    trips: {
      alone: pushesDelivered(git.stats) + requestsAnswered(llm.stats),
      batched: git.stats.pushesExecuted + llm.stats.apiCalls,
    },
  };
}

const operations = (batches: readonly BatchView[], count: (batch: BatchView) => number): number =>
  batches.reduce((sum, batch) => sum + count(batch), 0);

/** Operations of a batch that have no outcome yet. */
export const openCount = (batch: BatchView): number => batch.operationCount - finalCount(batch);

export const finalCount = (batch: BatchView): number =>
  final.reduce((sum, status) => sum + (batch.counts[status] ?? 0), 0);
