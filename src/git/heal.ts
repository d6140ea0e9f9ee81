import { constants } from "node:fs";
import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { indexEntries, parseRawDiff, indexInfo, same, textOf } from "./entries.ts";
import type { Entry, EntryChange } from "./entries.ts";
import { onDisk } from "./files.ts";
import type { OnDisk } from "./files.ts";
import { hashFiles, hashTexts } from "./hash.ts";
import type { Run } from "./run.ts";

interface Candidate {
  readonly change: EntryChange;
  readonly disk: OnDisk;
}

interface Begun {
  readonly change: EntryChange;
  readonly rest: Buffer;
}

/**
 * A killed fast-forward may have written some files already, which then look like changes in the way. Where the index
 * still has the old entry and the file is what the merge brings, the new entry is put into the index; a file that holds
 * only the beginning of it, for git was killed while writing it, is written to its end. So the merge can be repeated, and
 * nothing that anybody else may have written is lost. `since`: when it began.
 */
export async function healForward(
  run: Run,
  worktree: string,
  { old, new: next }: { readonly old: string; readonly new: string },
  since: number,
): Promise<void> {
  const { git } = run;
  const args = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", old, next, "--"];
  const changes = parseRawDiff(await git.must(worktree, args));
  const { entries } = await indexEntries(
    git,
    worktree,
    changes.map(({ path }) => path),
  );
  const parents = new Set<string>();
  const candidates = await Promise.all(
    changes
      .filter((change) => same(entries.get(change.path), change.before))
      .map(async (change) => ({ change, disk: await onDisk(worktree, textOf(change.path), parents) })),
  );
  const { whole, begun } = await written(run, worktree, candidates, since);
  const gone = candidates.filter(
    ({ change, disk }) => !change.after && (disk.kind === "absent" || disk.kind === "folder"),
  );
  // Files before the index: whoever is killed in between leaves what can be healed again.
  const ended: Begun[] = [];
  for (const item of begun) if (await writeToEnd(run, worktree, item)) ended.push(item);
  const updates = [...whole, ...ended, ...gone].map(({ change }) => [change.path, change.after] as const);
  if (updates.length === 0) return;
  const input = indexInfo(updates, old);
  await run.patiently(() => git.must(worktree, ["update-index", "-z", "--index-info"], { input }));
}

/** Answers whether it could: somebody may have taken the file away, or the disk may be full. */
async function writeToEnd(run: Run, worktree: string, { change, rest }: Begun): Promise<boolean> {
  const file = join(worktree, textOf(change.path));
  try {
    // Without creating it: one that is gone would come back as its end alone.
    await appendFile(file, rest, { flag: constants.O_WRONLY | constants.O_APPEND });
    return true;
  } catch (error) {
    run.context.log.warn(
      `${file}, which an interrupted merge had begun, could not be completed: ${String(error)}`,
    );
    return false;
  }
}

/** What the merge has written: to the end, and only begun, with what is missing. */
async function written(
  run: Run,
  worktree: string,
  candidates: readonly Candidate[],
  since: number,
): Promise<{ readonly whole: readonly Candidate[]; readonly begun: readonly Begun[] }> {
  const { git } = run;
  const files = candidates.filter(({ change, disk }) => disk.kind === "file" && isFile(change.after));
  const place = { commonDir: run.commonDir, cwd: worktree };
  const ids = await hashFiles(
    git,
    place,
    files.map(({ change }) => textOf(change.path)),
  );
  const links = candidates.flatMap(({ change, disk }) =>
    disk.kind === "link" && change.after?.mode === LINK ? [{ change, disk }] : [],
  );
  const texts = await hashTexts(
    git,
    place,
    links.map(({ disk }) => disk.text),
  );
  const whole = [
    ...files.filter((file, index) => file.change.after?.oid === ids[index] && hasMode(file)),
    ...links.filter(({ change }, index) => change.after?.oid === texts[index]),
  ];
  const begun: Begun[] = [];
  for (const [index, { change }] of files.entries()) {
    // What is as it was may well be how the new content begins.
    if (ids[index] === change.after?.oid || ids[index] === change.before?.oid) continue;
    const rest = await restOf(run, worktree, change, since);
    if (rest) begun.push({ change, rest });
  }
  return { whole, begun };
}

const LINK = "120000";
const isFile = (entry: Entry | undefined): boolean => entry?.mode.startsWith("100") === true;

/** Where only the mode changes, the content does not tell whether git was there already. */
const hasMode = ({ change: { before, after }, disk }: Candidate): boolean =>
  before?.oid !== after?.oid || (disk.kind === "file" && disk.executable === (after?.mode === "100755"));

/** What is missing at the end of a file that holds only the beginning. */
async function restOf(
  { git }: Run,
  worktree: string,
  { path, after }: EntryChange,
  since: number,
): Promise<Buffer | undefined> {
  const name = textOf(path);
  // Git makes each file anew. One that is older is somebody's own, who may have taken its end away.
  const made = await stat(join(worktree, name)).catch(() => undefined);
  if (!after || made === undefined || made.birthtimeMs < since) return undefined;
  // As it would be checked out, line endings and filters applied.
  const all = await git.must(worktree, ["cat-file", "--filters", `--path=${name}`, after.oid]);
  const there = await readFile(join(worktree, name)).catch(() => all);
  const begins = there.length < all.length && all.subarray(0, there.length).equals(there);
  return begins ? all.subarray(there.length) : undefined;
}
