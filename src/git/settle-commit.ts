import type { Effect } from "../core/effect.ts";
import { afterCommit } from "./commit-outcome.ts";
import type { CommitPlan } from "./commit-outcome.ts";
import { madeFor } from "./commit-reflog.ts";
import type { MadeCommit } from "./commit-reflog.ts";
import { parseRawDiff } from "./entries.ts";
import type { EntryChange } from "./entries.ts";
import { GitError } from "./git-error.ts";
import type { Failure } from "./git-error.ts";
import { followIndex } from "./index-sync.ts";
import { failed, refChange, succeeded, warned } from "./outcomes.ts";
import { locksOfRefs, removeOwnLocks } from "./own-locks.ts";
import type { CommitOperation } from "./payload.ts";
import { isZero, moveRefs, readRefs, shortName } from "./refs.ts";
import { listWorktrees } from "./repository.ts";
import type { Worktree } from "./repository.ts";
import type { Run } from "./run.ts";
import { noteUndo } from "./undo-notes.ts";

/**
 * Finds out what became of a `git commit`: the reflog says which commit was made for the operation, if one was. One that
 * was not, by a process that nobody knows of, may still come, so the run remembers it. Answers whether there was one, be
 * it kept or taken back.
 */
export async function settleCommit(
  run: Run,
  effect: Pick<Effect, "n" | "process" | "at">,
  plan: CommitPlan,
  undoKnown: Set<string>,
): Promise<boolean> {
  const { n } = effect;
  const item = run.item(plan.id);
  const worktree = (await worktreesOf(run)).find(({ path }) => path === plan.worktree);
  const gitDirs = worktree?.gitDir === undefined ? [] : [worktree.gitDir];
  await removeOwnLocks(run, effect, await locksOfRefs(run, [plan.ref], gitDirs));
  const cwd = worktree && !worktree.prunable ? worktree.path : run.commonDir;
  const old = isZero(plan.old) ? undefined : plan.old;
  const sought = { branch: plan.ref, tip: old, succeeded: false };
  const operation = item?.kind === "commit" && run.isOpen(item) ? item : undefined;
  const made = operation && (await madeFor(run, cwd, { ...sought, operation }));
  if (!made || !(await holds(run, plan.ref, made.oid))) {
    await run.outcome({ effect: { n, state: "abandoned" } });
    return false;
  }
  if (made.parent !== old) {
    await takeBack(run, n, operation, cwd, plan.ref, made);
    return true;
  }
  const unnoted = await noteUndo(run, plan.ref, old, made.oid, undoKnown, n);
  const { detail } = afterCommit(operation, made.changes);
  const { updates } = afterCommit(operation, await changesTo(run, cwd, made, made.ownTop));
  const behind = worktree?.branch === plan.ref ? await followIndex(run, worktree.path, updates) : undefined;
  const success = {
    commit: made.oid,
    refs: [refChange(plan.ref, old, made.oid)],
    detail: { engine: "porcelain", recovered: true, ...warned(unnoted, behind), ...detail },
  };
  await run.outcome({
    effect: { n, state: "done", result: { commit: made.oid } },
    settled: [succeeded(operation, success)],
  });
  return true;
}

/** What the commit changed, and what came on top of it until `top`. */
export async function changesTo(
  run: Run,
  cwd: string,
  { oid, parent, changes }: MadeCommit,
  top: string,
): Promise<readonly EntryChange[]> {
  if (top === oid) return changes;
  const args = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff"];
  const before =
    parent ??
    (await run.git.must(cwd, ["hash-object", "-t", "tree", "--stdin"], { input: Buffer.alloc(0) }))
      .toString("latin1")
      .trim();
  return parseRawDiff(await run.git.must(cwd, [...args, before, top, "--"]));
}

/**
 * Removes a commit that was made on something else than it was made from, so that it undoes what came in. Where something
 * stands on it, or git refuses, it stays, and its operation fails and names it.
 */
export async function takeBack(
  run: Run,
  n: number,
  operation: CommitOperation,
  cwd: string,
  branch: string,
  { oid, parent, top }: MadeCommit,
): Promise<void> {
  const back = parent === undefined ? { ref: branch, old: oid } : { ref: branch, old: oid, next: parent };
  const name = shortName(branch);
  let error = `${name} moved while git commit ran: ${oid} undoes what came in, but something was committed on top of it; look at it`;
  if (top === oid) {
    try {
      await run.patiently(() => moveRefs(run.git, cwd, [back], "batch-control: took back"));
      await run.outcome({ effect: { n, state: "abandoned" } });
      return;
    } catch (refusal) {
      if (!(refusal instanceof GitError) || run.signal.aborted) throw refusal;
      error = `${name} moved while git commit ran: ${oid} undoes what came in and could not be taken back: ${refusal.message}`;
    }
  }
  const failure: Failure = { reason: "moved", error };
  await run.outcome({
    effect: { n, state: "failed", result: failure },
    settled: [failed(operation, failure)],
  });
}

export const worktreesOf = ({ git, commonDir, operations }: Run): Promise<readonly Worktree[]> =>
  listWorktrees(
    git,
    commonDir,
    operations.map(({ worktree }) => worktree),
  );

/** A ref is ours if it has our value or one that was made on top of it. */
export async function holds(run: Run, ref: string, oid: string): Promise<boolean> {
  const now = (await readRefs(run.git, run.commonDir, ref)).get(ref);
  if (now === undefined || now === oid) return now === oid;
  return (await run.git.run(run.commonDir, ["merge-base", "--is-ancestor", oid, now])).exitCode === 0;
}
