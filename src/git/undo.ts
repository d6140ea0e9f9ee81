import { unreachable } from "./branch-gone.ts";
import { heldBy } from "./branch-names.ts";
import { indexInfo, indexEntries, parseRawDiff, same } from "./entries.ts";
import { failureOf } from "./git-error.ts";
import { dirtyFailure, filesInTheWay } from "./in-the-way.ts";
import { moveRefs, readRefs, shortName } from "./refs.ts";
import { listWorktrees } from "./repository.ts";
import type { Worktree } from "./repository.ts";
import type { GitRunner } from "./runner.ts";
import { undoMerged, undoneBranches, undoNew, undoOld, undoPrefix } from "./undo-refs.ts";

export interface UndoReport {
  readonly restored: readonly string[];
  readonly left: readonly { readonly ref: string; readonly reason: string }[];
}

/**
 * Puts back every branch that a batch moved, where it is still as the batch left it and nothing of it was pushed. Files
 * of a working tree stay as they are after a commit; what a merge brought into a working tree is taken out again, unless
 * local changes are in the way. Call it while no batch of the repository runs. One that is cut off is finished by the next.
 */
export async function undoBatch(git: GitRunner, commonDir: string, batch: string): Promise<UndoReport> {
  const refs = await readRefs(git, commonDir, "refs/heads", undoPrefix(batch));
  const worktrees = await listWorktrees(git, commonDir);
  const restored: string[] = [];
  const left: { ref: string; reason: string }[] = [];
  for (const ref of undoneBranches(batch, refs.keys())) {
    const reason = await undoOne(git, commonDir, batch, ref, refs, worktrees);
    if (reason === undefined) restored.push(ref);
    else left.push({ ref, reason });
  }
  return { restored, left };
}

/** Answers why the branch was left alone. */
async function undoOne(
  git: GitRunner,
  commonDir: string,
  batch: string,
  ref: string,
  refs: ReadonlyMap<string, string>,
  worktrees: readonly Worktree[],
): Promise<string | undefined> {
  const now = refs.get(ref);
  const last = refs.get(undoNew(batch, ref));
  const first = refs.get(undoOld(batch, ref));
  const merged = refs.get(undoMerged(batch, ref));
  if (last === undefined) return "nothing is recorded for it";
  const places = worktrees.filter(({ branch, prunable }) => branch === ref && !prunable);
  const [worktree] = places;
  // Where an earlier undo was cut off after it had moved the branch, only its index is left to do.
  if (now !== first) {
    if (now !== last) return now === undefined ? "it is gone" : "it has moved since";
    const pushed = await pushedTo(git, commonDir, last, first);
    if (pushed !== undefined) return `it was pushed (${pushed})`;
    if (first !== undefined && (await othersMoved(git, commonDir, ref, first)))
      return "something else came in between what the batch did";
    if (places.length > 1) return "it is checked out in several worktrees";
    const held = heldBy(ref, worktrees) ?? unreachable(ref, worktrees)?.error;
    if (held !== undefined) return held;
    const back = first === undefined ? { ref, old: last } : { ref, old: last, next: first };
    const move = (): Promise<void> => moveRefs(git, commonDir, [back], `batch-control: undo ${batch}`);
    const problem = await (worktree && merged !== undefined
      ? withTree(git, worktree.path, { last, merged }, move)
      : whyNot(move));
    if (problem !== undefined) return problem;
  }
  if (worktree && !worktree.busy && first !== undefined)
    await unstage(git, worktree.path, merged ?? last, first);
  // Only now: whoever comes after a crash still finds what there was to do.
  const names = [undoNew(batch, ref), undoOld(batch, ref), undoMerged(batch, ref)];
  const forget = names.filter((name) => refs.has(name)).map((name) => ({ ref: name }));
  await moveRefs(git, commonDir, forget, `batch-control: undo ${batch}`);
  return undefined;
}

/** Takes what was merged out of the working tree, then moves the branch; where that fails, brings the files in again. */
async function withTree(
  git: GitRunner,
  worktree: string,
  { last, merged }: { readonly last: string; readonly merged: string },
  move: () => Promise<void>,
): Promise<string | undefined> {
  const turn = (from: string, to: string): Promise<unknown> =>
    git.must(worktree, ["read-tree", "-m", "-u", from, to]);
  let inTheWay: readonly string[] = [];
  const blocked = await whyNot(async () => {
    // git would write over what is ignored, and over folders of that.
    inTheWay = await filesInTheWay(git, worktree, last, merged, true);
    if (inTheWay.length === 0) await turn(last, merged);
  });
  if (inTheWay.length > 0) return dirtyFailure(worktree, inTheWay).error;
  if (blocked !== undefined) return `changes in ${worktree} are in the way: ${blocked}`;
  const problem = await whyNot(move);
  const stuck = problem === undefined ? undefined : await whyNot(() => turn(merged, last));
  return stuck === undefined
    ? problem
    : `${problem}; and the files in ${worktree} are still taken out: ${stuck}`;
}

async function whyNot(task: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await task();
    return undefined;
  } catch (error) {
    return failureOf(error).error;
  }
}

/** The first remote branch that has something of what the batch made here; merged sources may well be there already. */
async function pushedTo(
  git: GitRunner,
  cwd: string,
  last: string,
  first: string | undefined,
): Promise<string | undefined> {
  const range = first === undefined ? [last] : [last, `^${first}`];
  const commits = (await git.must(cwd, ["rev-list", "--first-parent", ...range, "--"]))
    .toString("latin1")
    .split("\n")
    .filter((oid) => oid !== "");
  const oldest = commits.at(-1);
  if (oldest === undefined) return undefined;
  const args = [
    "for-each-ref",
    "--format=%(refname)",
    "--contains",
    oldest,
    "refs/remotes",
    "refs/batch-control/pushed",
  ];
  const found = (await git.must(cwd, args))
    .toString("utf8")
    .split("\n")
    .filter((ref) => ref !== "");
  const [name] = found;
  return name === undefined ? undefined : shortName(name);
}

/** Whether the branch was moved by anybody else since it was at `first`; a reflog that does not go back so far tells nothing. */
async function othersMoved(git: GitRunner, cwd: string, ref: string, first: string): Promise<boolean> {
  const end = await git.run(cwd, ["log", "-g", "--no-show-signature", "--format=%H %gs", ref, "--"]);
  const lines = end.stdout.toString("utf8").split("\n");
  const begin = lines.findIndex((line) => line.startsWith(first));
  // What its hooks commit has the batch's mark as well, unless they take it off.
  return lines.slice(0, Math.max(begin, 0)).some((line) => !/^[0-9a-f]+ batch-control:/.test(line));
}

/** The index of the paths goes back with the branch where nobody has staged anything else since. */
async function unstage(git: GitRunner, worktree: string, from: string, to: string): Promise<void> {
  if (from === to) return;
  const args = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to, "--"];
  const changes = parseRawDiff(await git.must(worktree, args));
  const { entries } = await indexEntries(
    git,
    worktree,
    changes.map(({ path }) => path),
  );
  const ours = changes.filter(({ path, before }) => same(entries.get(path), before));
  if (ours.length === 0) return;
  const input = indexInfo(
    ours.map(({ path, after }) => [path, after] as const),
    from,
  );
  await git.must(worktree, ["update-index", "-z", "--index-info"], { input });
}
