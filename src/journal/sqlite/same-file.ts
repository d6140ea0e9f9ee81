import { statSync } from "node:fs";

/**
 * Tells later whether the file of this name is still the one that it is now. A database whose file was removed or replaced
 * goes on without an error, in a file that nobody can open again.
 */
export function sameFile(path: string): () => boolean {
  const opened = identity(path);
  return () => identity(path) === opened;
}

/** Device and number of the file; `undefined` where there is none. */
function identity(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}
