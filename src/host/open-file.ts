import { constants, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { InputError } from "../core/errors.ts";

/** Opens a regular file to read. Rejects with an `InputError` that names the field and the path where it is none. */
export async function openFile(path: string, field: string): Promise<FileHandle> {
  const refuse = (what: string, reason: string): InputError =>
    new InputError(field, `${path} ${what}`, reason);
  try {
    // Opening a pipe would wait for its other end, and hold a thread of the pool for as long.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") throw refuse("does not exist", "file-missing");
    throw refuse(
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      "file-unreadable",
    );
  }
  throw refuse("is not a file", "not-a-file");
}
