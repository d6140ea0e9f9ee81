import { open } from "node:fs/promises";
import { InputError } from "../../core/errors.ts";

/** More than a model can read at once. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The text of a file. Rejects with `InputError` naming the field and the file where it is missing, too large or no text. */
export async function readSource(path: string, field: string): Promise<string> {
  const refuse = (what: string, reason: string): InputError =>
    new InputError(field, `${path} ${what}`, reason);
  let bytes: Buffer;
  try {
    await using file = await open(path);
    const info = await file.stat();
    if (!info.isFile()) throw refuse("is not a file", "not-a-file");
    if (info.size > MAX_FILE_BYTES)
      throw refuse(
        `is ${(info.size / 1_000_000).toFixed(1)} MB; a prompt takes at most ${(MAX_FILE_BYTES / 1_000_000).toFixed(1)} MB`,
        "file-too-large",
      );
    bytes = await file.readFile();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") throw refuse("does not exist", "file-missing");
    throw refuse(
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      "file-unreadable",
    );
  }
  if (bytes.includes(0)) throw refuse("is binary", "file-binary");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("is not UTF-8 text", "file-binary");
  }
}
