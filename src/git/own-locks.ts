import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import { holdersOf } from "./locks.ts";
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
 * process has open, and whose process is known and dead. Anything less certain is left and waited for.
 */
export async function removeOwnLocks(run: Run, effect: Effect, locks: readonly string[]): Promise<void> {
  const { process: identity, at } = effect;
  if (!identity || (await run.deps.processes.isAlive(identity)) || groupLives(identity.pid)) return;
  for (const lock of locks) {
    const made = await madeAt(lock);
    if (made === undefined || made < at || (await holdersOf(lock)).length > 0) continue;
    await rm(lock, { force: true });
    run.context.log.warn(`removed ${lock}, which our process ${identity.pid} left behind when it was killed`);
  }
}

/** The locks that one git command in a worktree may leave, for the branch it moves. */
export const locksOf = (commonDir: string, gitDir: string, ref: string): readonly string[] => [
  join(gitDir, "index.lock"),
  join(gitDir, "HEAD.lock"),
  join(commonDir, `${ref}.lock`),
];

function groupLives(pid: number): boolean {
  try {
    globalThis.process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function madeAt(lock: string): Promise<number | undefined> {
  try {
    return (await stat(lock)).mtimeMs;
  } catch {
    return undefined;
  }
}
