import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AgentEndpoint } from "../../../src/agents/endpoint.ts";
import type { EndpointDeps, ToolCall } from "../../../src/agents/endpoint.ts";
import { windowFile } from "../../../src/agents/window-file.ts";
import type { WindowEntry } from "../../../src/agents/window-file.ts";

export interface FakeWindow {
  readonly endpoint: AgentEndpoint;
  /** What the tools were called with. */
  readonly calls: ToolCall[];
  readonly logged: string[];
  entry(): Promise<WindowEntry>;
}

export interface FakeWindowOptions {
  readonly trusted?: boolean;
  /** The worktrees that it may execute. */
  readonly holds?: readonly string[];
  readonly run?: EndpointDeps["run"];
  readonly maxBody?: number;
}

/** The home folder of a user with open windows that are nothing but their endpoints. */
export class FakeUser {
  readonly home: string;
  readonly #open: AgentEndpoint[] = [];

  private constructor(home: string) {
    this.home = home;
  }

  static async create(): Promise<FakeUser> {
    return new FakeUser(await mkdtemp(path.join(tmpdir(), "batch-control-home-")));
  }

  /** The folder that all editors of the user share. */
  get folder(): string {
    return path.join(this.home, ".batch-control");
  }

  async open({ trusted = true, holds = [], run, maxBody }: FakeWindowOptions = {}): Promise<FakeWindow> {
    const calls: ToolCall[] = [];
    const logged: string[] = [];
    const endpoint = new AgentEndpoint({
      userFolder: this.folder,
      isTrusted: () => trusted,
      // As starting git there would.
      mayExecute: (worktree) =>
        worktree.includes("\0")
          ? Promise.reject(new TypeError("no path"))
          : Promise.resolve(holds.includes(worktree)),
      run: (call, signal) => {
        calls.push(call);
        return run ? run(call, signal) : Promise.resolve({});
      },
      log: {
        debug: (message) => void logged.push(message),
        error: (message, error) => void logged.push(`${message} ${String(error)}`),
      },
      ...(maxBody === undefined ? {} : { maxBody }),
    });
    this.#open.push(endpoint);
    await endpoint.open();
    const entry = async () =>
      JSON.parse(await readFile(windowFile(this.folder, endpoint.window), "utf8")) as WindowEntry;
    return { endpoint, calls, logged, entry };
  }

  /** Leaves a window's file as it is found after a crash, or whatever `text` is. */
  async leave(name: string, text: string): Promise<string> {
    const file = windowFile(this.folder, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#open.map((endpoint) => endpoint.dispose()));
    await rm(this.home, { recursive: true, force: true });
  }
}
