import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DAY_MS = 86_400_000;
const ours = /^batch-control-(?:commit|attributes|preview|links|index)-/;

/**
 * Removes temporary folders that a killed window could not, once they have not been touched for a day: a `git commit` that
 * goes on without its window still needs its index, and would take a missing one for an empty one. What cannot be removed
 * stays.
 */
export async function removeLeftovers(now: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.allSettled(
    names
      .filter((name) => ours.test(name))
      .map(async (name) => {
        const folder = join(tmpdir(), name);
        if (now - (await stat(folder)).mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true });
      }),
  );
}
