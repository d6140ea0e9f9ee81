import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { isatty } from "node:tty";
import { parseArgs } from "node:util";
import { buildExtension } from "../build.ts";
import { outDir, root } from "../paths.ts";
import { ensureWorkbench } from "../vscode/ensure.ts";
import { hostLane } from "./host-lane.ts";
import { testFiles } from "./lane.ts";
import type { Lane } from "./lane.ts";
import { nodeLane } from "./node-lane.ts";
import { addTotals } from "./totals.ts";
import type { Totals } from "./totals.ts";

/** `main.ts [LANE…] [--grep REGEX] [PART OF A FILE'S PATH…]`: builds, runs the lanes and sums them up in the last line. */
const support = path.join(root, "test", "support");
const lanes: readonly Lane[] = [
  nodeLane({ name: "unit", workbench: false, timeout: 10_000 }),
  hostLane,
  nodeLane({
    name: "e2e",
    workbench: true,
    timeout: 120_000,
    hooks: path.join(support, "workbench", "evidence.ts"),
    turns: true,
    repeats: true,
  }),
  // They count how often chance strikes, which is less often on a busy machine.
  nodeLane({ name: "faults", workbench: false, timeout: 120_000, atOnce: 1, optional: true }),
];
const failure: Totals = { passed: 0, failed: 1, skipped: 0 };

const { values, positionals } = parseArgs({ options: { grep: { type: "string" } }, allowPositionals: true });
const named = lanes.filter(({ name }) => positionals.includes(name));
const filters = positionals.filter((word) => !lanes.some(({ name }) => name === word));
// Mocha's symbols are coloured on every CI machine, whatever the output goes to.
if (!isatty(1)) process.env["NO_COLOR"] = "1";
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
const all = await runAll(named.length > 0 ? named : lanes, named.length > 0);
console.log(`${all.passed} passed, ${all.failed} failed`);
process.exit(all.failed === 0 ? 0 : 1);

async function runAll(chosen: readonly Lane[], asked: boolean): Promise<Totals> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const results: Totals[] = [];
  if (!buildExtension()) {
    console.error("The build failed: the lanes that load the extension will, too.");
    results.push(failure);
  }
  const missing = chosen.some(({ workbench }) => workbench)
    ? await ensureWorkbench().catch(reason)
    : undefined;
  const left: string[] = [];
  for (const lane of chosen) {
    const files = await testFiles(lane.name, filters);
    if (files.length === 0 && lane.optional && !asked) continue;
    if (lane.workbench && missing !== undefined) {
      left.push(lane.name);
      results.push(failure);
      continue;
    }
    results.push(await runLane(lane, files));
  }
  if (left.length > 0) console.error(`\nDid not run: ${left.join(", ")}. ${missing ?? ""}`);
  return addTotals(results);
}

async function runLane(lane: Lane, files: readonly string[]): Promise<Totals> {
  console.log(`\n── ${lane.name} ──`);
  const begun = Date.now();
  const totals = files.length === 0 ? failure : await lane.run({ files, grep: values.grep }).catch(crashed);
  if (files.length === 0) console.error(`No test file in test/${lane.name} matches.`);
  const seconds = Math.round((Date.now() - begun) / 1000);
  console.log(
    `${lane.name}: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped in ${seconds} s`,
  );
  return totals;
}

function crashed(error: unknown): Totals {
  console.error(error);
  return failure;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
