import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { root } from "../paths.ts";
import { totalsFile } from "./lane.ts";
import type { Lane } from "./lane.ts";
import { judge, readTotals } from "./totals.ts";

/** A lane of mocha in a plain Node process of its own. */
export function nodeLane(lane: Omit<Lane, "run">): Lane {
  return {
    ...lane,
    async run({ files, grep }) {
      const totals = totalsFile(lane.name);
      await rm(totals, { force: true });
      const args = [path.join(import.meta.dirname, "in-node.ts"), lane.name, totals, ...files];
      const env = { ...process.env, ...(grep === undefined ? {} : { BATCH_CONTROL_TEST_GREP: grep }) };
      const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
      const forward = (signal: NodeJS.Signals): boolean => child.kill(signal);
      process.on("SIGTERM", forward);
      const [code] = (await once(child, "exit")) as [number | null];
      process.off("SIGTERM", forward);
      return judge(await readTotals(totals), code ?? 1);
    },
  };
}
