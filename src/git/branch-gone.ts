import type { Failure } from "./git-error.ts";
import type { CommitPayload } from "./payload.ts";
import { shortName } from "./refs.ts";
import type { Worktree } from "./repository.ts";

export const branchGone = (ref: string): Failure => ({
  reason: "unknown-branch",
  error: `there is no branch ${shortName(ref)} any more`,
});

/** It may be a branch's first commit. Of what was queued by an older version it is known only that the branch had none of its files. */
export const mayBegin = ({ unborn, changes }: CommitPayload): boolean =>
  unborn ?? changes.every(({ base }) => base === null);

/** Why this cannot be committed where the branch does not exist: it did once, or nothing is about to begin it any more. */
export function unbornFailure(commit: CommitPayload, worktrees: readonly Worktree[]): Failure | undefined {
  const { branch, unborn, worktree } = commit;
  if (!mayBegin(commit)) return branchGone(branch);
  if (worktrees.some((candidate) => candidate.branch === branch)) return undefined;
  if (unborn !== true) return branchGone(branch);
  return {
    reason: "unknown-branch",
    error: `${shortName(branch)} has no commits yet, and ${worktree} does not have it checked out any more`,
  };
}

/** Why a branch may not move now, if so: a worktree whose index would have to follow is away. */
export function unreachable(branch: string, worktrees: readonly Worktree[]): Failure | undefined {
  const away = worktrees.find((worktree) => worktree.branch === branch && worktree.prunable);
  return away && { reason: "worktree-unreachable", error: whereabouts(away, shortName(branch)) };
}

function whereabouts({ path, main, locked }: Worktree, branch: string): string {
  if (main) return `git does not tell where the worktree of ${path} is that has ${branch} checked out`;
  const lift = locked
    ? "bring it back, or run git worktree unlock and git worktree remove"
    : "bring it back, or run git worktree prune";
  return `the worktree ${path} of ${branch} is not reachable; ${lift}`;
}
