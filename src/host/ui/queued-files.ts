import * as v from "valibot";
import type { Snapshot } from "../../core/snapshot.ts";

/** What the git room tells of a queued commit. */
const commitDetail = v.object({ worktree: v.string(), files: v.array(v.string()) });

/** Paths, relative with `/`, in the commits queued from a worktree, as far as the snapshot lists them. */
export function queuedFiles({ git }: Pick<Snapshot, "git">, worktree: string): ReadonlySet<string> {
  const commits = git.queued.flatMap(({ kind, detail }) => {
    const read = v.safeParse(commitDetail, detail);
    return kind === "commit" && read.success && read.output.worktree === worktree ? read.output.files : [];
  });
  return new Set(commits);
}
