import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { root } from "../paths.ts";
import { totalsFile } from "./lane.ts";
import type { Lane } from "./lane.ts";
import { filesToRepeat, judge, readTotals, withSecond } from "./totals.ts";
import type { RunTotals } from "./totals.ts";

export interface NodeLane extends Omit<Lane, "run"> {
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  /** Absolute path of a module that exports `rootHooks` for mocha. */
  readonly hooks?: string;
  /**
   * A few files that failed are run once more, and named: an editor that is slow or takes the focus late fails what a
   * person would just do again.
   */
  readonly repeats?: boolean;
}

/** More suites than this do not fail by chance. */
const MOST_REPEATED = 3;

/** A lane of mocha in a plain Node process of its own. */
export function nodeLane({ timeout, hooks, repeats = false, ...lane }: NodeLane): Lane {
  const totalsOf = async (files: readonly string[], grep: string | undefined): Promise<RunTotals> => {
    const totals = totalsFile(lane.name);
    await rm(totals, { force: true });
    const args = [path.join(import.meta.dirname, "in-node.ts"), `--totals=${totals}`, `--timeout=${timeout}`];
    if (grep !== undefined) args.push(`--grep=${grep}`);
    if (hooks !== undefined) args.push(`--hooks=${hooks}`);
    const child = spawn(process.execPath, [...args, ...files], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const stop = (): boolean => child.kill("SIGTERM");
    process.on("exit", stop);
    const [code] = (await once(child, "exit")) as [number | null];
    process.off("exit", stop);
    return judge(await readTotals(totals), code ?? 1);
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
