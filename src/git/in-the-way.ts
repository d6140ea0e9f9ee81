import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { indexEntries, keyOf, keyOfText, parseRawDiff, records, same, textOf } from "./entries.ts";
import type { Entry, PathKey } from "./entries.ts";
import { shown } from "./files.ts";
import type { Failure } from "./git-error.ts";
import { placeIn } from "./forward-traces.ts";
import type { GitRunner } from "./runner.ts";

/** Local changes that turning this working tree to another commit would overwrite. */
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
 * other, found without touching anything (the rules of a two-way merge: git's Documentation/git-read-tree.txt). To git a
 * file that somebody deleted is in nobody's way; `deletionsToo`: it is a change like any other.
 */
export async function filesInTheWay(
  git: GitRunner,
  worktree: string,
  from: string,
  to: string,
  deletionsToo = false,
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
  const dirtyPaths = new Set<PathKey>();
  for (const path of [...records(dirty)].map((record) => keyOf(record)))
    if (deletionsToo || !(await isDeleted(worktree, path))) dirtyPaths.add(path);
  const going = changes.filter(({ path, after }) => !after && entries.has(path)).map(({ path }) => path);
  const moving: Moving = { changing: new Set(changes.map(({ path }) => path)), going: new Set(going) };
  const found: PathKey[] = [];
  for (const { path, before, after } of changes) {
    const sides = { before, after, staged: entries.get(path) };
    const blocker = await blockerOf(worktree, path, sides, dirtyPaths, moving);
    if (blocker !== undefined) found.push(blocker);
  }
  return found.map(textOf);
}

async function isDeleted(worktree: string, path: PathKey): Promise<boolean> {
  try {
    await lstat(placeIn(worktree, path));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

interface Sides {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  readonly staged: Entry | undefined;
}

interface Moving {
  readonly changing: ReadonlySet<PathKey>;
  /** What git itself takes away. */
  readonly going: ReadonlySet<PathKey>;
}

async function blockerOf(
  worktree: string,
  path: PathKey,
  { before, after, staged }: Sides,
  dirty: ReadonlySet<PathKey>,
  moving: Moving,
): Promise<PathKey | undefined> {
  if (staged === undefined)
    return before !== undefined && after !== undefined ? path : untrackedAt(worktree, path, moving);
  if (same(staged, after)) return undefined;
  return same(staged, before) && !dirty.has(path) ? undefined : path;
}

/** Something at a path, or at a folder of it, that git does not know. A folder is in the way where it holds a file that stays. */
async function untrackedAt(
  worktree: string,
  path: PathKey,
  { changing, going }: Moving,
): Promise<PathKey | undefined> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const place = parts.slice(0, depth).join("/");
    const full = join(worktree, textOf(place));
    const stats = await lstat(full).catch(() => undefined);
    if (!stats) return undefined;
    // A file that makes room for this one is a change of its own.
    if (!stats.isDirectory()) return place !== path && changing.has(place) ? undefined : place;
    if (place === path) return (await holdsFile(worktree, full, going)) ? path : undefined;
  }
  return undefined;
}

async function holdsFile(worktree: string, folder: string, going: ReadonlySet<PathKey>): Promise<boolean> {
  const inside = await readdir(folder, { recursive: true, withFileTypes: true });
  return inside.some((entry) => {
    if (entry.isDirectory()) return false;
    const path = relative(worktree, join(entry.parentPath, entry.name)).split(sep).join("/");
    return !going.has(keyOfText(path));
  });
}
