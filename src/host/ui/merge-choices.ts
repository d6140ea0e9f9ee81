import type { WorktreeChoice } from "../parts.ts";

/** One worktree of each repository, its main one where that is there. */
export function repositoriesOf(worktrees: readonly WorktreeChoice[]): readonly WorktreeChoice[] {
  return [...Map.groupBy(worktrees, ({ main }) => main).values()].flatMap(
    (own) => own.find(({ path, main }) => path === main) ?? own.slice(0, 1),
  );
}

/** Branches in the order in which they are likely to be merged: that of a worktree pointed at, of other worktrees, the rest. */
export function likelySources(
  branches: readonly string[],
  worktrees: readonly WorktreeChoice[],
  at: string,
): readonly string[] {
  const here = worktrees.find(({ path }) => path === at);
  const own = worktrees.filter(({ main }) => main === here?.main);
  const trunk = own.find(({ path, main }) => path === main)?.branch;
  const checkedOut = new Set(own.map(({ branch }) => branch));
  return sortedBy(branches, (branch) => {
    if (branch === trunk) return 3;
    if (branch === here?.branch) return 0;
    return checkedOut.has(branch) ? 1 : 2;
  });
}

/** Branches in the order in which they are likely to be merged into: what the main worktree has checked out comes first. */
export function likelyTargets(
  branches: readonly string[],
  worktrees: readonly WorktreeChoice[],
  at: string,
): readonly string[] {
  const main = worktrees.find(({ path }) => path === at)?.main;
  const trunk = worktrees.find(({ path }) => path === main)?.branch;
  return sortedBy(branches, (branch) => (branch === trunk ? 0 : 1));
}

const sortedBy = (names: readonly string[], rank: (name: string) => number): readonly string[] =>
  names.toSorted((one, other) => rank(one) - rank(other));
