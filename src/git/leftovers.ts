import { createHash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DAY_MS = 86_400_000;
const ours = /^batch-control-(?:commit|attributes|preview|links|index)-/;

/** The beginning of the names of the folders that commits of one repository are prepared in. */
export const commitFolders = (commonDir: string): string =>
  `batch-control-commit-${createHash("sha256").update(commonDir).digest("hex").slice(0, 12)}-`;

/**
 * Removes temporary folders that a killed window could not: of this repository, whose batches only the caller executes,
 * those of processes that are gone; of any other those that have not been touched for a day, since a `git commit` that goes
 * on without its window still needs its index. What cannot be removed stays.
 */
export async function removeLeftovers(commonDir: string, now: number): Promise<void> {
  const own = commitFolders(commonDir);
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.allSettled(
    names
      .filter((name) => ours.test(name))
      .map(async (name) => {
        const folder = join(tmpdir(), name);
        const isGone = name.startsWith(own) && !runs(Number.parseInt(name.slice(own.length), 10));
        if (isGone || now - (await stat(folder)).mtimeMs > DAY_MS)
          await rm(folder, { recursive: true, force: true });
      }),
  );
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
