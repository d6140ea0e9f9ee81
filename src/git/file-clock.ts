import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/**
 * How far the time that files are stamped with may lie behind the clock that programs read: it is that of the kernel's last
 * tick, current_time() in the kernel's fs/inode.c. Up to 7 ms measured on Linux 6.18; a tick lasts 10 ms at most.
 */
export const LATE_MS = 20;

/** A file system whose clock is further behind, as one on another computer, is not waited for. */
const MAX_LOOKS = 50;

/**
 * Waits until files that are made in the folder from now on carry a time of at least `now`, so that their age tells them
 * from older ones.
 */
export async function untilFilesAreNewer(folder: string, now: number): Promise<void> {
  const probe = join(folder, "batch-control.clock");
  try {
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      await writeFile(probe, "");
      if ((await stat(probe)).mtimeMs >= now) return;
      await pause(1);
    }
  } catch {
    // Where no file can be written git will say so.
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
