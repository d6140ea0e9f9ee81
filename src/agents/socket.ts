import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** macOS has 104 bytes for the address of a socket, with a NUL at its end; Linux has 108. */
const MAX_ADDRESS = 103;

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
  const addressIn = (folder: string): string => path.join(folder, "socket");
  const parent = parents.find(
    (each) => Buffer.byteLength(addressIn(path.join(each, "batch-control-XXXXXX"))) <= MAX_ADDRESS,
  );
  if (parent === undefined)
    throw new Error(`No socket can be made, as these paths are too long: ${parents.join(", ")}`);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(parent, "batch-control-"));
  return { address: addressIn(folder), dispose: () => rm(folder, { recursive: true, force: true }) };
}

/** Of `placeToListen`: the folder for temporary files, else one of the user's own. */
export const listeningFolders = (user: string): readonly string[] => [tmpdir(), user];
