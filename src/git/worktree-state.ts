import { readFile, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

type Activity = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

/** What git itself is in the middle of in one worktree, and the branch that it holds meanwhile. */
export interface Busy {
  readonly activity: Activity;
  /** Full ref name; the branch that a rebase or bisect will come back to. */
  readonly branch?: string;
}

const marks: readonly (readonly [string, Activity])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

/** Read from the files that git leaves there; no process. */
export async function busyOf(gitDir: string): Promise<Busy | undefined> {
  for (const [name, activity] of marks) {
    if (!(await exists(join(gitDir, name)))) continue;
    const branch = await heldBranch(gitDir, name);
    return branch === undefined ? { activity } : { activity, branch };
  }
  return undefined;
}

/** The real path of a worktree's administrative folder, or `undefined` where there is none (any more). */
export async function gitDirOf(worktree: string): Promise<string | undefined> {
  const dotGit = join(worktree, ".git");
  try {
    if ((await stat(dotGit)).isDirectory()) return await realpath(dotGit);
    const target = /^gitdir: (.+?)\r?\n?$/.exec(await readFile(dotGit, "utf8"))?.[1];
    return target === undefined ? undefined : await realpath(resolve(worktree, target));
  } catch {
    return undefined;
  }
}

async function heldBranch(gitDir: string, mark: string): Promise<string | undefined> {
  if (mark === "BISECT_LOG") {
    const start = await text(join(gitDir, "BISECT_START"));
    return start === undefined || /^[0-9a-f]{40,64}$/.test(start) ? undefined : `refs/heads/${start}`;
  }
  if (!mark.startsWith("rebase-")) return undefined;
  const name = await text(join(gitDir, mark, "head-name"));
  return name?.startsWith("refs/heads/") ? name : undefined;
}

async function text(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    return undefined;
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
