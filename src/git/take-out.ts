import { lstat, mkdir, rm, rmdir } from "node:fs/promises";
import { posix } from "node:path";
import { bytesOf, records, SUBMODULE, textOf } from "./entries.ts";
import type { EntryChange, PathKey } from "./entries.ts";
import { onDisk } from "./files.ts";
import { folderTouchedSince, madeSince, placeIn } from "./forward-traces.ts";
import type { Forward, Traces } from "./forward-traces.ts";
import { signatureOf } from "./index-swap.ts";
import type { GitRunner } from "./runner.ts";
import { endError } from "./runner.ts";

/** A file that git cannot bring back is passed over, so that it does not keep the others away. */
const MAX_REFUSED = 50;
const MAX_HUNG = 5;

/**
 * Takes what a killed fast-forward had written out of a working tree again and brings back what it took away; the index is
 * as it was. Only what was made or taken since it began is touched, and nothing is written over. Answers the files that
 * could not be brought back.
 */
export async function takeOut(git: GitRunner, forward: Forward, traces: Traces): Promise<readonly string[]> {
  const { worktree, since } = forward;
  const back: EntryChange[] = [];
  const stuck: PathKey[] = [];
  for (const { change, seen } of [...traces.whole, ...traces.begun]) {
    const place = placeIn(worktree, change.path);
    if (!(await madeSince(place, since))) continue;
    // Somebody may have written to it since it was read.
    if ((await signatureOf(place, lstat)) !== seen) continue;
    if (!(await isGone(place))) stuck.push(change.path);
    else if (change.before) back.push(change);
    else await removeFolders(worktree, posix.dirname(change.path), since);
  }
  // Git makes some folders a while before what goes into them.
  for (const { change } of traces.awaited) await removeFolders(worktree, posix.dirname(change.path), since);
  for (const { change } of [...traces.gone, ...traces.missing]) {
    if (!(await folderTouchedSince(worktree, change.path, since))) continue;
    // Of a submodule there is an empty folder.
    if (change.after) await removeFolders(worktree, change.path, since);
    back.push(change);
  }
  const isSubmodule = ({ before }: EntryChange): boolean => before?.mode === SUBMODULE;
  for (const { path } of back.filter(isSubmodule))
    await mkdir(placeIn(worktree, path), { recursive: true }).catch(() => undefined);
  const files = back.filter((change) => !isSubmodule(change)).map(({ path }) => path);
  return [...stuck.map(textOf), ...(await bringBack(git, worktree, files))];
}

/** Takes the file away; answers whether it could, for a folder may be read-only. */
async function isGone(place: Buffer): Promise<boolean> {
  try {
    await rm(place, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether anything is there that a fast-forward wrote, as far as that can be told. */
export async function hasBegun({ worktree, since }: Forward, traces: Traces): Promise<boolean> {
  for (const { change } of [...traces.whole, ...traces.begun])
    if (await madeSince(placeIn(worktree, change.path), since)) return true;
  return traces.complete;
}

/** Folders that were made for the files, once they are empty. */
async function removeFolders(worktree: string, folder: PathKey, since: number): Promise<void> {
  if (folder === "." || !(await madeSince(placeIn(worktree, folder), since))) return;
  try {
    await rmdir(placeIn(worktree, folder));
  } catch {
    // Something else is in it.
    return;
  }
  await removeFolders(worktree, posix.dirname(folder), since);
}

/** Checks the paths out of the index where nothing is. */
async function bringBack(
  git: GitRunner,
  worktree: string,
  paths: readonly PathKey[],
): Promise<readonly string[]> {
  let open = await wanted(git, worktree, paths);
  const refused: PathKey[] = [];
  for (let hung = 0; open.length > 0 && refused.length < MAX_REFUSED && hung < MAX_HUNG;) {
    // Without --force, which would take whole folders away.
    const args = ["checkout-index", "-u", "-z", "--stdin"];
    const input = Buffer.concat(open.flatMap((path) => [bytesOf(path), Buffer.from([0])]));
    const end = await git.run(worktree, args, { input });
    const error = end.exitCode === 0 ? undefined : endError(args, end);
    if (error?.reason === "locked") throw error;
    if (error?.reason === "timeout") hung += 1;
    // They are written in order, so that the first that is not there is the one that git ended at.
    const [first, ...others] = await absent(worktree, open);
    if (first !== undefined) refused.push(first);
    open = others;
  }
  return [...refused, ...open].map(textOf);
}

/** Without what a sparse checkout leaves out. */
async function wanted(
  git: GitRunner,
  worktree: string,
  paths: readonly PathKey[],
): Promise<readonly PathKey[]> {
  if (paths.length === 0) return [];
  const output = await git.must(worktree, ["--no-optional-locks", "ls-files", "--full-name", "-t", "-z"]);
  const asked = new Set(paths);
  // A letter and a blank come before the path; S for what is skipped: git-ls-files(1).
  for (const record of records(output)) {
    const line = record.toString("latin1");
    if (line.startsWith("S ")) asked.delete(line.slice(2));
  }
  return [...asked].sort();
}

async function absent(worktree: string, paths: readonly PathKey[]): Promise<readonly PathKey[]> {
  const parents = new Set<string>();
  const found: PathKey[] = [];
  for (const path of paths) {
    const { kind } = await onDisk(worktree, path, parents, (part) => placeIn(worktree, part));
    if (kind !== "file" && kind !== "link") found.push(path);
  }
  return found;
}
