import { once } from "node:events";
import { copyFile, cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { codeServerDir } from "./code-server.ts";
import { ProcessGroup } from "./process-group.ts";
import { cleanEnvironment } from "./environment.ts";

export interface ServerOptions {
  /**
   * Lets a window load an extension under development and run tests in its host. Such windows show no notifications and do
   * not restart an extension host that crashed.
   */
  readonly development?: boolean;
  /** False: windows open restricted, as for a folder nobody has said yes to. */
  readonly trusted?: boolean;
  /** Written to the machine's settings before the start, over quiet defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A language such as `de` for extensions and formats; the workbench's own texts stay English. */
  readonly locale?: string;
  /** For the server and every extension host; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folders of built extensions, to be installed. */
  readonly extensions?: readonly string[];
  /** Names of the extensions that VS Code brings and that are to be there; undefined: all hundred. */
  readonly builtIn?: readonly string[];
  /** Milliseconds. */
  readonly startTimeout?: number;
}

export interface WindowTarget {
  /** A folder or a `.code-workspace` file; neither: an empty window. */
  readonly open?: string;
  /** The extension under development. */
  readonly extension?: string;
  readonly payload?: readonly (readonly [string, string])[];
}

const quietSettings = {
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.autofetch": false,
  "telemetry.telemetryLevel": "off",
  "workbench.enableExperiments": false,
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
} as const;

/** One VS Code server with data of its own in the temp folder. Every page on it is a window with its own extension host. */
export class VSCodeServer {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  readonly dataDir: string;
  readonly #group: ProcessGroup;
  readonly #output: OutputLog;
  #settings: Record<string, unknown>;

  private constructor(
    url: string,
    dataDir: string,
    group: ProcessGroup,
    output: OutputLog,
    settings: Record<string, unknown>,
  ) {
    this.url = url;
    this.dataDir = dataDir;
    this.#group = group;
    this.#output = output;
    this.#settings = settings;
  }

  static async start(options: ServerOptions = {}): Promise<VSCodeServer> {
    const dataDir = await realpath(await mkdtemp(path.join(tmpdir(), "batch-control-vscode-")));
    const settings = { ...quietSettings, ...options.settings };
    await writeSettings(dataDir, settings);
    const extensionsDir = path.join(dataDir, "extensions");
    await mkdir(extensionsDir, { recursive: true });
    for (const folder of options.extensions ?? []) {
      await cp(folder, path.join(extensionsDir, `${path.basename(folder)}-1.0.0`), { recursive: true });
    }
    const args = [
      path.join(codeServerDir, "lib/vscode/out/server-main.js"),
      "--host",
      "127.0.0.1",
      "--port",
      "0",
    ];
    args.push("--without-connection-token", "--accept-server-license-terms");
    if (options.builtIn !== undefined) {
      const builtInDir = path.join(dataDir, "built-in");
      await linkBuiltIn(builtInDir, options.builtIn);
      args.push("--builtin-extensions-dir", builtInDir);
    }
    if (options.development) args.push("--enable-smoke-test-driver");
    args.push("--telemetry-level", "off", "--server-data-dir", dataDir, "--extensions-dir", extensionsDir);
    if (options.locale !== undefined) {
      await installLanguage(dataDir, options.locale);
      args.push("--locale", options.locale);
    }
    if (options.trusted !== false) args.push("--disable-workspace-trust");
    const env = { ...cleanEnvironment(), ...options.env };
    const group = new ProcessGroup(process.execPath, args, { cwd: dataDir, env });
    const output = new OutputLog(group);
    try {
      const url = await ready(group, output, options.startTimeout ?? 60_000);
      return new VSCodeServer(url, dataDir, group, output, settings);
    } catch (error) {
      await group.end();
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** The address of a window. The development payload's authority must be the page's own. */
  windowUrl(target: WindowTarget): string {
    const url = new URL(this.url);
    if (target.open !== undefined) {
      url.searchParams.set(target.open.endsWith(".code-workspace") ? "workspace" : "folder", target.open);
    }
    const payload = [...(target.payload ?? [])];
    if (target.extension !== undefined) {
      payload.push(["extensionDevelopmentPath", this.remoteUri(target.extension)]);
    }
    if (payload.length > 0) url.searchParams.set("payload", JSON.stringify(payload));
    return url.href;
  }

  /** How the workbench names a file of the server. */
  remoteUri(file: string): string {
    return `vscode-remote://${new URL(this.url).host}${encodeURI(file)}`;
  }

  /** Changes settings of the machine at once; undefined takes one away. */
  async setSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    this.#settings = { ...this.#settings, ...changes };
    await writeSettings(this.dataDir, this.#settings);
  }

  /** Copies what the server printed, and the logs of extension hosts and their channels. */
  async saveLogs(target: string): Promise<void> {
    await mkdir(target, { recursive: true });
    await writeFile(path.join(target, "server-output.log"), this.#output.text);
    const logs = path.join(this.dataDir, "data", "logs");
    for (const entry of await readdir(logs, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const from = path.join(entry.parentPath, entry.name);
      const to = path.join(target, path.relative(logs, from));
      await mkdir(path.dirname(to), { recursive: true });
      await copyFile(from, to);
    }
  }

  /** Resolves when the server has ended, whoever ended it. */
  get ended(): Promise<unknown> {
    const { child } = this.#group;
    return child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#group.end();
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function linkBuiltIn(dir: string, names: readonly string[]): Promise<void> {
  await mkdir(dir);
  for (const name of names) {
    await symlink(path.join(codeServerDir, "lib/vscode/extensions", name), path.join(dir, name));
  }
}

async function writeSettings(dataDir: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const dir = path.join(dataDir, "data", "Machine");
  await mkdir(dir, { recursive: true });
  await writeFile(path.join(dir, "settings.json"), JSON.stringify(settings, undefined, 2));
}

/**
 * A window speaks a language only where a pack for it is installed, as the server reads in `resolveNLSConfiguration`
 * (VS Code 1.139); one without translations is enough.
 */
async function installLanguage(dataDir: string, locale: string): Promise<void> {
  const dir = path.join(dataDir, "data");
  const translations = path.join(dir, `${locale}.json`);
  await writeFile(translations, JSON.stringify({ contents: {} }));
  const extensions = [{ extensionIdentifier: { id: `test.${locale}` }, version: "1.0.0" }];
  const pack = { hash: locale, label: locale, extensions, translations: { vscode: translations } };
  await writeFile(path.join(dir, "languagepacks.json"), JSON.stringify({ [locale]: pack }));
}

class OutputLog {
  text = "";
  readonly #changed = new Set<() => void>();

  constructor({ child }: ProcessGroup) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        this.text += chunk;
        for (const listener of this.#changed) listener();
      });
    }
  }

  /** Calls back at once and after everything printed. */
  watch(listener: () => void): void {
    this.#changed.add(listener);
    listener();
  }
}

/** Resolves with the server's address. The server names itself `localhost`, which need not mean 127.0.0.1. */
function ready({ child }: ProcessGroup, output: OutputLog, limit: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (what: string): void =>
    reject(new Error(`The VS Code server ${what}. It printed:\n${output.text}`));
  output.watch(() => {
    const port = /Web UI available at http:\/\/[^:]+:(\d+)/.exec(output.text)?.[1];
    if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
  });
  const timer = setTimeout(() => fail(`was not ready after ${limit / 1000} s`), limit);
  child.once("error", (error) => fail(`could not be started (${error.message})`));
  child.once("exit", (code, signal) => fail(`ended (${code ?? signal}) before it was ready`));
  return promise.finally(() => clearTimeout(timer));
}
