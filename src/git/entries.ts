import { ZERO, zeroLike } from "./refs.ts";
import type { GitRunner } from "./runner.ts";

/** What a tree or the index holds at a path. Modes as git writes them: 100644, 100755, 120000, 160000. */
export interface Entry {
  readonly mode: string;
  readonly oid: string;
}

/** Paths are bytes to git; here each is a string of one character per byte, so that every path is exact and a map key. */
export type PathKey = string;
export const keyOf = (bytes: Buffer): PathKey => bytes.toString("latin1");
export const bytesOf = (key: PathKey): Buffer => Buffer.from(key, "latin1");
export const keyOfText = (path: string): PathKey => keyOf(Buffer.from(path, "utf8"));
/** For people; bytes that are not UTF-8 show as U+FFFD. */
export const textOf = (key: PathKey): string => bytesOf(key).toString("utf8");

export const FOLDER = "040000";
export const SUBMODULE = "160000";

export const same = (a: Entry | undefined, b: Entry | undefined): boolean =>
  a?.mode === b?.mode && a?.oid === b?.oid;

/** Above this many bytes of paths one listing of everything is cheaper than many arguments. */
const MAX_ARGUMENT_BYTES = 100_000;
const NUL = Buffer.from([0]);

/** The entries that a tree has at exactly these paths; a folder is an entry of mode 040000. */
export async function treeEntries(
  git: GitRunner,
  cwd: string,
  treeish: string,
  paths: Iterable<PathKey>,
): Promise<ReadonlyMap<PathKey, Entry>> {
  const wanted = new Set(paths);
  if (wanted.size === 0) return new Map();
  const listed = argumentsOf(wanted);
  const args = listed
    ? // Each path is also a directory prefix to ls-tree; `-d`-less listing of a folder answers the tree itself, which is dropped.
      ["--literal-pathspecs", "ls-tree", "--full-tree", "-z", treeish, "--", ...listed]
    : ["ls-tree", "--full-tree", "-r", "-t", "-z", treeish];
  const found = new Map<PathKey, Entry>();
  for (const record of records(await git.must(cwd, args))) {
    const tab = record.indexOf(9);
    const [mode, , oid] = record.subarray(0, tab).toString("latin1").split(" ");
    const path = keyOf(record.subarray(tab + 1));
    if (mode !== undefined && oid !== undefined && wanted.has(path)) found.set(path, { mode, oid });
  }
  return found;
}

/** The stage-0 entries of an index at exactly these paths, and the paths that are in conflict there. */
export async function indexEntries(
  git: GitRunner,
  worktree: string,
  paths: Iterable<PathKey>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly entries: ReadonlyMap<PathKey, Entry>; readonly unmerged: ReadonlySet<PathKey> }> {
  const wanted = new Set(paths);
  const entries = new Map<PathKey, Entry>();
  const unmerged = new Set<PathKey>();
  if (wanted.size === 0) return { entries, unmerged };
  const listed = argumentsOf(wanted);
  const args = [
    "--literal-pathspecs",
    "--no-optional-locks",
    "ls-files",
    "--full-name",
    "-s",
    "-z",
    ...(listed ? ["--", ...listed] : []),
  ];
  for (const record of records(await git.must(worktree, args, { env }))) {
    const tab = record.indexOf(9);
    const [mode, oid, stage] = record.subarray(0, tab).toString("latin1").split(" ");
    const path = keyOf(record.subarray(tab + 1));
    if (mode === undefined || oid === undefined || !wanted.has(path)) continue;
    if (stage === "0") entries.set(path, { mode, oid });
    else unmerged.add(path);
  }
  return { entries, unmerged };
}

/** One changed path between two trees; `undefined` where it does not exist on that side. */
export interface EntryChange {
  readonly path: PathKey;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Parses `--raw -z --no-renames --no-abbrev` output of diff-tree and diff-index. */
export function parseRawDiff(output: Buffer): EntryChange[] {
  const parts = [...records(output)];
  const changes: EntryChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode, newMode, oldOid, newOid] = (parts[at] ?? NUL).toString("latin1").slice(1).split(" ");
    const path = parts[at + 1];
    if (path === undefined) break;
    changes.push({
      path: keyOf(path),
      before: sideOfDiff(oldMode, oldOid),
      after: sideOfDiff(newMode, newOid),
    });
  }
  return changes;
}

const sideOfDiff = (mode: string | undefined, oid: string | undefined): Entry | undefined =>
  mode === undefined || oid === undefined || mode === "000000" ? undefined : { mode, oid };

/** Splits at NUL bytes. */
export function* records(output: Buffer): Generator<Buffer> {
  let from = 0;
  for (let at = output.indexOf(0); at >= 0; at = output.indexOf(0, from)) {
    yield output.subarray(from, at);
    from = at + 1;
  }
}

/** Node encodes arguments as UTF-8, so only paths that are UTF-8 can be named there. */
export function argumentsOf(paths: ReadonlySet<PathKey>): string[] | undefined {
  let size = 0;
  const listed: string[] = [];
  for (const path of paths) {
    const text = textOf(path);
    size += path.length + 1;
    if (size > MAX_ARGUMENT_BYTES || keyOfText(text) !== path) return undefined;
    listed.push(text);
  }
  return listed;
}

/**
 * Lines for `update-index -z --index-info`: an entry to set, or a path to drop. `like`: any object id of the repository,
 * since git wants one of its own length even for a path that goes.
 */
export function indexInfo(
  entries: Iterable<readonly [PathKey, Entry | undefined]>,
  like: string | undefined,
): Buffer {
  const nothing = zeroLike(like ?? ZERO);
  const chunks: Buffer[] = [];
  const set: Buffer[] = [];
  for (const [path, entry] of entries) {
    const target = entry ? set : chunks;
    const head = entry ? `${entry.mode} ${entry.oid} 0\t` : `0 ${nothing}\t`;
    target.push(Buffer.from(head, "latin1"), bytesOf(path), NUL);
  }
  // Removals first: a file may take the place of a folder or the other way round.
  return Buffer.concat([...chunks, ...set]);
}
