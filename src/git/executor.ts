import type { Batch } from "../core/batch.ts";
import { FencedError, JournalError } from "../core/errors.ts";
import type { ExecutionContext, Executor, TurnEnd } from "../core/executor.ts";
import type { Settlement } from "../core/journal.ts";
import { runCommits } from "./commit-phase.ts";
import { failureOf } from "./git-error.ts";
import { runMerges } from "./merge-phase.ts";
import { removeLeftovers } from "./leftovers.ts";
import { cancelled, failed } from "./outcomes.ts";
import type { Success } from "./outcomes.ts";
import type { GitOperation } from "./payload.ts";
import { removeLeftLocks } from "./own-locks.ts";
import { planBatch } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { runPushes } from "./push-phase.ts";
import { repositoryGone } from "./repository.ts";
import { reconcile } from "./reconcile.ts";
import { Run } from "./run.ts";
import type { ExecutorDeps } from "./run.ts";
import { readState } from "./state.ts";
import { tidy } from "./tidy.ts";
import { exists } from "./worktree-state.ts";
import type { RepositoryState } from "./state.ts";

/** Does a git batch's work: commits, then merges, then pushes; every step written down before it is taken. */
export class GitExecutor implements Executor {
  readonly #deps: ExecutorDeps;
  #cleared = false;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  async run(batch: Batch, context: ExecutionContext): Promise<TurnEnd> {
    const run = await Run.begin(this.#deps, batch, context);
    try {
      await this.#work(run);
    } catch (error) {
      if (error instanceof FencedError) return { kind: "stopped" };
      // What happened but could not be written down is found out in the next turn.
      if (error instanceof JournalError) throw error;
      if (context.signal.aborted && context.signal.reason !== "cancel") return { kind: "stopped" };
      if (!context.signal.aborted) {
        context.log.error("A git batch ended early.", error);
        await run.fail(run.open(), failureOf(error));
      } else {
        await run.settle(run.open().map((item) => stopped(item, run.landed.get(item.operation.id))));
      }
    }
    if (run.operations.some(({ kind }) => kind !== "push")) await tidy(run);
    return { kind: "ended" };
  }

  async #work(run: Run): Promise<void> {
    if (!(await exists(run.commonDir))) {
      await run.fail(run.open(), repositoryGone(run.commonDir));
      return;
    }
    const undone = await reconcile(run);
    if (!this.#cleared) {
      this.#cleared = true;
      await removeLeftovers(this.#deps.clock.now());
    }
    if (run.open().length === 0) return;
    // One of an earlier turn would keep this one from making all commits together.
    await removeLeftLocks(run);
    const state = await readState(this.#deps, run.commonDir, run.open());
    const plan = this.#plan(run, state);
    for (const [id, failure] of plan.refused) await run.failById(id, failure);
    await runCommits(run, plan, state, undone);
    await runMerges(run, plan, state, undone);
    await runPushes(run, plan, state);
  }

  #plan({ operations, final }: Run, state: RepositoryState): Plan {
    return planBatch({ ...state, operations, final, settings: this.#deps.settings });
  }
}

/** A merge that is made already stays made. */
function stopped(item: GitOperation, landed: Success | undefined): Settlement {
  if (!landed) return cancelled(item);
  return failed(
    item,
    { reason: "cancelled", error: "merged, but not pushed: the batch was cancelled" },
    landed,
  );
}
