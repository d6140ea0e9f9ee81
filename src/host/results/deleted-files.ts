import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Change } from "./changes.ts";

/** A file as it was before it was deleted. */
export interface DeletedFile {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mode?: number;
}

/** Names of files. */
export interface Restored {
  readonly restored: readonly string[];
  /** Something is there again by that name, or it cannot be written. */
  readonly left: readonly string[];
}

/**
 * Keeps the files that changes would delete, for the editor has no undo for a deletion that comes alone. Each as it is stored,
 * whatever its encoding, or as an editor holds it unsaved.
 */
export async function keepDeleted(
  changes: readonly Change[],
  isUnsaved: (path: string) => boolean,
): Promise<readonly DeletedFile[]> {
  const kept: DeletedFile[] = [];
  for (const { path, name, before, after } of changes) {
    if (before === undefined || after !== undefined) continue;
    const stored = isUnsaved(path) ? undefined : await readFile(path).catch(() => undefined);
    const info = await stat(path).catch(() => undefined);
    kept.push({
      path,
      name,
      bytes: stored ?? new TextEncoder().encode(before),
      ...(info ? { mode: info.mode } : {}),
    });
  }
  return kept;
}

/** Writes the files again, and over none that is there. */
export async function restoreDeleted(files: readonly DeletedFile[]): Promise<Restored> {
  const restored: string[] = [];
  const left: string[] = [];
  for (const { path, name, bytes, mode } of files) {
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
      restored.push(name);
    } catch {
      left.push(name);
    }
  }
  return { restored, left };
}
