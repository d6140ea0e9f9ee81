/**
 * What the activation costs a window, as the editor's "Running Extensions" counts it: compiling the code and running
 * `activate` until it first waits, while the window opens. Beside it the built-in git extension, in the same windows.
 * `node test/bench/activation.bench.ts [windows]` builds as for a release and prints a table. Nothing of it is a bound.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildExtension } from "../support/build.ts";
import { createSample } from "../support/sample.ts";
import { until } from "../support/workbench/until.ts";
import { Workbench } from "../support/workbench/workbench.ts";

if (!buildExtension("--production")) throw new Error("The build failed.");
const windows = Number(process.argv[2] ?? 7);
const names = ["Batch Control", "Git"] as const;
const measured = names.map((name) => ({ name, ms: [] as number[] }));
const folder = await mkdtemp(path.join(tmpdir(), "batch-control-bench-"));
try {
  const sample = await createSample(folder);
  await using stack = new AsyncDisposableStack();
  const workbench = await Workbench.start();
  stack.defer(() => workbench.stop());
  for (let opened = 0; opened < windows; opened += 1) {
    const window = await workbench.open(sample.workspace);
    await window.bridge.command("workbench.action.showRuntimeExtensions");
    for (const { name, ms } of measured) {
      const row = window.page.locator(".runtime-extensions-editor .extension", {
        has: window.page.locator(`.name:text-is("${name}")`),
      });
      ms.push(
        await until(`the activation time of ${name}`, async () => {
          const text = await row.locator(".activation-time").textContent();
          const found = /: (\d+)ms/.exec(text ?? "")?.[1];
          return found === undefined ? undefined : Number(found);
        }),
      );
    }
    await window.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const rows = measured.map(({ name, ms: unsorted }) => {
  const ms = unsorted.toSorted((a, b) => a - b);
  return { extension: name, median: ms[Math.floor(ms.length / 2)] ?? 0, least: ms[0], most: ms.at(-1) };
});
const [ours, git] = rows.map(({ median }) => median);
console.log(
  `Activation in ms, ${windows} windows; ${((ours ?? 0) / (git ?? 1)).toFixed(2)} of what git's costs`,
);
console.table(rows);
