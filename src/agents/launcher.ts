import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";

export interface LauncherDeps {
  /** Where the launchers are to lie. */
  readonly folder: string;
  /** What runs JavaScript, such as `process.execPath`; an Electron is told to be Node. */
  readonly node: string;
  /** The program, as a file. */
  readonly program: string;
}

const NAME = "batch-control";

/** Makes `batch-control` in a folder start the program, for shells and for Windows. What is right already is left alone. */
export async function writeLaunchers({ folder, node, program }: LauncherDeps): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeProgram(path.join(folder, NAME), forShell(node, program)),
    writeProgram(path.join(folder, `${NAME}.cmd`), forWindows(node, program)),
  ]);
}

const forShell = (node: string, program: string): string => `#!/bin/sh
ELECTRON_RUN_AS_NODE=1
export ELECTRON_RUN_AS_NODE
exec ${shellWord(node)} ${shellWord(program)} "$@"
`;

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const forWindows = (node: string, program: string): string =>
  [
    "@echo off",
    "setlocal",
    "set ELECTRON_RUN_AS_NODE=1",
    `${batchWord(node)} ${batchWord(program)} %*`,
    "",
  ].join("\r\n");

/** No Windows path holds a quotation mark. */
const batchWord = (text: string): string => `"${text.replaceAll("%", "%%")}"`;

/** Some terminal may be running the old one, which therefore stays whole. */
async function writeProgram(file: string, text: string): Promise<void> {
  const found = await readFile(file, "utf8").catch(() => undefined);
  if (found === text && ((await stat(file)).mode & 0o111) === 0o111) return;
  const partial = `${file}.${process.pid}.part`;
  await writeFile(partial, text);
  // The mode that a file is made with is less what the user's mask takes away.
  await chmod(partial, 0o755);
  await rename(partial, file);
}
