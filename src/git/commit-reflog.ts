import type { CommitReader } from "./commit-reader.ts";
import { parseRawDiff, same } from "./entries.ts";
import type { EntryChange } from "./entries.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation } from "./payload.ts";
import { newestEntry } from "./reflog-file.ts";
import { isZero } from "./refs.ts";
import type { Run } from "./run.ts";

/** What the reflog says of a commit made for this operation. Its hooks inherit it. */
export const reflogAction = (id: string): string => `batch-control:${id}`;

/** A commit that `git commit` made for an operation. */
export interface MadeCommit {
  readonly oid: string;
  readonly parent: string | undefined;
  /** Against its parent. */
  readonly changes: readonly EntryChange[];
  /** The branch's newest value: hooks may have committed on top. */
  readonly top: string;
  /** The newest value that `git commit` or a hook of it gave the branch. */
  readonly ownTop: string;
}

/** What `git commit` was to make, and on what. */
export interface Sought {
  readonly operation: CommitOperation;
  readonly branch: string;
  readonly tip: string | undefined;
  /** Whether `git commit` is known to have succeeded. */
  readonly succeeded: boolean;
}

interface Read {
  readonly oid: string;
  readonly parent: string | undefined;
  readonly changes: readonly EntryChange[];
  readonly subject: string;
  readonly message: string;
}

interface Line {
  readonly oid: string;
  readonly parent: string | undefined;
  readonly subject: string;
}

const raw = [
  "--raw",
  "-r",
  "-z",
  "-m",
  "--root",
  "--no-renames",
  "--no-abbrev",
  "--no-ext-diff",
  "--no-show-signature",
  "--encoding=UTF-8",
];

/** What is to be known of a commit, as git prints it. */
export const commitFormat: readonly string[] = [...raw, "--format=%H %P%x00%x00%B"];

/** The commit that was made for the operation. */
export async function madeFor(
  run: Run,
  cwd: string,
  sought: Sought,
  reader?: CommitReader,
): Promise<MadeCommit | undefined> {
  const made = (await fromReflog(run, cwd, sought, reader)) ?? (await fromBranch(run, cwd, sought));
  return made && made.parent !== sought.tip ? asWritten(run, cwd, made) : made;
}

/** Where a hook took the reflog away the branch itself tells, but only of a `git commit` that succeeded whose it is. */
async function fromBranch(
  { git }: Run,
  cwd: string,
  { branch, tip, succeeded, operation }: Sought,
): Promise<MadeCommit | undefined> {
  if (!succeeded) return undefined;
  const range = tip === undefined ? [branch] : [`${tip}..${branch}`];
  const end = await git.run(cwd, ["rev-list", "--first-parent", "--reverse", "--parents", ...range, "--"]);
  const lines = end.exitCode === 0 ? end.stdout.toString("latin1").trim().split("\n") : [];
  const [oid, parent] = lines[0]?.split(" ") ?? [];
  if (oid === undefined || oid === "" || parent !== tip) return undefined;
  const read = parse(await git.must(cwd, ["log", "-1", ...commitFormat, oid, "--"]));
  const top = lines.at(-1)?.split(" ")[0] ?? oid;
  return read && isLike(operation, read)
    ? { oid, parent, changes: read.changes, top, ownTop: top }
    : undefined;
}

/** Grafts, replacements and the edge of a shallow clone hide on what a commit stands, and it must not be taken for a root. */
async function asWritten({ git }: Run, cwd: string, made: MadeCommit): Promise<MadeCommit> {
  const text = (await git.must(cwd, ["--no-replace-objects", "cat-file", "commit", made.oid])).toString(
    "latin1",
  );
  const parent = /^parent ([0-9a-f]+)$/m.exec(text.slice(0, text.indexOf("\n\n")))?.[1];
  if (parent === undefined || parent === made.parent) return made;
  const args = ["--no-replace-objects", "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev"];
  return { ...made, parent, changes: parseRawDiff(await git.must(cwd, [...args, parent, made.oid, "--"])) };
}

/**
 * The commit that the branch's reflog attributes to the operation. Mostly its newest entry, which a file and a `reader`
 * tell without a process.
 */
async function fromReflog(
  run: Run,
  cwd: string,
  sought: Sought,
  reader?: CommitReader,
): Promise<MadeCommit | undefined> {
  const { branch, tip, operation } = sought;
  const { id } = operation.operation;
  const read = async ({ oid }: Line): Promise<Read | undefined> =>
    parse(await run.git.must(cwd, ["log", "-1", ...commitFormat, oid, "--"]));
  const newest = (reader && (await fromFile(run, sought, reader))) ?? (await fromLog(run, cwd, branch));
  if (!newest) return undefined;
  const top = newest.oid;
  if (isFor(newest.subject, id) && newest.parent === tip) {
    const { oid, parent, changes } = newest;
    const ours = sought.succeeded || isLike(operation, newest);
    return ours ? { oid, parent, changes, top, ownTop: oid } : undefined;
  }
  const lines = await since(run, cwd, branch, tip);
  const marked = lines.filter(({ subject }) => isFor(subject, id));
  const first = await firstLike(operation, marked, read, sought.succeeded);
  if (!first) return undefined;
  // A hook may have amended it. Where the branch had moved, nothing of ours stands on what it was.
  const amended = lines.slice(lines.indexOf(first)).findLast(({ parent }) => parent === tip);
  const made = await read(first.parent === tip && amended ? amended : first);
  if (!made) return undefined;
  const { oid, parent, changes } = made;
  return { oid, parent, changes, top, ownTop: marked.at(-1)?.oid ?? oid };
}

/** The newest entry where it is the commit that was to be made. */
async function fromFile(
  { commonDir }: Run,
  { branch, tip, operation }: Sought,
  reader: CommitReader,
): Promise<Read | undefined> {
  const entry = await newestEntry(commonDir, branch);
  if (!entry || !isFor(entry.message, operation.operation.id)) return undefined;
  if ((isZero(entry.old) ? undefined : entry.old) !== tip) return undefined;
  const answer = await reader.read(entry.oid);
  const read = answer && parse(answer);
  return read && { ...read, subject: entry.message };
}

/** The newest entry, whatever it is. */
async function fromLog({ git }: Run, cwd: string, branch: string): Promise<Read | undefined> {
  const args = ["log", "-g", "-1", ...raw, "--format=%H %P%x00%gs%x00%B", branch, "--"];
  const { exitCode, stdout } = await git.run(cwd, args);
  return exitCode === 0 ? parse(stdout) : undefined;
}

/** The oldest that is like what was asked for; hooks that commit inherit our mark. */
async function firstLike(
  operation: CommitOperation,
  marked: readonly Line[],
  read: (line: Line) => Promise<Read | undefined>,
  succeeded: boolean,
): Promise<Line | undefined> {
  for (const line of marked) {
    const commit = await read(line);
    if (commit && isLike(operation, commit)) return line;
  }
  return succeeded ? marked[0] : undefined;
}

/**
 * A commit with our mark may be one that a hook made before ours or on top of it, of some of what was asked for. Hooks may
 * write all of the message.
 */
function isLike({ changes, message, allowEmpty }: CommitOperation, made: Read): boolean {
  const asked = new Map(changes.map((change) => [pathOf(change), orUndefined(change.now)]));
  const touched = made.changes.filter(({ path }) => asked.has(path));
  const changing = changes.filter(({ base, now }) => !same(orUndefined(base), orUndefined(now)));
  const hasAll = changing.every((change) => touched.some(({ path }) => path === pathOf(change)));
  if (hasAll && touched.some(({ path, after }) => same(after, asked.get(path)))) return true;
  if (!allowEmpty && touched.length === 0) return false;
  // Hooks put ticket numbers before a line and trailers below.
  return message
    .split("\n")
    .map((line) => line.trim())
    .some((line) => line !== "" && made.message.includes(line));
}

/** What became of the branch since it was at `tip`, oldest first; all that is known where it never was. */
async function since(
  run: Run,
  cwd: string,
  branch: string,
  tip: string | undefined,
): Promise<readonly Line[]> {
  const end = await run.git.run(cwd, [
    ...["log", "-g", "--no-show-signature", "--format=%H %P%x00%gs"],
    ...[branch, "--"],
  ]);
  const lines = end.stdout
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => {
      const [ids = "", subject = ""] = line.split("\0");
      const [oid = "", parent] = ids.split(" ");
      return { oid, parent: parent === "" ? undefined : parent, subject };
    });
  const before = lines.findIndex(({ oid }) => oid === tip);
  return (before < 0 ? lines : lines.slice(0, before)).reverse();
}

/** Git cuts the blank where the message has no first line. */
const isFor = (subject: string, id: string): boolean => subject.startsWith(`${reflogAction(id)}:`);

function parse(output: Buffer): Read | undefined {
  const first = output.indexOf(0);
  const second = output.indexOf(0, first + 1);
  const third = output.indexOf(0, second + 1);
  if (first < 0 || second < 0 || third < 0) return undefined;
  const [oid, parent] = output.subarray(0, first).toString("latin1").split(" ");
  if (oid === undefined) return undefined;
  const rest = output.subarray(third + 1);
  return {
    oid,
    parent: parent === "" ? undefined : parent,
    changes: parseRawDiff(rest[0] === 10 ? rest.subarray(1) : rest),
    subject: output.subarray(first + 1, second).toString("utf8"),
    message: output.subarray(second + 1, third).toString("utf8"),
  };
}
