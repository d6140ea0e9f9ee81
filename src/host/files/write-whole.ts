import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../core/errors.ts";

/** Writes a file that appears when it is whole. Rejects with `InputError` where it cannot be written. */
export async function writeWhole(file: string, chunks: () => AsyncIterable<string>): Promise<void> {
  const folder = await stat(dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new InputError("file", `there is no folder ${dirname(file)}`);
  const partial = `${file}.${randomUUID()}.part`;
  try {
    await pipeline(chunks, createWriteStream(partial, { flags: "wx" }));
    await rename(partial, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    await rm(partial, { force: true });
    if (typeof code === "string")
      throw new InputError("file", `cannot be written: ${error instanceof Error ? error.message : code}`);
    throw error;
  }
}
