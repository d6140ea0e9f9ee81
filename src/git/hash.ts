import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyOfText } from "./entries.ts";
import type { PathKey } from "./entries.ts";
import { cQuote } from "./quote.ts";
import type { GitRunner } from "./runner.ts";
import { scratchRunner } from "./runner-with.ts";

/** Objects that are acknowledged survive a power cut. */
export const durably = ["-c", "core.fsync=loose-object,reference"] as const;

/** From so many on one pack is written: to flush each object by itself takes milliseconds. */
const MANY = 100;

export interface ObjectPlace {
  readonly commonDir: string;
  /** Where paths are relative to. */
  readonly cwd: string;
}

/** Writes the files' content as git would commit it, clean filters applied; ids in order. */
export function hashFiles(
  git: GitRunner,
  place: ObjectPlace,
  paths: readonly PathKey[],
): Promise<readonly string[]> {
  return writeBlobs(git, place, [], paths);
}

/** Writes texts as they are, such as the targets of symbolic links. */
export async function hashTexts(
  git: GitRunner,
  place: ObjectPlace,
  texts: readonly Buffer[],
): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "batch-control-links-"));
  try {
    const paths = texts.map((_, index) => join(folder, String(index)));
    await Promise.all(texts.map((text, index) => writeFile(paths[index] ?? "", text)));
    return await writeBlobs(git, place, ["--no-filters"], paths.map(keyOfText));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeBlobs(
  git: GitRunner,
  { commonDir, cwd }: ObjectPlace,
  options: readonly string[],
  paths: readonly PathKey[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const input = Buffer.concat(paths.flatMap((path) => [cQuote(path), Buffer.from("\n")]));
  const hash = async (runner: GitRunner, sync: readonly string[]): Promise<readonly string[]> =>
    ids(
      await runner.must(cwd, [...sync, "hash-object", "-w", ...options, "--stdin-paths"], { input }),
      paths.length,
    );
  const objects = join(commonDir, "objects");
  // Within the repository, so that the pack can be moved to its place; of this name, so that `git prune` takes what a crash leaves.
  const scratch =
    paths.length < MANY
      ? undefined
      : await mkdtemp(join(objects, "tmp_objdir-batch-control-")).catch(() => undefined);
  if (scratch === undefined) return hash(git, durably);
  try {
    const runner = scratchRunner(git, commonDir, scratch);
    const found = await hash(runner, ["-c", "core.fsync=none"]);
    const pack = ["pack-objects", "-q", "--window=0", join(objects, "pack", "pack")];
    await runner.must(cwd, ["-c", "core.fsync=pack,pack-metadata", ...pack], {
      input: [...new Set(found)].map((oid) => `${oid}\n`).join(""),
    });
    return found;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function ids(output: Buffer, expected: number): readonly string[] {
  const found = output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
  if (found.length !== expected)
    throw new Error(`git hash-object answered ${found.length} ids for ${expected} files`);
  return found;
}
