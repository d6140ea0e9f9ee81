import { indexEntries, indexInfo, same } from "./entries.ts";
import type { Entry, PathKey } from "./entries.ts";
import { failureOf } from "./git-error.ts";
import type { Run } from "./run.ts";
import type { GitRunner } from "./runner.ts";

/** What the index shall hold at a path after a commit, and what it may hold before. */
export interface IndexUpdate {
  readonly next: Entry | undefined;
  /** Entries that are ours to replace: what was there when the commit was queued, what the branch had. */
  readonly replaceable: readonly (Entry | undefined)[];
}

/**
 * Brings the committed paths of a worktree's index up to the commit. A path where somebody has staged something since
 * is left as it is; so is every other path. Repeating it changes nothing.
 */
async function syncIndex(
  git: GitRunner,
  worktree: string,
  updates: ReadonlyMap<PathKey, IndexUpdate>,
): Promise<void> {
  const { entries, unmerged } = await indexEntries(git, worktree, updates.keys());
  const changed: (readonly [PathKey, Entry | undefined])[] = [];
  for (const [path, { next, replaceable }] of updates) {
    const now = entries.get(path);
    if (unmerged.has(path) || same(now, next)) continue;
    if (replaceable.some((entry) => same(entry, now))) changed.push([path, next]);
  }
  if (changed.length === 0) return;
  // A path that goes had an entry.
  const [like] = [...entries.values()].map(({ oid }) => oid);
  await git.must(worktree, ["update-index", "-z", "--index-info"], { input: indexInfo(changed, like) });
}

/** As `syncIndex`, waiting for locks. Answers what went wrong, which is only a warning: the commit stands. */
export async function followIndex(
  run: Run,
  worktree: string,
  updates: ReadonlyMap<PathKey, IndexUpdate>,
): Promise<string | undefined> {
  try {
    await run.patiently(() => syncIndex(run.git, worktree, updates));
    return undefined;
  } catch (error) {
    const warning = `the index of ${worktree} could not be brought up to date: ${failureOf(error).error}`;
    run.context.log.warn(warning);
    return warning;
  }
}
