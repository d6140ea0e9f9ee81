import { lstat, readFile, stat } from "node:fs/promises";
import type { PathLike, Stats } from "node:fs";
import { posix } from "node:path";
import { bytesOf, indexEntries, parseRawDiff, same, SUBMODULE, textOf } from "./entries.ts";
import type { Entry, EntryChange, PathKey } from "./entries.ts";
import { onDisk } from "./files.ts";
import type { OnDisk } from "./files.ts";
import { hashFiles, hashTexts } from "./hash.ts";
import { GitError } from "./git-error.ts";
import { signatureOf } from "./index-swap.ts";
import type { Signature } from "./index-swap.ts";
import type { GitRunner } from "./runner.ts";

/** A path that a fast-forward is to change, and whose index entry it has not changed yet. */
interface Trace {
  readonly change: EntryChange;
  readonly disk: OnDisk;
  /** Taken before it was read. */
  readonly seen: Signature;
}

/** A file that holds only the beginning of what was to be written. */
export interface Begun extends Trace {
  readonly rest: Buffer;
}

interface Link extends Trace {
  readonly text: Buffer;
}

/** What a fast-forward that was killed had done to a working tree. */
export interface Traces {
  /** Files and links that are as they were to be. */
  readonly whole: readonly Trace[];
  readonly begun: readonly Begun[];
  /** What was to go, or to become a submodule, and is not there. */
  readonly gone: readonly Trace[];
  /** What was to change and is not there: git takes a file away before it writes the new one. */
  readonly missing: readonly Trace[];
  /** What was to come and is not there. */
  readonly awaited: readonly Trace[];
  /** The index has all of the changes, for it is written last. */
  readonly complete: boolean;
}

export interface Forward {
  readonly commonDir: string;
  readonly worktree: string;
  readonly old: string;
  readonly new: string;
  /** When it began. */
  readonly since: number;
}

const MAX_LOOKS = 3;

/** Paths are bytes, and not all of them are UTF-8. */
export const placeIn = (worktree: string, path: PathKey): Buffer =>
  Buffer.concat([Buffer.from(`${worktree}/`), bytesOf(path)]);

/** Finds out what a killed fast-forward left. Reads only, but for objects. */
export async function tracesOf(git: GitRunner, forward: Forward): Promise<Traces> {
  for (let look = 1; ; look += 1) {
    try {
      return await lookFor(git, forward);
    } catch (error) {
      // Git reads none of the files if somebody takes one of them away just then.
      if (!(error instanceof GitError) || error.reason !== "git-failed" || look === MAX_LOOKS) throw error;
    }
  }
}

async function lookFor(git: GitRunner, forward: Forward): Promise<Traces> {
  const { worktree } = forward;
  const args = [
    "diff-tree",
    "-r",
    "--raw",
    "-z",
    "--no-renames",
    "--no-abbrev",
    forward.old,
    forward.new,
    "--",
  ];
  const changes = parseRawDiff(await git.must(worktree, args));
  const { entries } = await indexEntries(
    git,
    worktree,
    changes.map(({ path }) => path),
  );
  const parents = new Set<string>();
  const traces = await Promise.all(
    changes
      .filter((change) => same(entries.get(change.path), change.before))
      .map(async (change) => {
        const place = (part: PathKey): Buffer => placeIn(worktree, part);
        const seen = await signatureOf(place(change.path), lstat);
        return { change, seen, disk: await onDisk(worktree, change.path, parents, place) };
      }),
  );
  const { whole, begun } = await written(git, forward, traces);
  return {
    whole,
    begun,
    gone: traces.filter(
      ({ change: { before, after }, disk }) =>
        (!after || (after.mode === SUBMODULE && isBlob(before))) &&
        (disk.kind === "absent" || disk.kind === "folder"),
    ),
    missing: traces.filter(
      ({ change, disk }) => change.before && isBlob(change.after) && disk.kind === "absent",
    ),
    awaited: traces.filter(({ change, disk }) => !change.before && disk.kind === "absent"),
    complete: changes.length > 0 && changes.every(({ path, after }) => same(entries.get(path), after)),
  };
}

async function written(
  git: GitRunner,
  forward: Forward,
  traces: readonly Trace[],
): Promise<Pick<Traces, "whole" | "begun">> {
  const files = traces.filter(({ change, disk }) => disk.kind === "file" && isFile(change.after));
  const place = { commonDir: forward.commonDir, cwd: forward.worktree };
  const ids = await hashFiles(
    git,
    place,
    files.map(({ change }) => change.path),
  );
  const links: Link[] = [];
  for (const trace of traces) {
    const { change, disk } = trace;
    if (change.after?.mode !== LINK) continue;
    if (disk.kind === "link") links.push({ ...trace, text: disk.text });
    // With core.symlinks false a link is a file that says where it leads.
    if (disk.kind === "file")
      links.push({ ...trace, text: await readFile(placeIn(forward.worktree, change.path)).catch(nothing) });
  }
  const texts = await hashTexts(
    git,
    place,
    links.map(({ text }) => text),
  );
  const whole = [
    ...files.filter((file, index) => file.change.after?.oid === ids[index] && hasMode(file)),
    ...links.filter(({ change }, index) => change.after?.oid === texts[index]),
  ];
  const begun: Begun[] = [];
  for (const [index, file] of files.entries()) {
    // What is as it was may well be how the new content begins.
    if (ids[index] === file.change.after?.oid || ids[index] === file.change.before?.oid) continue;
    const rest = await restOf(git, forward, file.change);
    if (rest) begun.push({ ...file, rest });
  }
  return { whole, begun };
}

const LINK = "120000";
const nothing = (): Buffer => Buffer.alloc(0);
const isBlob = (entry: Entry | undefined): boolean => entry !== undefined && entry.mode !== SUBMODULE;
const isFile = (entry: Entry | undefined): boolean => entry?.mode.startsWith("100") === true;

/** Where only the mode changes, the content does not tell whether git was there already. */
const hasMode = ({ change: { before, after }, disk }: Trace): boolean =>
  before?.oid !== after?.oid || (disk.kind === "file" && disk.executable === (after?.mode === "100755"));

/** What is missing at the end of a file that holds only the beginning. */
async function restOf(
  git: GitRunner,
  forward: Forward,
  { path, after }: EntryChange,
): Promise<Buffer | undefined> {
  const name = textOf(path);
  const file = placeIn(forward.worktree, path);
  // One that is older is somebody's own, who may have taken its end away.
  if (!after || !(await madeSince(file, forward.since))) return undefined;
  // As it would be checked out, line endings and filters applied.
  const all = await git.must(forward.worktree, ["cat-file", "--filters", `--path=${name}`, after.oid]);
  const there = await readFile(file).catch(() => all);
  const begins = there.length < all.length && all.subarray(0, there.length).equals(there);
  return begins ? all.subarray(there.length) : undefined;
}

/** Git makes each file, link and folder anew. */
export async function madeSince(path: PathLike, since: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && madeAt(stats) >= since;
}

/** When a file was made; where the file system does not know, when it was last changed. */
const madeAt = ({ birthtimeMs, ctimeMs }: Pick<Stats, "birthtimeMs" | "ctimeMs">): number =>
  birthtimeMs > 0 ? birthtimeMs : ctimeMs;

/** Whether something was put into the path's folder or taken out of it since; where that is gone as well, of the next one. */
export async function folderTouchedSince(worktree: string, path: PathKey, since: number): Promise<boolean> {
  const folder = posix.dirname(path);
  const stats = await stat(placeIn(worktree, folder)).catch(() => undefined);
  if (stats?.isDirectory()) return stats.mtimeMs >= since;
  return folder !== "." && folderTouchedSince(worktree, folder, since);
}
