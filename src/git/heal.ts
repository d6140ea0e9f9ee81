import { indexEntries, parseRawDiff, indexInfo, same, textOf } from "./entries.ts";
import { onDisk } from "./files.ts";
import { hashFiles } from "./hash.ts";
import type { Run } from "./run.ts";

/**
 * A killed fast-forward may have written some files already, which then look like changes in the way. Where a file is
 * exactly what the merge brings and the index still has the old entry, the new one is put into the index, so that the
 * merge can be repeated. Nothing on disk is touched.
 */
export async function healForward(run: Run, worktree: string, old: string, next: string): Promise<void> {
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
    changes.map(async (change) => ({ change, disk: await onDisk(worktree, textOf(change.path), parents) })),
  );
  const files = candidates.filter(
    ({ change, disk }) =>
      disk.kind === "file" && change.after && same(entries.get(change.path), change.before),
  );
  const ids = await hashFiles(
    git,
    worktree,
    files.map(({ change }) => textOf(change.path)),
  );
  const written = files.filter(({ change }, index) => change.after?.oid === ids[index]);
  const gone = candidates.filter(
    ({ change, disk }) =>
      disk.kind === "absent" && !change.after && same(entries.get(change.path), change.before),
  );
  const updates = [...written, ...gone].map(({ change }) => [change.path, change.after] as const);
  if (updates.length === 0) return;
  await git.must(worktree, ["update-index", "-z", "--index-info"], { input: indexInfo(updates, old) });
}
