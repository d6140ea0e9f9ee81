import { constants, copyFile, rename, rm, stat, utimes } from "node:fs/promises";
import type { BigIntStats } from "node:fs";

/** Tells whether a file is the one that was seen before. */
export type Signature = string | undefined;

export async function signatureOf(file: string): Promise<Signature> {
  const stats = await statOf(file);
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/**
 * Puts a prepared index in the place of a worktree's, under git's own lock and only if that is still the one that was
 * copied. Answers whether it did. Costs no process.
 */
export async function swapIndex(real: string, prepared: string, seen: Signature): Promise<boolean> {
  const lock = `${real}.lock`;
  try {
    await copyFile(prepared, lock, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    const stats = await statOf(prepared);
    // git trusts entries older than their index; a younger copy must not make it trust more. Whole seconds are older.
    if (stats) await utimes(lock, Number(stats.atimeMs) / 1000, Math.floor(Number(stats.mtimeMs) / 1000));
    if ((await signatureOf(real)) !== seen) return false;
    await rename(lock, real);
    return true;
  } finally {
    await rm(lock, { force: true });
  }
}

async function statOf(file: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(file, { bigint: true });
  } catch {
    return undefined;
  }
}
