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
  if (away === undefined) return undefined;
  const lift = away.locked
    ? "bring it back, or git worktree unlock and remove it"
    : "bring it back, or let git worktree prune forget it";
  return {
    reason: "worktree-unreachable",
    error: `the worktree ${away.path} of ${shortName(branch)} is not reachable; ${lift}`,
  };
}
