import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { root } from "../paths.ts";
import { totalsFile } from "./lane.ts";
import type { Lane } from "./lane.ts";
import { judge, readTotals } from "./totals.ts";

export interface NodeLane extends Omit<Lane, "run"> {
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  /** Absolute path of a module that exports `rootHooks` for mocha. */
  readonly hooks?: string;
}

/** A lane of mocha in a plain Node process of its own. */
export function nodeLane({ timeout, hooks, ...lane }: NodeLane): Lane {
  return {
    ...lane,
    async run({ files, grep }) {
      const totals = totalsFile(lane.name);
      await rm(totals, { force: true });
      const args = [
        path.join(import.meta.dirname, "in-node.ts"),
        `--totals=${totals}`,
        `--timeout=${timeout}`,
      ];
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
    },
  };
}
