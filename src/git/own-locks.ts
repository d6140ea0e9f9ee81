import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import { LATE_MS } from "./file-clock.ts";
import { gitsIn, holdersOf } from "./locks.ts";
import { listWorktrees } from "./repository.ts";
import type { Run } from "./run.ts";

/**
 * Waits for the process that an effect had started, or ends its whole group: nobody watches it any more, and the effect
 * cannot be judged while it runs.
 */
export async function endOrphan(run: Run, { process: identity }: Effect): Promise<void> {
  if (!identity) return;
  const { processes } = run.deps;
  for (const signal of [undefined, "SIGINT", "SIGTERM", "SIGKILL"] as const) {
    if (signal !== undefined) {
      run.context.log.warn(`process ${identity.pid} of an earlier window still runs; sending ${signal}`);
      signalGroup(identity.pid, signal);
    }
    for (let look = 0; look < LOOKS; look += 1) {
      if (!(await processes.isAlive(identity))) return;
      await run.pause(LOOK_MS);
    }
  }
}

const LOOKS = 20;
const LOOK_MS = 150;

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    globalThis.process.kill(globalThis.process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // It ended in between.
  }
}

/**
 * Removes locks that the effect's killed process left behind: only one that is newer than the effect's intent, that no
 * process has open, and whose process is known and dead, while no other git works in the repository. Anything less certain
 * is left and waited for.
 */
export async function removeOwnLocks(
  run: Run,
  { process: identity, at }: Pick<Effect, "process" | "at">,
  locks: readonly string[],
): Promise<void> {
  if (!identity || (await run.deps.processes.isAlive(identity)) || (await groupLives(identity.pid))) return;
  const left: string[] = [];
  for (const lock of locks) {
    const made = await madeAt(lock);
    // Stamps are late; hardly anybody else leaves one just before and is gone.
    if (made !== undefined && made >= at - LATE_MS && (await holdersOf(lock)).length === 0) left.push(lock);
  }
  if (left.length === 0 || (await gitWorks(run))) return;
  for (const lock of left) {
    await rm(lock, { force: true });
    run.context.log.warn(`removed ${lock}, which our process ${identity.pid} left behind when it was killed`);
  }
}

/**
 * Removes locks on our own refs whatever left them: no other program makes refs there, and one window at a time works on a
 * repository's batches. Not while any git works in the repository, which may pack refs or queue an operation. Where the
 * system does not show that, they have to be a day old.
 */
export async function removeLeftLocks(run: Run): Promise<void> {
  const folder = join(run.commonDir, "refs", "batch-control");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const locks = names.filter((name) => name.endsWith(".lock")).map((name) => join(folder, name));
  if (locks.length === 0 || (await gitWorks(run))) return;
  for (const lock of locks) {
    const made = await madeAt(lock);
    if (made === undefined || (await holdersOf(lock)).length > 0) continue;
    if (globalThis.process.platform !== "linux" && run.deps.clock.now() - made < DAY_MS) continue;
    await rm(lock, { force: true });
    run.context.log.warn(`removed ${lock}, which a git that was killed left behind`);
  }
}

const DAY_MS = 86_400_000;

/** Git closes some locks and still holds them: an index's while somebody writes the message, that of the packed refs. */
async function gitWorks(run: Run): Promise<boolean> {
  const known = run.operations.map(({ worktree }) => worktree);
  const worktrees = await listWorktrees(run.git, run.commonDir, known);
  const places = [run.commonDir, ...worktrees.map(({ path }) => path)];
  for (let look = 0; look < LOOKS; look += 1) {
    if ((await gitsIn(places)).length === 0) return false;
    await run.pause(LOOK_MS);
  }
  return true;
}

/**
 * The locks that one step may leave: those of a transaction over refs, our own refs for the batch included, and those in
 * the worktrees' git directories, for the index and for refs such as HEAD and ORIG_HEAD, which a merge writes as well.
 */
export async function locksOfRefs(
  run: Run,
  refs: readonly string[],
  gitDirs: readonly string[],
): Promise<readonly string[]> {
  const { commonDir, batch } = run;
  const own = await Promise.all(
    ["undo", "tmp"].map(async (kind) => {
      const folder = join(commonDir, "refs", "batch-control", kind, batch.id);
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith(".lock")).map((name) => join(folder, name));
    }),
  );
  const inGitDirs = await Promise.all(
    gitDirs.map(async (gitDir) => {
      const names = await readdir(gitDir).catch(() => []);
      return names.filter((name) => lockInGitDir.test(name)).map((name) => join(gitDir, name));
    }),
  );
  return [
    ...refs.map((ref) => join(commonDir, `${ref}.lock`)),
    ...inGitDirs.flat(),
    // Git writes the second beside the first, and gives up where it finds one.
    join(commonDir, "packed-refs.lock"),
    join(commonDir, "packed-refs.new"),
    ...own.flat(),
  ];
}

/** Names of refs outside refs/ are upper case: git-check-ref-format(1). */
const lockInGitDir = /^(?:index|[A-Z_]+)\.lock$/;

/**
 * Whether any process of the group still runs. One that has ended and that nobody waits for, as in a container without an
 * init, counts as ended; where the system does not tell such from others, it counts as running.
 */
async function groupLives(group: number): Promise<boolean> {
  try {
    globalThis.process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  if (globalThis.process.platform !== "linux") return true;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return stats.some((stat) => {
    // State, parent and group follow the name, which may hold anything: proc(5).
    const [state = "", , of] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(of) === group && state !== "Z" && state !== "X";
  });
}

/** When it was created: a prepared index that is put in place as a lock carries an older time of change. */
async function madeAt(lock: string): Promise<number | undefined> {
  try {
    return (await stat(lock)).birthtimeMs;
  } catch {
    return undefined;
  }
}
