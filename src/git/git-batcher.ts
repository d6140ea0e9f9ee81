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

  /**
   * Commits on what is checked out, of which the acceptor builds each on the one before. One with a key might turn out to be
   * another one's double, and a branch by name could be meant in two worktrees: these wait for their turn.
   */
  protected override preparesBeside(input: GitInput): boolean {
    return (
      typeof input === "object" &&
      (input.kind === "commit" || (input.kind === undefined && "message" in input && !("source" in input))) &&
      input.idempotencyKey === undefined &&
      !("branch" in input && input.branch !== undefined)
    );
  }

  protected override side(state: JournalState): Side<GitStats> {
    return state.git;
  }
}
