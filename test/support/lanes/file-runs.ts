import type { FileRun } from "./mocha-process.ts";

/** A file's process, as far as its order among others goes. */
export interface Runnable {
  readonly ended: Promise<FileRun>;
  readonly prepared: Promise<unknown>;
  go(): void;
}

/** Runs files in this order, `most` at once; each is shown when it has ended. */
export async function severalAtOnce(
  files: readonly string[],
  most: number,
  begin: (file: string) => Runnable,
): Promise<FileRun[]> {
  const waiting = files.values();
  const runs: FileRun[] = [];
  const work = async (): Promise<void> => {
    // One iterator for all: each file is taken once.
    for (const file of waiting) {
      const process = begin(file);
      runs.push(await process.ended);
      process.go();
    }
  };
  await Promise.all(Array.from({ length: most }, work));
  return runs;
}

/** Runs the tests of one file after the other, and lets each prepare while those of the one before run. */
export async function inTurns(
  files: readonly string[],
  begin: (file: string) => Runnable,
): Promise<FileRun[]> {
  const runs: Promise<FileRun>[] = [];
  for (const file of files) {
    const process = begin(file);
    await runs.at(-1);
    process.go();
    runs.push(process.ended);
    await process.prepared;
  }
  return Promise.all(runs);
}
