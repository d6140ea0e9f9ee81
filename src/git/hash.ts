import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyOfText } from "./entries.ts";
import { cQuote } from "./quote.ts";
import type { GitRunner } from "./runner.ts";

/** Objects that are acknowledged survive a power cut. */
export const durably = ["-c", "core.fsync=loose-object,reference"] as const;

/** Writes the files' content as git would commit it, clean filters applied; ids in order. */
export async function hashFiles(
  git: GitRunner,
  worktree: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  return ids(
    await git.must(worktree, [...durably, "hash-object", "-w", "--stdin-paths"], { input: lines(paths) }),
    paths.length,
  );
}

/** Writes texts as they are, such as the targets of symbolic links. */
export async function hashTexts(
  git: GitRunner,
  cwd: string,
  texts: readonly Buffer[],
): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "batch-control-links-"));
  try {
    const paths = texts.map((_, index) => join(folder, String(index)));
    await Promise.all(texts.map((text, index) => writeFile(paths[index] ?? "", text)));
    const args = [...durably, "hash-object", "-w", "--no-filters", "--stdin-paths"];
    return ids(await git.must(cwd, args, { input: lines(paths) }), texts.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const lines = (paths: readonly string[]): Buffer =>
  Buffer.concat(paths.flatMap((path) => [cQuote(keyOfText(path)), Buffer.from("\n")]));

function ids(output: Buffer, expected: number): readonly string[] {
  const found = output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
  if (found.length !== expected)
    throw new Error(`git hash-object answered ${found.length} ids for ${expected} files`);
  return found;
}
