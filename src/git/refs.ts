import type { GitRunner } from "./runner.ts";

/** Stands for no object, whatever the repository's hash; `moveRefs` takes it as it is. */
export const ZERO = "0".repeat(40);
/** No object, as long as this id of a real one. */
export const zeroLike = (oid: string): string => "0".repeat(oid.length);
export const isOid = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
export const isZero = (oid: string): boolean => /^0+$/.test(oid);
export const headRef = (branch: string): string =>
  branch.startsWith("refs/heads/") ? branch : `refs/heads/${branch}`;
export const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags|remotes)\//, "");

/** Object ids by full ref name; one process. Prefixes such as `refs/heads`. */
export async function readRefs(
  git: GitRunner,
  cwd: string,
  ...prefixes: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const output = (
    await git.must(cwd, ["for-each-ref", "--format=%(objectname) %(refname)", ...prefixes])
  ).toString("utf8");
  const refs = new Map<string, string>();
  for (const line of output.split("\n")) {
    const space = line.indexOf(" ");
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space));
  }
  return refs;
}

/** One ref's move; `old` all zeros creates it, `next` undefined deletes it. */
export interface RefMove {
  readonly ref: string;
  readonly old?: string;
  readonly next?: string;
}

/**
 * All or none, each only where the ref still has its old value. Rejects with a `GitError`. With `noteStart`, git is told
 * what to do only after its process was noted, so that a lock it leaves behind when it is killed is known to be its own.
 */
export async function moveRefs(
  git: GitRunner,
  cwd: string,
  moves: readonly RefMove[],
  message: string,
  noteStart?: (pid: number) => Promise<void>,
): Promise<void> {
  if (moves.length === 0) return;
  const commands = moves.map(({ ref, old, next }) => {
    if (next === undefined) return `delete ${ref}\0${old ?? ""}\0`;
    if (old !== undefined && isZero(old)) return `create ${ref}\0${next}\0`;
    return `update ${ref}\0${next}\0${old ?? ""}\0`;
  });
  const input = Buffer.from(`start\0${commands.join("")}prepare\0commit\0`);
  const noted = Promise.withResolvers<undefined>();
  const options =
    noteStart === undefined
      ? { input }
      : {
          input: after(noted.promise, input),
          onStart: (pid: number) => void noteStart(pid).finally(() => noted.resolve(undefined)),
        };
  await git.must(cwd, ["-c", "core.fsync=reference", "update-ref", "--stdin", "-z", "-m", message], options);
}

async function* after(moment: Promise<unknown>, input: Buffer): AsyncGenerator<Buffer> {
  await moment;
  yield input;
}
