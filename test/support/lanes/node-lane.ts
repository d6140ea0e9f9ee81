import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { root } from "../paths.ts";
import { inTurns, severalAtOnce } from "./file-runs.ts";
import type { Lane } from "./lane.ts";
import { MochaProcess } from "./mocha-process.ts";
import type { FileRun } from "./mocha-process.ts";
import { filesToRepeat, judgeFiles, withSecond } from "./totals.ts";
import type { RunTotals } from "./totals.ts";

export interface NodeLane extends Omit<Lane, "run"> {
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  /** Absolute path of a module that exports `rootHooks` for mocha. */
  readonly hooks?: string;
  /**
   * The tests of one file at a time, while the next one prepares: for suites that are driven as a person would, and whose
   * start takes long.
   */
  readonly turns?: boolean;
  /** Files at once where they take no turns; as many as the machine has processors where left out. */
  readonly atOnce?: number;
  /**
   * A few files that failed are run once more, and named: an editor that is slow or takes the focus late fails what a
   * person would just do again.
   */
  readonly repeats?: boolean;
}

/** More suites than this do not fail by chance. */
const MOST_REPEATED = 3;

/** A lane of mocha in plain Node, each file in a process of its own. */
export function nodeLane(options: NodeLane): Lane {
  const {
    timeout,
    hooks,
    turns = false,
    atOnce = availableParallelism(),
    repeats = false,
    ...lane
  } = options;
  const totalsOf = async (files: readonly string[], grep: string | undefined): Promise<RunTotals> => {
    const compileCache = await mkdtemp(path.join(tmpdir(), "batch-control-compiled-"));
    const begin = (file: string): MochaProcess =>
      new MochaProcess({ file, timeout, grep, hooks, turns, compileCache });
    try {
      const runs = await (turns ? inTurns(files, begin) : severalAtOnce(files, atOnce, begin));
      tellBroken(runs);
      return judgeFiles(runs);
    } finally {
      await rm(compileCache, { recursive: true, force: true });
    }
  };
  return {
    ...lane,
    async run({ files, grep }) {
      const first = await totalsOf(files, grep);
      const failed = repeats ? filesToRepeat(first, MOST_REPEATED) : [];
      if (failed.length === 0) return first;
      const names = failed.map((file) => path.relative(root, file)).join(", ");
      console.log(`Once more, in a fresh workbench: ${names}`);
      const second = withSecond(first, await totalsOf(failed, grep));
      if (second.failed === 0) console.log(`Unsteady: failed once and passed once: ${names}`);
      return second;
    },
  };
}

/** Failures lie between the files that passed: names where to look. */
function tellBroken(runs: readonly FileRun[]): void {
  for (const { file, totals, exitCode } of runs) {
    const name = path.relative(root, file);
    if (totals === undefined) console.error(`Broke off (exit code ${exitCode}): ${name}`);
    else if (totals.failed > 0) console.error(`Failed: ${name}`);
    else if (exitCode !== 0) console.error(`Ended with exit code ${exitCode}: ${name}`);
  }
}
