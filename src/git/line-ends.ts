import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argumentsOf, bytesOf, indexEntries, indexInfo, records } from "./entries.ts";
import type { Entry, PathKey } from "./entries.ts";
import { durably } from "./hash.ts";
import type { GitRunner } from "./runner.ts";

/**
 * Content ids of the files whose line ends git keeps because the index has them so. Where `text=auto` or `core.autocrlf`
 * applies, `git add` normalizes CRLF only in files that have none in the index (gitattributes(5), `text`); hash-object
 * knows no index and normalizes always. `indexed`: the files' entries in the index; `queued`: those that it will have by
 * then, because a commit that was queued before brings them.
 */
export async function idsWithKeptLineEnds(
  git: GitRunner,
  worktree: string,
  indexed: ReadonlyMap<PathKey, Entry>,
  queued: ReadonlyMap<PathKey, Entry>,
): Promise<ReadonlyMap<PathKey, string>> {
  const kept = [...queued.keys(), ...(await withCrlf(git, worktree, indexed))];
  if (kept.length === 0) return new Map();
  const folder = await mkdtemp(join(tmpdir(), "batch-control-index-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    const entries = kept.map((path) => [path, queued.get(path) ?? indexed.get(path)] as const);
    const input = indexInfo(entries, entries[0]?.[1]?.oid);
    await git.must(worktree, ["update-index", "-z", "--index-info"], { env, input });
    const paths = Buffer.concat(kept.flatMap((path) => [bytesOf(path), Buffer.from([0])]));
    await git.must(worktree, [...durably, "update-index", "-z", "--stdin"], { env, input: paths });
    const after = await indexEntries(git, worktree, kept, env);
    return new Map([...after.entries].map(([path, { oid }]) => [path, oid]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Those of the files that have CRLF in the index and on disk, and may be converted. */
async function withCrlf(
  git: GitRunner,
  worktree: string,
  tracked: ReadonlyMap<PathKey, Entry>,
): Promise<readonly PathKey[]> {
  if (tracked.size === 0) return [];
  const listed = argumentsOf(new Set(tracked.keys()));
  const args = ["--literal-pathspecs", "--no-optional-locks", "ls-files", "--full-name", "--eol", "-z"];
  const output = await git.must(worktree, listed ? [...args, "--", ...listed] : args);
  return [...records(output)].flatMap((record) => {
    // i/crlf  w/crlf  attr/text=auto<TAB>path
    const line = record.toString("latin1");
    const tab = line.indexOf("\t");
    const path = line.slice(tab + 1);
    const kept = /^i\/(crlf|mixed)\s+w\/(crlf|mixed)\s+attr\/(?!-text)/.test(line.slice(0, tab));
    return kept && tracked.has(path) ? [path] : [];
  });
}
