import { parseRawDiff } from "./entries.ts";
import type { EntryChange } from "./entries.ts";
import type { Run } from "./run.ts";

/** What the reflog says of a commit made for this operation. */
export const reflogAction = (id: string): string => `batch-control:${id}`;

/** A commit that `git commit` made for an operation. */
export interface MadeCommit {
  readonly oid: string;
  readonly parent: string | undefined;
  /** Against its parent. */
  readonly changes: readonly EntryChange[];
}

const raw = [
  "--raw",
  "-r",
  "-z",
  "--root",
  "--no-renames",
  "--no-abbrev",
  "--no-ext-diff",
  "--no-show-signature",
];

/** The commit that the branch's reflog attributes to the operation; mostly its newest entry, which takes one process. */
export async function madeFor(
  run: Run,
  cwd: string,
  branch: string,
  id: string,
): Promise<MadeCommit | undefined> {
  const newest = await run.git.run(cwd, [
    "log",
    "-g",
    "-1",
    "-m",
    ...raw,
    "--format=%H %P%x00%gs",
    branch,
    "--",
  ]);
  const parsed = newest.exitCode === 0 ? parse(newest.stdout) : undefined;
  if (parsed && isFor(parsed.subject, id)) return parsed;
  const [oid] = await commitsInReflog(run, cwd, branch, id);
  if (oid === undefined) return undefined;
  return parse(await run.git.must(cwd, ["log", "-1", "-m", ...raw, "--format=%H %P%x00", oid, "--"]));
}

/** The commits that the reflog of a branch attributes to an operation, newest first. */
async function commitsInReflog(
  run: Run,
  cwd: string,
  branch: string,
  id: string,
): Promise<readonly string[]> {
  const end = await run.git.run(cwd, ["log", "-g", "--no-show-signature", "--format=%H %gs", branch, "--"]);
  return end.stdout
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const space = line.indexOf(" ");
      return isFor(line.slice(space + 1), id) ? [line.slice(0, space)] : [];
    });
}

const isFor = (subject: string, id: string): boolean => subject.startsWith(`${reflogAction(id)}: `);

function parse(output: Buffer): (MadeCommit & { readonly subject: string }) | undefined {
  const first = output.indexOf(0);
  const second = output.indexOf(0, first + 1);
  if (first < 0 || second < 0) return undefined;
  const [oid, parent] = output.subarray(0, first).toString("latin1").split(" ");
  if (oid === undefined) return undefined;
  const rest = output.subarray(second + 1);
  const subject = output.subarray(first + 1, second).toString("utf8");
  const changes = parseRawDiff(rest[0] === 10 ? rest.subarray(1) : rest);
  return { oid, parent: parent === "" ? undefined : parent, changes, subject };
}
