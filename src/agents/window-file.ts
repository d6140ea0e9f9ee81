import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import * as v from "valibot";
import { listeningFolders, removePlace } from "./socket.ts";

export { userFolder } from "../journal/user-folder.ts";

const schema = v.object({
  version: v.literal(1),
  /** Unix socket or named pipe. */
  address: v.pipe(v.string(), v.nonEmpty()),
  token: v.pipe(v.string(), v.nonEmpty()),
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** A home folder may be shared by several machines, and none can tell which processes of another one run. */
  machine: v.string(),
  /** ISO 8601. */
  startedAt: v.string(),
});

/** Where an open window listens. */
export type WindowEntry = v.InferOutput<typeof schema>;

export interface KnownWindow extends WindowEntry {
  /** Tells it from every other window; `BATCH_CONTROL_WINDOW` in its terminals. */
  readonly name: string;
}

const SUFFIX = ".json";

export const newWindowName = (): string => randomBytes(16).toString("hex");

export const windowsFolder = (user: string): string => path.join(user, "windows");

export const windowFile = (user: string, name: string): string =>
  path.join(windowsFolder(user), `${name}${SUFFIX}`);

/** Makes a window known to this user's processes, and to nobody else's. The file appears when it is whole. */
export async function writeWindow(user: string, name: string, entry: WindowEntry): Promise<void> {
  const folder = windowsFolder(user);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const file = windowFile(user, name);
  const partial = `${file}.part`;
  await writeFile(partial, JSON.stringify(entry), { mode: 0o600 });
  await rename(partial, file);
}

export const removeWindow = (user: string, name: string): Promise<void> =>
  rm(windowFile(user, name), { force: true });

/** What is written there, by any window of this machine, oldest first. What is not one of its files is passed over. */
export async function readWindows(user: string, machine: string): Promise<readonly KnownWindow[]> {
  const names = await readdir(windowsFolder(user)).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => readWindow(user, name.slice(0, -SUFFIX.length))),
  );
  return found
    .filter((window) => window?.machine === machine)
    .filter((window) => window !== undefined)
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.name.localeCompare(b.name));
}

/** Clears away what windows left behind that could not close; nobody else does where the command line is never used. */
export async function removeCrashed(user: string, machine: string): Promise<void> {
  const crashed = (await readWindows(user, machine)).filter((window) => !isRunning(window));
  await Promise.all(crashed.map((window) => clearAway(user, window)));
}

/** What a window left that can no longer run: its socket's folder and its file. */
export async function clearAway(user: string, { address, name }: KnownWindow): Promise<void> {
  await removePlace(address, listeningFolders(user));
  await removeWindow(user, name);
}

export function isRunning({ pid }: Pick<WindowEntry, "pid">): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

async function readWindow(user: string, name: string): Promise<KnownWindow | undefined> {
  const file = windowFile(user, name);
  try {
    const { uid } = await lstat(file);
    // Whoever can write another one's file there could have prompts sent to an endpoint of theirs.
    if (process.getuid && uid !== process.getuid()) return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await readFile(file, "utf8"));
    return parsed.success ? { ...parsed.output, name } : undefined;
  } catch {
    // It was closed meanwhile, or is nothing that can be read.
    return undefined;
  }
}
