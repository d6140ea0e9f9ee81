import { constants, copyFile, rename, rm, stat, utimes } from "node:fs/promises";
import type { BigIntStats, PathLike } from "node:fs";

/** Tells whether a file is the one that was seen before. */
export type Signature = string | undefined;
type Look = (file: PathLike, options: { readonly bigint: true }) => Promise<BigIntStats>;

/** `look`: `lstat` for one that may be a link. */
export async function signatureOf(file: PathLike, look: Look = stat): Promise<Signature> {
  const stats = await statOf(file, look);
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/**
 * Copies an index with its time: git looks into a file again only if it changed in the second in which the index was
 * written, or later, so that a younger copy would hide changes. Whole seconds only ever make it look more often.
 */
export async function copyIndex(from: string, to: string, mode = 0): Promise<void> {
  const { atimeMs, mtimeMs } = await stat(from);
  await copyFile(from, to, mode);
  await utimes(to, atimeMs / 1000, Math.floor(mtimeMs / 1000));
}

/**
 * Puts a prepared index in the place of a worktree's, under git's own lock and only if that is still the one that was
 * copied. Answers whether it did. Costs no process.
 */
export async function swapIndex(real: string, prepared: string, seen: Signature): Promise<boolean> {
  const lock = `${real}.lock`;
  try {
    await copyIndex(prepared, lock, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  let held = true;
  try {
    if ((await signatureOf(real)) !== seen) return false;
    await rename(lock, real);
    // From here on a lock of this name is another's.
    held = false;
    return true;
  } finally {
    if (held) await rm(lock, { force: true });
  }
}

async function statOf(file: PathLike, look: Look): Promise<BigIntStats | undefined> {
  try {
    return await look(file, { bigint: true });
  } catch {
    return undefined;
  }
}
