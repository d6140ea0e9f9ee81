import { glob } from "node:fs/promises";
import path from "node:path";
import { outDir, root } from "../paths.ts";
import type { Totals } from "./totals.ts";

export interface LaneRequest {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly grep: string | undefined;
}

export interface Lane {
  readonly name: string;
  /** Needs VS Code, and a browser where that is the server build. */
  readonly workbench: boolean;
  /** There may be no such tests yet; a run of all lanes then passes it over. */
  readonly optional?: boolean;
  /** Rejects when the tests could not be run at all. */
  run(request: LaneRequest): Promise<Totals>;
}

/** The lane's test files in a steady order; with filters, those whose path contains one of them. */
export async function testFiles(lane: string, filters: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(`test/${lane}/**/*.test.ts`, { cwd: root })) {
    if (filters.length === 0 || filters.some((filter) => file.includes(filter)))
      found.push(path.join(root, file));
  }
  return found.sort();
}

export function totalsFile(lane: string): string {
  return path.join(outDir, `${lane}-totals.json`);
}
