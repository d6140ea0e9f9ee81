import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { chmod, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../core/errors.ts";

/**
 * Writes a file that appears when it is whole; one that was there keeps its permissions, and a link stays a link. Rejects
 * with `InputError` where it cannot be written.
 */
export async function writeWhole(file: string, chunks: () => AsyncIterable<string>): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const folder = dirname(target);
  if (!(await isFolder(folder))) throw new InputError("file", `there is no folder ${folder}`);
  const before = await stat(target).catch(() => undefined);
  if (before?.isDirectory()) throw unwritable(file, "EISDIR");
  // A device or a pipe would be gone, with a file in its place.
  if (before && !before.isFile())
    throw new InputError("file", `${file} is not a plain file; name another one`);
  const partial = join(folder, `.${randomUUID()}.part`);
  try {
    await pipeline(chunks, createWriteStream(partial, { flags: "wx" }));
    if (before) await chmod(partial, before.mode);
    await rename(partial, target);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    await rm(partial, { force: true });
    throw typeof code === "string" ? unwritable(file, code) : error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );

const noPermission = "you may not write there; choose another place";
/** What the codes of the operating system mean; https://nodejs.org/api/errors.html#common-system-errors */
const causes: Readonly<Record<string, string>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: "that place is read-only; choose another one",
  EISDIR: "it is a folder; name a file",
  ENAMETOOLONG: "its name is too long; give a shorter one",
  ENOSPC: "the disk is full; make room or choose another place",
  EDQUOT: "your share of the disk is full; make room or choose another place",
};

const unwritable = (file: string, code: string): InputError =>
  new InputError("file", `${file} cannot be written: ${causes[code] ?? `choose another place (${code})`}`);
