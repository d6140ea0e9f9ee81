import type { RefsPlan } from "./commit-phase.ts";
import { failureOf } from "./git-error.ts";
import type { Failure, GitError } from "./git-error.ts";
import { dirtyFailure } from "./in-the-way.ts";
import type { Run } from "./run.ts";
import { endError } from "./runner.ts";

/** The plan of an `ff` effect: a checked-out branch brought forward in its worktree. */
export interface ForwardPlan extends RefsPlan {
  readonly worktree: string;
}

const GRACE_MS = 1000;

/**
 * Brings a worktree's branch, index and files forward to a commit that is made already; refused by git before anything moves
 * where local changes are in the way. After a cancel it is given a moment, for half of the files have to be taken back.
 */
export async function forward(run: Run, worktree: string, oid: string, n: number): Promise<void> {
  // An abort that has been is not told again, and a filter that hangs would never be ended.
  run.stopHere();
  const args = [
    // Merge hooks are not used: the merge was made elsewhere, this only brings the working tree forward.
    ...[
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "gc.auto=0",
      "-c",
      "maintenance.auto=false",
      "-c",
      "core.logAllRefUpdates=true",
    ],
    ...["merge", "--ff-only", "--no-overwrite-ignore", "--no-autostash", "--no-stat", "-q", oid],
  ];
  const env = { GIT_REFLOG_ACTION: `batch-control:${run.batch.id}` };
  const stop = new AbortController();
  let forget = (): void => undefined;
  const onAbort = (): void => {
    forget = run.deps.clock.after(GRACE_MS, () => stop.abort(run.signal.reason));
  };
  run.signal.addEventListener("abort", onAbort, { once: true });
  try {
    const end = await run.git.run(worktree, args, { env, signal: stop.signal, onStart: run.onStart(n) });
    if (end.exitCode !== 0) throw endError(args, end);
  } finally {
    run.signal.removeEventListener("abort", onAbort);
    forget();
  }
}

/** Git lists the files in the way one per line behind a tab. */
export function forwardFailure(error: GitError, worktree: string): Failure {
  const files = [...error.stderr.matchAll(/^\t(.+)$/gm)].flatMap(([, file]) => file ?? []);
  if (files.length === 0 || !/would be overwritten|would be removed|untracked/.test(error.stderr))
    return failureOf(error);
  return dirtyFailure(worktree, files);
}
