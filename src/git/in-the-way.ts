import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { bytesOf, indexEntries, parseRawDiff, records, same, textOf } from "./entries.ts";
import type { Entry, PathKey } from "./entries.ts";
import { shown } from "./files.ts";
import type { Failure } from "./git-error.ts";
import type { GitRunner } from "./runner.ts";

/** Local changes that a fast-forward of this working tree would overwrite. */
export function dirtyFailure(worktree: string, inTheWay: readonly string[]): Failure {
  const files = [...new Set(inTheWay)].sort();
  return {
    reason: "worktree-dirty",
    error: `changes in ${worktree} are in the way: ${files.slice(0, 5).map(shown).join(", ")}`,
    detail: { files, worktree },
  };
}

/**
 * The files that would keep `git merge --ff-only --no-overwrite-ignore` in a worktree from going from one commit to the
 * other, found without touching anything (the rules of a two-way merge: git's Documentation/git-read-tree.txt).
 */
export async function filesInTheWay(
  git: GitRunner,
  worktree: string,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const diff = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to, "--"];
  const changes = parseRawDiff(await git.must(worktree, diff));
  const edited = ["--no-optional-locks", "diff", "--name-only", "-z", "--no-ext-diff", "--no-renames"];
  const [{ entries }, dirty] = await Promise.all([
    indexEntries(
      git,
      worktree,
      changes.map(({ path }) => path),
    ),
    git.must(worktree, [...edited, "--ignore-submodules=all"]),
  ]);
  const dirtyPaths = new Set([...records(dirty)].map((record) => record.toString("latin1")));
  const found: PathKey[] = [];
  for (const { path, before, after } of changes) {
    const blocker = await blockerOf(worktree, path, { before, after, staged: entries.get(path) }, dirtyPaths);
    if (blocker !== undefined) found.push(blocker);
  }
  return found.map(textOf);
}

interface Sides {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  readonly staged: Entry | undefined;
}

async function blockerOf(
  worktree: string,
  path: PathKey,
  { before, after, staged }: Sides,
  dirty: ReadonlySet<PathKey>,
): Promise<PathKey | undefined> {
  if (staged === undefined)
    return before !== undefined && after !== undefined ? path : untrackedAt(worktree, path);
  if (same(staged, after)) return undefined;
  return same(staged, before) && !dirty.has(path) ? undefined : path;
}

/** Something at a path that git does not know. A folder is in the way where it holds a file. */
async function untrackedAt(worktree: string, path: PathKey): Promise<PathKey | undefined> {
  const full = Buffer.concat([Buffer.from(join(worktree, "/")), bytesOf(path)]);
  try {
    if (!(await lstat(full)).isDirectory()) return path;
    const inside = await readdir(full, { recursive: true, withFileTypes: true });
    return inside.some((entry) => !entry.isDirectory()) ? path : undefined;
  } catch {
    return undefined;
  }
}
