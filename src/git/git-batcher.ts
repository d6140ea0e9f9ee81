import { Batcher, type BatcherParts } from "../core/batcher.ts";
import type { GitInput } from "../core/schema/inputs.ts";
import type { JournalState, Side } from "../core/snapshot.ts";
import type { GitStats } from "../core/stats.ts";

/** Queues commits, merges and pushes; one group and one lane per repository. */
export class GitBatcher extends Batcher<GitInput, GitStats> {
  constructor(parts: BatcherParts<GitInput>) {
    super(parts, {
      side: "git",
      defaults: { maxBatchSize: 10, maxBatchAge: 5 },
      serialIntake: true,
      collectWhileExecuting: true,
    });
  }

  /** Push operations delivered minus `git push` runs. */
  calculateNetworkSavings(): number {
    return this.getStats().networkSavings;
  }

  protected override side(state: JournalState): Side<GitStats> {
    return state.git;
  }
}
