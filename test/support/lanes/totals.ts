import { readFile, writeFile } from "node:fs/promises";

/** What a run of tests came to. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A run's totals, and those of each file by its absolute path; a failure that belongs to no file is only in the whole. */
export interface RunTotals extends Totals {
  readonly files: Readonly<Record<string, Totals>>;
}

/** The files that a second attempt may help: none where a failure belongs to no file, or where more than a few failed. */
export function filesToRepeat({ files, ...totals }: RunTotals, most: number): readonly string[] {
  const failed = Object.keys(files).filter((file) => (files[file]?.failed ?? 0) > 0);
  const known = addTotals(Object.values(files));
  return known.failed === totals.failed && failed.length <= most ? failed : [];
}

/**
 * The totals of a run, where what the second run says of a file counts instead of what the first said. A second run that
 * failed beyond its files changes nothing.
 */
export function withSecond(first: RunTotals, second: RunTotals): RunTotals {
  if (addTotals(Object.values(second.files)).failed !== second.failed) return first;
  const files = { ...first.files, ...second.files };
  return { ...addTotals(Object.values(files)), files };
}

export function addTotals(all: readonly Totals[]): Totals {
  const sum = (key: keyof Totals): number => all.reduce((total, each) => total + each[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

export async function writeTotals(file: string, totals: RunTotals): Promise<void> {
  await writeFile(file, JSON.stringify(totals));
}

/** Undefined where the run did not come to its end. */
export async function readTotals(file: string): Promise<RunTotals | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as RunTotals;
  } catch {
    return undefined;
  }
}

/**
 * A lane's totals as they are counted: one that broke off, ended with an error nobody counted, or ran no test has failed
 * once.
 */
export function judge(totals: RunTotals | undefined, exitCode: number): RunTotals {
  if (totals === undefined) return { passed: 0, failed: 1, skipped: 0, files: {} };
  const silent = totals.failed === 0 && (exitCode !== 0 || totals.passed === 0);
  return silent ? { ...totals, failed: 1 } : totals;
}

/**
 * The totals of files that ran in processes of their own. One that broke off, or ended with an error nobody counted, has
 * failed once by itself; that one of them ran no test is no failure while another did.
 */
export function judgeFiles(
  runs: readonly { readonly totals: RunTotals | undefined; readonly exitCode: number }[],
): RunTotals {
  const whole = runs.map(({ totals, exitCode }) =>
    totals !== undefined && exitCode === 0 ? totals : judge(totals, exitCode),
  );
  const files = Object.assign({}, ...whole.map((each) => each.files)) as RunTotals["files"];
  return judge({ ...addTotals(whole), files }, 0);
}
