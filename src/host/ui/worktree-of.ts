import type { Subject } from "../commands/caller.ts";
import type { WorktreeChoice } from "../parts.ts";

/** The worktree that a person's choice in a menu lies in: the innermost, for worktrees may lie within others. */
export function worktreeOf(
  subject: Subject,
  worktrees: readonly WorktreeChoice[],
): WorktreeChoice | undefined {
  const path =
    subject.kind === "repository" ? subject.root : subject.kind === "files" ? subject.files[0] : undefined;
  if (path === undefined) return undefined;
  return worktrees
    .filter((worktree) => path === worktree.path || path.startsWith(`${worktree.path}/`))
    .reduce<WorktreeChoice | undefined>(
      (best, next) => (best && best.path.length >= next.path.length ? best : next),
      undefined,
    );
}
