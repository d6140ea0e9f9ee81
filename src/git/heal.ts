import { constants } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { indexInfo, textOf } from "./entries.ts";
import { placeIn, tracesOf } from "./forward-traces.ts";
import type { Begun, Forward } from "./forward-traces.ts";
import type { Run } from "./run.ts";
import type { GitRunner } from "./runner.ts";

/**
 * A killed fast-forward may have written some files already, which then look like changes in the way. Where the index
 * still has the old entry and the file is what the merge brings, the new entry is put into the index; a file that holds
 * only the beginning of it, for git was killed while writing it, is written to its end. So the merge can be repeated, and
 * nothing that anybody else may have written is lost.
 */
export async function healForward(run: Run, git: GitRunner, forward: Forward): Promise<void> {
  const { worktree } = forward;
  const { whole, begun, gone } = await tracesOf(git, forward);
  // Files before the index: whoever is killed in between leaves what can be healed again.
  const ended: Begun[] = [];
  for (const item of begun) if (await writeToEnd(run, worktree, item)) ended.push(item);
  const updates = [...whole, ...ended, ...gone].map(({ change }) => [change.path, change.after] as const);
  if (updates.length === 0) return;
  const input = indexInfo(updates, forward.old);
  await run.patiently(() => git.must(worktree, ["update-index", "-z", "--index-info"], { input }));
}

/** Answers whether it could: somebody may have taken the file away, or the disk may be full. */
async function writeToEnd(run: Run, worktree: string, { change, rest }: Begun): Promise<boolean> {
  const file = placeIn(worktree, change.path);
  try {
    // Without creating it: one that is gone would come back as its end alone.
    await appendFile(file, rest, { flag: constants.O_WRONLY | constants.O_APPEND });
    return true;
  } catch (error) {
    run.context.log.warn(
      `${join(worktree, textOf(change.path))}, which an interrupted merge had begun, could not be completed: ${String(error)}`,
    );
    return false;
  }
}
