import type { BatchView, Snapshot } from "../core/snapshot.ts";
import type { Counter } from "../core/stats.ts";

/** What the batches that ended today saved, as far as the snapshot lists them. */
export interface SavedToday {
  /** Runs of `git push` that were not needed. */
  readonly pushes: number;
  /** US dollars at the standard price minus what was paid; absent where no request with a known price ended. */
  readonly usd?: number;
  /** More batches may have ended today than the snapshot lists. */
  readonly partial: boolean;
}

export function savedToday({ git, llm }: Pick<Snapshot, "git" | "llm">, now: number): SavedToday {
  const today = new Date(now).toDateString();
  const endedToday = ({ endedAt }: BatchView): boolean =>
    endedAt !== undefined && new Date(endedAt).toDateString() === today;
  const sum = (batches: readonly BatchView[], counter: Counter): number =>
    batches.filter(endedToday).reduce((total, { stats }) => total + (stats?.[counter] ?? 0), 0);
  const standard = sum(llm.executed, "llm.standardCostPico");
  const all = (executed: readonly BatchView[], total: number): boolean =>
    // The total counts no cancelled batches.
    executed.filter(({ status }) => status !== "cancelled").length >= total ||
    executed.some((batch) => !endedToday(batch));
  return {
    pushes: sum(git.executed, "git.pushesDelivered") - sum(git.executed, "git.pushesExecuted"),
    ...(standard > 0 ? { usd: (standard - sum(llm.executed, "llm.costPico")) / 1e12 } : {}),
    partial: !all(git.executed, git.stats.totalBatches) || !all(llm.executed, llm.stats.totalBatches),
  };
}
