#!/usr/bin/env node
import process from "node:process";
import { chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "./chromium.ts";
import { parseLaunchOptions } from "./launch-options.ts";
import { VSCodeServer } from "./server.ts";
import { testConsole } from "./test-console.ts";

/**
 * Stands in for a desktop VS Code: takes the command line that `@vscode/test-electron` gives one, runs the tests in the
 * server build and a headless Chromium, and exits with the tests' code.
 */
const limit = Number(process.env["BATCH_CONTROL_HOST_TIMEOUT"] ?? 300) * 1000;
const options = parseLaunchOptions(process.argv.slice(2));
const finished = Promise.withResolvers<number>();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => finished.reject(new Error(`stopped by ${signal}`)));
}
const timer = setTimeout(() => {
  finished.reject(new Error(`the tests did not end within ${limit / 1000} s (BATCH_CONTROL_HOST_TIMEOUT)`));
}, limit);

try {
  await using cleanup = new AsyncDisposableStack();
  const server = await VSCodeServer.start({ development: true, trusted: options.trusted });
  cleanup.defer(() => server.stop());
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumFlags] });
  cleanup.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.exposeFunction("codeAutomationLog", testConsole(process.stdout));
  await page.exposeFunction("codeAutomationExit", (code: number) => finished.resolve(code));
  page.once("crash", () => finished.reject(new Error("the browser page crashed")));
  browser.once("disconnected", () => finished.reject(new Error("the browser ended")));
  await page.goto(
    server.windowUrl({
      ...(options.folder === undefined ? {} : { open: options.folder }),
      extension: options.extension,
      payload: [
        ["skipWelcome", "true"],
        ["extensionTestsPath", server.remoteUri(options.tests)],
      ],
    }),
  );
  process.exitCode = await finished.promise;
} catch (error) {
  console.error(`The tests in VS Code could not be run to their end: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  clearTimeout(timer);
}
process.exit();
