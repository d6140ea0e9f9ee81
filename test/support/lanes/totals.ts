import { readFile, writeFile } from "node:fs/promises";

/** What a run of tests came to. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function addTotals(all: readonly Totals[]): Totals {
  const sum = (key: keyof Totals): number => all.reduce((total, each) => total + each[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

export async function writeTotals(file: string, totals: Totals): Promise<void> {
  await writeFile(file, JSON.stringify(totals));
}

/** Undefined where the run did not come to its end. */
export async function readTotals(file: string): Promise<Totals | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Totals;
  } catch {
    return undefined;
  }
}

/**
 * A lane's totals as they are counted: one that broke off, ended with an error nobody counted, or ran no test has failed
 * once.
 */
export function judge(totals: Totals | undefined, exitCode: number): Totals {
  if (totals === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const silent = totals.failed === 0 && (exitCode !== 0 || totals.passed === 0);
  return silent ? { ...totals, failed: 1 } : totals;
}
