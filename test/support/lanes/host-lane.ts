import { build } from "esbuild";
import { runTests } from "@vscode/test-electron";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { outDir, root } from "../paths.ts";
import { createSample } from "../sample.ts";
import { findDesktop } from "../vscode/desktop.ts";
import { hostEnvironment, testLineMark } from "./host-protocol.ts";
import { totalsFile } from "./lane.ts";
import type { Lane, LaneRequest } from "./lane.ts";
import { judge, readTotals } from "./totals.ts";
import type { Totals } from "./totals.ts";

/** Mocha in the extension host of a real VS Code, by way of `@vscode/test-electron`. */
export const hostLane: Lane = { name: "host", workbench: true, run };

const shim = path.join(root, "test", "support", "vscode", "vscode-server.ts");
const bundle = path.join(outDir, "host.cjs");
const logFile = path.join(outDir, "host.log");

async function run({ files, grep }: LaneRequest): Promise<Totals> {
  await bundleTests(files);
  const totals = totalsFile("host");
  await rm(totals, { force: true });
  const temp = await mkdtemp(path.join(tmpdir(), "bc-host-"));
  try {
    const sample = await createSample(path.join(temp, "sample"));
    const code = await launch(temp, sample.clone, {
      [hostEnvironment.totals]: totals,
      [hostEnvironment.sample]: sample.root,
      ...(grep === undefined ? {} : { [hostEnvironment.grep]: grep }),
    });
    const found = await readTotals(totals);
    if (found === undefined)
      console.error(`The tests did not run to their end. What VS Code printed is in ${logFile}`);
    return judge(found, code);
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

/** One file for the extension host, which cannot load TypeScript. Mocha itself is taken from node_modules. */
async function bundleTests(files: readonly string[]): Promise<void> {
  const support = path.join(import.meta.dirname, "in-host.ts");
  const entries = files.map((file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(file)}),`);
  await build({
    stdin: {
      contents: `import { runInHost } from ${JSON.stringify(support)};
export const run = () => runInHost({ ${entries.join("\n")} });`,
      resolveDir: root,
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
    outfile: bundle,
    logLevel: "warning",
  });
}

async function launch(temp: string, folder: string, environment: Record<string, string>): Promise<number> {
  const userData = path.join(temp, "u");
  await mkdir(path.join(userData, "User"), { recursive: true });
  await writeFile(
    path.join(userData, "User", "settings.json"),
    JSON.stringify({ "chat.disableAIFeatures": true }),
  );
  const log = createWriteStream(logFile);
  const output = testLines(log);
  try {
    return await runTests({
      vscodeExecutablePath: findDesktop() ?? shim,
      extensionDevelopmentPath: root,
      extensionTestsPath: bundle,
      extensionTestsEnv: environment,
      launchArgs: [folder, `--user-data-dir=${userData}`, `--extensions-dir=${path.join(temp, "x")}`],
      stdout: output,
      stderr: output,
    });
  } catch (error) {
    log.write(`${String(error)}\n`);
    return 1;
  } finally {
    log.end();
    await finished(log);
  }
}

/** Prints the lines of the tests, and puts everything else into the log only. */
function testLines(log: Writable): Writable {
  let rest = "";
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const lines = (rest + chunk.toString()).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const at = line.indexOf(testLineMark);
        if (at === -1) log.write(`${line}\n`);
        else console.log(line.slice(at + testLineMark.length));
      }
      done();
    },
  });
}
