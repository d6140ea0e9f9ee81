import Mocha from "mocha";
import { format } from "node:util";
import { hostEnvironment, testLineMark } from "./host-protocol.ts";
import { runMocha } from "./run-mocha.ts";
import { writeTotals } from "./totals.ts";

/** Runs test modules in the extension host; each loads its file when called. Throws when one failed, as VS Code expects. */
export async function runInHost(modules: Readonly<Record<string, () => unknown>>): Promise<void> {
  markConsole();
  Mocha.reporters.Base.consoleLog = console.log;
  const totals = await runMocha({
    timeout: 30_000,
    grep: process.env[hostEnvironment.grep],
    load: (mocha) => {
      mocha.suite.emit("pre-require", globalThis, "", mocha);
      for (const load of Object.values(modules)) load();
      return Promise.resolve();
    },
  });
  const file = process.env[hostEnvironment.totals];
  if (file !== undefined) await writeTotals(file, totals);
  if (totals.failed > 0) throw new Error(`${totals.failed} tests failed`);
}

/** A window's console is full of the workbench's own lines; the mark tells ours from them. */
function markConsole(): void {
  for (const method of ["log", "info", "warn", "error"] as const) {
    const original = console[method].bind(console);
    console[method] = (...args: unknown[]) => {
      for (const line of format(...args).split("\n")) original(testLineMark + line);
    };
  }
}
