import type { Context, RootHookObject } from "mocha";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { runMocha } from "./run-mocha.ts";
import { takeTurn } from "./turn.ts";
import { writeTotals } from "./totals.ts";

/** The process of a lane that runs in plain Node: its arguments are test files. */
const { values, positionals } = parseArgs({
  options: {
    totals: { type: "string" },
    /** Milliseconds a test may take. */
    timeout: { type: "string" },
    grep: { type: "string" },
    /** A module that exports `rootHooks`. */
    hooks: { type: "string" },
    /** The first test waits for the lane's word. */
    turns: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

async function rootHooks(file: string | undefined): Promise<RootHookObject> {
  if (file === undefined) return {};
  return ((await import(pathToFileURL(file).href)) as { rootHooks: RootHookObject }).rootHooks;
}

/** The word is asked for after the suites' own preparations, and once. */
function turnHooks(): RootHookObject {
  let turn: Promise<void> | undefined;
  return {
    async beforeEach(this: Context) {
      if (turn !== undefined) return;
      this.timeout(0);
      turn = takeTurn();
      await turn;
    },
  };
}

// The cache is for this process: what the tests start has its own ways.
delete process.env["NODE_COMPILE_CACHE"];
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const totals = await runMocha({
  timeout: Number(values.timeout),
  grep: values.grep,
  rootHooks: [...(values.turns ? [turnHooks()] : []), await rootHooks(values.hooks)],
  load: async (mocha) => {
    for (const file of positionals) mocha.addFile(file);
    await mocha.loadFilesAsync();
  },
});
if (values.totals !== undefined) await writeTotals(values.totals, totals);
// What a test left open must not keep the lane from ending.
process.exit(totals.failed === 0 ? 0 : 1);
