import type { Effect } from "../core/effect.ts";
import { shown } from "./files.ts";
import { tracesOf } from "./forward-traces.ts";
import type { Forward } from "./forward-traces.ts";
import { failureOf, GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { healForward } from "./heal.ts";
import { kept, withItem } from "./kept.ts";
import { waitForLock } from "./locks.ts";
import type { ForwardPlan } from "./forward.ts";
import { failed, warned } from "./outcomes.ts";
import { locksOfRefs, removeOwnLocks } from "./own-locks.ts";
import type { GitOperation } from "./payload.ts";
import { moveRefs } from "./refs.ts";
import type { Run } from "./run.ts";
import { RunnerWith } from "./runner-with.ts";
import { holds, worktreesOf } from "./settle-commit.ts";
import { hasBegun, takeOut } from "./take-out.ts";
import { noteUndoMoves } from "./undo-notes.ts";
import { mergedMove, undoMerged, undoMoves } from "./undo-refs.ts";

/** For each process that takes something back: a filter that hangs is what may have been cancelled. */
const MEND_MS = 10_000;
/** A monitor of file changes may hang as well, and is of no use here. */
const withoutMonitor = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
};

/**
 * Finds out what became of a fast-forward whose git was killed or lost. What it had begun is mended: written down as far as
 * it came, so that it can be repeated, or, where the batch is cancelled or this window goes, taken back.
 */
export async function settleForward(
  run: Run,
  effect: Effect,
  plan: ForwardPlan,
  undoKnown: Set<string>,
): Promise<void> {
  const [move] = plan.moves;
  if (!move) return;
  const { n } = effect;
  const worktree = (await worktreesOf(run)).find(({ path }) => path === plan.worktree);
  const gitDirs = worktree?.gitDir === undefined ? [] : [worktree.gitDir];
  await removeOwnLocks(run, effect, await locksOfRefs(run, [move.ref], gitDirs));
  // One that could not be noted may still be at it; it keeps the index locked while it writes files.
  const locked = worktree?.gitDir === undefined ? undefined : await lockOf(run, worktree.gitDir);
  const items = plan.operations.flatMap((entry) => withItem(run, entry));
  if (!(await holds(run, move.ref, move.new))) {
    const merges = items.map(({ item }) => item);
    // The merge is held from before its first file is written; one that is gone had not begun. Where somebody has another
    // branch checked out by now, its files are not what was begun.
    const begun = worktree?.branch === move.ref && (await isThere(run, move.new));
    const { commonDir } = run;
    const forward = { commonDir, worktree: plan.worktree, old: move.old, new: move.new, since: effect.at };
    if (begun && !locked && !run.signal.aborted) await mend(run, forward, merges);
    if (begun && run.signal.aborted) {
      const problem = await takeBack(run, forward, move.ref, locked);
      if (problem) run.context.log.warn(problem.error);
      // A step that stays open is one that the next window looks into.
      if (problem && run.signal.reason !== "cancel") return;
      if (problem) await run.settle(merges.map((item) => failed(item, problem)));
    }
  }
  if (!(await holds(run, move.ref, move.new))) {
    await run.outcome({ effect: { n, state: "abandoned" } });
    return;
  }
  const undo = undoMoves(run.batch.id, [{ ref: move.ref, old: move.old, next: move.new }], undoKnown);
  const merged = mergedMove(run.batch.id, move, undoKnown);
  const unnoted = await noteUndoMoves(run, [...undo, ...merged], n);
  if (unnoted === undefined) undoKnown.add(move.ref).add(undoMerged(run.batch.id, move.ref));
  await run.outcome({
    effect: { n, state: "done" },
    settled: items.flatMap(({ item, entry }) => kept(run, item, entry, warned(unnoted))),
  });
}

/** Writes down how far it came. One that is cancelled meanwhile is taken back instead. */
async function mend(run: Run, forward: Forward, merges: readonly GitOperation[]): Promise<void> {
  const { signal } = run;
  const timeoutMs = run.deps.settings(forward.worktree).commitTimeout * 1000;
  const git = new RunnerWith(run.git, { signal, timeoutMs, env: withoutMonitor });
  try {
    await run.isolate(merges, () => healForward(run, git, forward));
  } catch (error) {
    if (!(error instanceof GitError) || signal.reason === "fenced") throw error;
  }
}

/**
 * One whose files and index are all written lacks only its branch, and that moves; else its files go again, unless somebody
 * keeps the index locked. Answers what could not be brought back.
 */
async function takeBack(
  run: Run,
  forward: Forward,
  ref: string,
  locked: GitError | undefined,
): Promise<Failure | undefined> {
  const git = new RunnerWith(run.git, { timeoutMs: MEND_MS, env: withoutMonitor });
  try {
    const traces = await tracesOf(git, forward);
    if (locked && !(await hasBegun(forward, traces))) return undefined;
    if (locked) throw locked;
    if (traces.complete) {
      const move = { ref, old: forward.old, next: forward.new };
      await run.patiently(() => moveRefs(git, run.commonDir, [move], `batch-control: ${run.batch.id}`));
      return undefined;
    }
    const left = await run.patiently(() => takeOut(git, forward, traces));
    return left.length > 0 ? halfWay(forward.worktree, left) : undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return {
      reason: "cancelled",
      error: `cancelled while files were brought into ${forward.worktree}, which may be left half way: ${failureOf(error).error}`,
    };
  }
}

function halfWay(worktree: string, files: readonly string[]): Failure {
  const names = files.slice(0, 5).map(shown).join(", ");
  return {
    reason: "cancelled",
    error: `cancelled while files were brought into ${worktree}; these could not be put back: ${names}`,
    detail: { files, worktree },
  };
}

/** `undefined` where the index is unlocked, or comes to be while it is waited for. */
async function lockOf(run: Run, gitDir: string): Promise<GitError | undefined> {
  try {
    await waitForLock(run, gitDir);
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return error;
  }
}

async function isThere(run: Run, commit: string): Promise<boolean> {
  return (await run.git.run(run.commonDir, ["cat-file", "-e", `${commit}^{commit}`])).exitCode === 0;
}
