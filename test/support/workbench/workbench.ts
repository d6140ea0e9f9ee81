import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import type { BrowserContext } from "playwright-core";
import { root } from "../paths.ts";
import { sampleGitEnv } from "../sample.ts";
import { chromiumFlags, ensureChromium } from "../vscode/chromium.ts";
import { stagedExtension } from "../vscode/staged-extension.ts";
import { VSCodeServer } from "../vscode/server.ts";
import type { ServerOptions } from "../vscode/server.ts";
import { keepEvidence, openWorkbenches } from "./evidence.ts";
import { WorkbenchWindow } from "./window.ts";

export type WorkbenchOptions = Pick<ServerOptions, "trusted" | "settings" | "env" | "locale">;

/**
 * What the product, its users in the tests, and the sample's files have to do with. The others, such as the language
 * servers and sign-ins that every window starts, cost it a fifth of its start; the host lane and `npm start` have all.
 */
const builtIn = [
  ...[
    "git",
    "git-base",
    "diff",
    "theme-defaults",
    "theme-seti",
    "javascript",
    "json",
    "json-language-features",
  ],
  ...["configuration-editing", "markdown-basics", "markdown-language-features", "prompt-basics"],
] as const;

/**
 * A VS Code with a browser, and the built extension installed. Windows share one browser context, and so
 * secrets and the state of the user, like the windows of one person.
 */
export class Workbench {
  readonly server: VSCodeServer;
  readonly windows: WorkbenchWindow[] = [];
  readonly #context: BrowserContext;
  readonly #bridges: string;
  readonly #resources: AsyncDisposableStack;
  readonly #knownHosts = new Set<number>();

  private constructor(
    server: VSCodeServer,
    context: BrowserContext,
    bridges: string,
    resources: AsyncDisposableStack,
  ) {
    this.server = server;
    this.#context = context;
    this.#bridges = bridges;
    this.#resources = resources;
  }

  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    await using started = new AsyncDisposableStack();
    const bridges = await mkdtemp(path.join(tmpdir(), "batch-control-bridges-"));
    started.defer(() => rm(bridges, { recursive: true, force: true }));
    const server = await VSCodeServer.start({
      ...options,
      env: { ...sampleGitEnv, ...options.env, BATCH_CONTROL_TEST_BRIDGES: bridges },
      extensions: [await stagedExtension(), path.join(root, "test", "support", "bridge")],
      builtIn,
    });
    started.defer(() => server.stop());
    const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumFlags] });
    started.defer(() => browser.close());
    const context = await browser.newContext({
      viewport: { width: 1400, height: 900 },
      reducedMotion: "reduce",
      ...(options.locale === undefined ? {} : { locale: options.locale }),
    });
    const workbench = new Workbench(server, context, bridges, started.move());
    openWorkbenches.add(workbench);
    return workbench;
  }

  /** Opens a window on a folder or `.code-workspace` file. Resolves when its extension host can be called. */
  async open(target?: string): Promise<WorkbenchWindow> {
    const page = await this.#context.newPage();
    const url = this.server.windowUrl({ ...(target === undefined ? {} : { open: target }) });
    const hosts = { folder: this.#bridges, known: this.#knownHosts, open: target };
    const window = new WorkbenchWindow(page, url, hosts);
    this.windows.push(window);
    try {
      await window.load();
    } catch (error) {
      await keepEvidence(`Opening ${target ?? "an empty window"}`);
      throw error;
    }
    return window;
  }

  async stop(): Promise<void> {
    openWorkbenches.delete(this);
    await this.#resources.disposeAsync();
  }
}
