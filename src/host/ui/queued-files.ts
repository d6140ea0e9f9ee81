import * as v from "valibot";
import type { Snapshot } from "../../core/snapshot.ts";

/** What the git room tells of a queued commit. */
const commitDetail = v.object({ worktree: v.string(), files: v.array(v.string()) });

const landing = v.object({
  worktree: v.string(),
  branch: v.optional(v.string()),
  target: v.optional(v.string()),
});

/** Short names of the branches that commits and merges queued from these worktrees go onto, as far as the snapshot lists them. */
export function queuedBranches(
  { git }: Pick<Snapshot, "git">,
  worktrees: readonly string[],
): ReadonlySet<string> {
  const branches = git.queued.flatMap(({ kind, detail }) => {
    const read = v.safeParse(landing, detail);
    if (!read.success || !worktrees.includes(read.output.worktree)) return [];
    return (kind === "commit" ? read.output.branch : kind === "merge" ? read.output.target : undefined) ?? [];
  });
  return new Set(branches);
}

/** Paths, relative with `/`, in the commits queued from a worktree, as far as the snapshot lists them. */
export function queuedFiles({ git }: Pick<Snapshot, "git">, worktree: string): ReadonlySet<string> {
  const commits = git.queued.flatMap(({ kind, detail }) => {
    const read = v.safeParse(commitDetail, detail);
    return kind === "commit" && read.success && read.output.worktree === worktree ? read.output.files : [];
  });
  return new Set(commits);
}
