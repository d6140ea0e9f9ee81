import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildExtension } from "./build.ts";
import { openBrowser } from "./open-browser.ts";
import { createSample, sampleGitEnv } from "./sample.ts";
import { startSimulator } from "./simulator/index.ts";
import { ensureCodeServer } from "./vscode/code-server.ts";
import { VSCodeServer } from "./vscode/server.ts";
import { stagedExtension } from "./vscode/staged-extension.ts";

/**
 * `npm start`: VS Code in the browser with the extension, on a sample workspace or on `--repo PATH`, and a simulator in
 * place of the LLM providers, so that no key is needed and no money is spent.
 */
const { values } = parseArgs({ options: { repo: { type: "string" }, "no-open": { type: "boolean" } } });
const stopped = Promise.withResolvers<string>();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => stopped.resolve("Stopped."));

try {
  await demo();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function demo(): Promise<void> {
  if (!buildExtension()) throw new Error("The build failed.");
  await ensureCodeServer();
  await using cleanup = new AsyncDisposableStack();
  const target =
    values.repo === undefined ? await sampleTarget(cleanup) : await repositoryTarget(values.repo);
  const simulator = await startSimulator({ autoEndMs: 3000 });
  cleanup.defer(() => simulator.close());
  const server = await VSCodeServer.start({
    extensions: [await stagedExtension(), path.join(import.meta.dirname, "demo")],
    env: { ...target.env, ANTHROPIC_API_KEY: "no-key-needed", OPENAI_API_KEY: "no-key-needed" },
    settings: {
      "batchControl.llm.anthropic.baseUrl": simulator.url,
      "batchControl.llm.openai.baseUrl": `${simulator.url}/v1`,
      "batchControl.llm.pollInterval": 2,
    },
  });
  cleanup.defer(() => server.stop());
  void server.ended.then(() => stopped.resolve("The VS Code server has ended."));

  const url = server.windowUrl({ open: target.open });
  console.log(`\nBatch Control runs in VS Code at\n\n  ${url}\n`);
  console.log(`Open in it: ${target.open}\nIn place of the LLM providers: a simulator at ${simulator.url}`);
  console.log("Ctrl-C ends all of it.");
  if (!values["no-open"]) openBrowser(url);
  console.log(await stopped.promise);
}

interface Target {
  readonly open: string;
  readonly env: Readonly<Record<string, string>>;
}

async function sampleTarget(cleanup: AsyncDisposableStack): Promise<Target> {
  const folder = await mkdtemp(path.join(tmpdir(), "batch-control-demo-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return { open: (await createSample(folder)).workspace, env: sampleGitEnv };
}

/** A path is taken from where the person typed it, which npm notes: it runs scripts in the project's folder. */
async function repositoryTarget(repo: string): Promise<Target> {
  const folder = path.resolve(process.env["INIT_CWD"] ?? process.cwd(), repo);
  const open = await realpath(folder).catch(() => {
    throw new Error(`There is no folder ${folder}.`);
  });
  return { open, env: {} };
}
