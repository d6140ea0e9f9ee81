import type { RootHookObject } from "mocha";
import { runMocha } from "./run-mocha.ts";
import { writeTotals } from "./totals.ts";

/** `in-node.ts LANE TOTALS FILE…`: the process of a lane that runs in plain Node. */
const [lane, totalsFile, ...files] = process.argv.slice(2);
if (lane === undefined || totalsFile === undefined) throw new Error("Usage: in-node.ts LANE TOTALS FILE…");

const timeouts: Readonly<Record<string, number>> = { unit: 10_000, e2e: 120_000, faults: 120_000 };

async function rootHooks(): Promise<RootHookObject> {
  return lane === "e2e" ? (await import("../workbench/evidence.ts")).evidenceHooks : {};
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const totals = await runMocha({
  timeout: timeouts[lane] ?? 10_000,
  grep: process.env["BATCH_CONTROL_TEST_GREP"],
  rootHooks: await rootHooks(),
  load: async (mocha) => {
    for (const file of files) mocha.addFile(file);
    await mocha.loadFilesAsync();
  },
});
await writeTotals(totalsFile, totals);
// What a test left open must not keep the lane from ending.
process.exit(totals.failed === 0 ? 0 : 1);
