import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { GitError } from "./git-error.ts";
import type { Run } from "./run.ts";
import { exists } from "./worktree-state.ts";

/** Waits until nobody writes this worktree's index, so that a commit's index can follow it at once. Rejects with `locked`. */
export async function waitForLock(run: Run, gitDir: string): Promise<void> {
  const lock = join(gitDir, "index.lock");
  try {
    await run.patiently(async () => {
      if (await exists(lock)) throw new GitError("locked", `${lock} is held by another process.`);
    });
  } catch (error) {
    const age = await lockAge(lock, run.deps.clock.now());
    throw age === undefined ? error : new GitError("locked", await describeLock(lock, age));
  }
}

async function lockAge(lock: string, now: number): Promise<number | undefined> {
  try {
    return Math.max(0, now - (await stat(lock)).mtimeMs);
  } catch {
    return undefined;
  }
}

async function describeLock(lock: string, ageMs: number): Promise<string> {
  const holders = await holdersOf(lock);
  const who =
    holders.length > 0
      ? `held by process ${holders.join(", ")}`
      : "held by another process or left over by one";
  return `${lock} is ${who}, for ${Math.round(ageMs / 1000)} s. If no git runs there, remove it.`;
}

/** Processes that have the file open, where the system shows that (Linux). */
export async function holdersOf(path: string): Promise<readonly number[]> {
  const holders: number[] = [];
  for (const pid of await listed("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    for (const fd of await listed(`/proc/${pid}/fd`)) {
      if ((await target(`/proc/${pid}/fd/${fd}`)) !== path) continue;
      holders.push(Number(pid));
      break;
    }
  }
  return holders;
}

/** Processes of git that work in one of these folders or below, where the system shows that (Linux). */
export async function gitsIn(folders: readonly string[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of await listed("/proc")) {
    if (!/^\d+$/.test(pid) || (await nameOf(pid)) !== "git") continue;
    const place = await target(`/proc/${pid}/cwd`);
    if (place !== undefined && folders.some((folder) => `${place}${sep}`.startsWith(`${folder}${sep}`)))
      found.push(Number(pid));
  }
  return found;
}

const nameOf = async (pid: string): Promise<string> =>
  (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim();

async function listed(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function target(link: string): Promise<string | undefined> {
  try {
    return await readlink(link);
  } catch {
    return undefined;
  }
}
