import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import type * as vscode from "vscode";
import { until } from "./until.ts";

/** What a function sent to an extension host is given. */
export interface HostScope {
  readonly vscode: typeof vscode;
  /** What the extension's `activate` returned. */
  readonly api: unknown;
}

interface Endpoint {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  /** The folder or workspace file that the host's window has open. */
  readonly open: string | null;
}

/** An error thrown in the extension host: its own name and message. */
export class HostError extends Error {
  readonly hostStack: string;
  /** The error's further properties, as far as JSON carries them. */
  readonly properties: Readonly<Record<string, unknown>>;

  constructor(error: { name: string; message: string; stack: string; rest: Record<string, unknown> }) {
    super(error.message);
    this.name = error.name;
    this.hostStack = error.stack;
    this.properties = error.rest;
  }
}

/** A way into the extension host of one window. */
export class Bridge {
  readonly #endpoint: Endpoint;

  private constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Waits for a host that is not in `known`, which it joins, and has `open` open. */
  static async connect(folder: string, known: Set<number>, open: string | undefined): Promise<Bridge> {
    const endpoint = await until(`an extension host on ${open ?? "an empty window"}`, async () => {
      const all = await readEndpoints(folder);
      return all.find((each) => !known.has(each.pid) && each.open === (open ?? null));
    });
    known.add(endpoint.pid);
    return new Bridge(endpoint);
  }

  /** The process id of the extension host. */
  get pid(): number {
    return this.#endpoint.pid;
  }

  /**
   * Runs a function in the extension host and gives what it returns. It is sent as text: it sees its parameters and
   * globals, nothing around it. Argument and result travel as JSON.
   */
  async evaluate<Result, Argument = undefined>(
    run: (host: HostScope, argument: Argument) => Result | PromiseLike<Result>,
    argument?: Argument,
  ): Promise<Result> {
    const { port, token } = this.#endpoint;
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ source: run.toString(), argument }),
    });
    const answer = (await response.json()) as
      { value: Result } | { error: ConstructorParameters<typeof HostError>[0] };
    if ("error" in answer) throw new HostError(answer.error);
    return answer.value;
  }

  /** Executes a command as another extension would, with JSON-safe arguments. */
  command<Result = unknown>(id: string, ...args: readonly unknown[]): Promise<Result> {
    return this.evaluate(
      ({ vscode }, call) => vscode.commands.executeCommand<Result>(call.id, ...call.args),
      { id, args },
    );
  }
}

async function readEndpoints(folder: string): Promise<Endpoint[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const texts = await Promise.all(
    files.map((name) => readFile(path.join(folder, name), "utf8").catch(() => undefined)),
  );
  return texts.filter((text) => text !== undefined).map((text) => JSON.parse(text) as Endpoint);
}
