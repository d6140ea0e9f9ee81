import Mocha from "mocha";
import { format } from "node:util";
import { isNoise } from "../vscode/noise.ts";
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

/**
 * A window's console is full of the workbench's own lines; the mark tells ours from them. The extension host lets nobody
 * replace its console's methods, so a console of our own stands in front of it.
 */
function markConsole(): void {
  const original = console;
  const mark = (method: "log" | "info" | "warn" | "error") => ({
    value: (...args: unknown[]) => {
      const text = format(...args);
      if (isNoise(text)) return;
      for (const line of text.split("\n")) original[method](testLineMark + line);
    },
  });
  globalThis.console = Object.create(original, {
    log: mark("log"),
    info: mark("info"),
    warn: mark("warn"),
    error: mark("error"),
  }) as Console;
}
