import { randomBytes } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, rm, rmdir, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** macOS has 104 bytes for the address of a socket, with a NUL at its end; Linux has 108. */
const MAX_ADDRESS = 103;
const SOCKET = "socket";
const PREFIX = "batch-control-";

export interface Place {
  /** Unix socket or named pipe. */
  readonly address: string;
  readonly dispose: () => Promise<void>;
}

/**
 * A place to listen in that only this user can enter: a new folder in the first of `parents` whose path is short enough.
 * Rejects where all are too long.
 */
export async function placeToListen(parents: readonly string[]): Promise<Place> {
  if (process.platform === "win32") {
    const address = `\\\\.\\pipe\\batch-control-${randomBytes(16).toString("hex")}`;
    return { address, dispose: () => Promise.resolve() };
  }
  const addressIn = (folder: string): string => path.join(folder, SOCKET);
  const parent = parents.find(
    (each) => Buffer.byteLength(addressIn(path.join(each, `${PREFIX}XXXXXX`))) <= MAX_ADDRESS,
  );
  if (parent === undefined)
    throw new Error(`No socket can be made, as these paths are too long: ${parents.join(", ")}`);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(parent, PREFIX));
  return { address: addressIn(folder), dispose: () => rm(folder, { recursive: true, force: true }) };
}

/** Of `placeToListen`: the folder for temporary files, else one of the user's own. */
export const listeningFolders = (user: string): readonly string[] => [tmpdir(), user];

/**
 * Removes what `placeToListen` made for a process that has died. An address is read from a file, so only a folder that is
 * named like one of ours in one of `parents`, belongs to this user and holds nothing but the socket is touched.
 */
export async function removePlace(address: string, parents: readonly string[]): Promise<void> {
  const folder = path.dirname(address);
  const isOurs =
    path.basename(address) === SOCKET &&
    path.basename(folder).startsWith(PREFIX) &&
    parents.includes(path.dirname(folder));
  if (!isOurs || !process.getuid) return;
  try {
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid()) return;
    const names = await readdir(folder);
    if (names.some((name) => name !== SOCKET)) return;
    if (names.length > 0) {
      if (!(await lstat(address)).isSocket()) return;
      await unlink(address);
    }
    await rmdir(folder);
  } catch {
    // Somebody else has cleared it away, or it stays.
  }
}
