import { randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { hostname } from "node:os";
import process from "node:process";
import * as v from "valibot";
import { StateError } from "../core/errors.ts";
import type { Logger } from "../core/ports.ts";
import { answer, errorAnswer, readBody, Refusal } from "./exchange.ts";
import { listeningFolders, placeToListen } from "./socket.ts";
import type { Place } from "./socket.ts";
import { newWindowName, removeCrashed, removeWindow, windowFile, writeWindow } from "./window-file.ts";

export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly source: "cli" | "mcp";
}

export interface EndpointDeps {
  /** The folder of this user that all editors share. */
  readonly userFolder: string;
  readonly isTrusted: () => boolean;
  /** Whether this window may execute what is queued for the repository that a worktree belongs to. */
  readonly mayExecute: (worktree: string) => Promise<boolean>;
  /** Runs a tool; rejects with a message that is fit for who asks. Its answer is JSON data. */
  readonly run: (call: ToolCall, signal: AbortSignal) => Promise<unknown>;
  readonly log: Pick<Logger, "debug" | "error">;
  /** Bytes that one request may have. */
  readonly maxBody?: number;
}

const MAX_BODY = 64 * 1024 * 1024;
/** What a path is read against. */
const BASE = "http://window";
const LOOK_MS = 10 * 60_000;
const body = v.pipe(
  v.string(),
  v.parseJson(undefined, "is not JSON"),
  v.strictObject({ input: v.unknown(), source: v.picklist(["cli", "mcp"]) }),
);

interface Open {
  readonly server: Server;
  readonly place: Place;
}

/**
 * Where the command line and the MCP server of this user bring their wishes. It listens in a folder that only this user can
 * enter and answers only who knows a random token, which it leaves in a file that only this user can read. Neither what is
 * asked nor what is answered is logged. Nothing is decided here: the window refuses by its own trust, limits and holds.
 */
export class AgentEndpoint {
  /** The window's name among all; `BATCH_CONTROL_WINDOW` of its terminals. */
  readonly window = newWindowName();
  readonly #deps: EndpointDeps;
  readonly #token = randomBytes(32).toString("hex");
  readonly #startedAt = new Date().toISOString();
  #open: Open | undefined;
  #changing: Promise<void> = Promise.resolve();
  #looking: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(deps: EndpointDeps) {
    this.#deps = deps;
  }

  /** Begins to listen. Where that fails, the log says why, and the window works on without. */
  open(): Promise<void> {
    if (this.#disposed) return this.#changing;
    // Folders for temporary files are swept on some machines, and a window may stay open for weeks.
    this.#looking ??= setInterval(() => void this.open(), LOOK_MS).unref();
    return this.#next(async () => {
      const { userFolder } = this.#deps;
      if (this.#disposed) return;
      const lost = this.#open && process.platform !== "win32" && !existsSync(this.#open.place.address);
      if (this.#open && !lost && existsSync(windowFile(userFolder, this.window))) return;
      if (lost) await this.#close();
      this.#open ??= await this.#listen();
      await writeWindow(userFolder, this.window, {
        version: 1,
        address: this.#open.place.address,
        token: this.#token,
        pid: process.pid,
        machine: hostname(),
        startedAt: this.#startedAt,
      });
      await removeCrashed(userFolder, hostname());
    });
  }

  /** Ends what is under way here; what was accepted goes on without. */
  dispose(): Promise<void> {
    this.#disposed = true;
    clearInterval(this.#looking);
    return this.#next(async () => {
      await removeWindow(this.#deps.userFolder, this.window);
      await this.#close();
    });
  }

  #next(step: () => Promise<void>): Promise<void> {
    this.#changing = this.#changing
      .then(step)
      .catch((error: unknown) => this.#deps.log.error("The command line cannot reach this window.", error));
    return this.#changing;
  }

  async #listen(): Promise<Open> {
    // Most windows are never asked, and reading this module takes time.
    const { createServer } = await import("node:http");
    const place = await placeToListen(listeningFolders(this.#deps.userFolder));
    const server = createServer((request, response) => void this.#handle(request, response));
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(place.address, resolve);
      });
    } catch (error) {
      await place.dispose();
      throw error;
    }
    server.on("error", (error) => this.#deps.log.error("The endpoint of the command line failed.", error));
    server.unref();
    return { server, place };
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    open?.server.close();
    open?.server.closeAllConnections();
    await open?.place.dispose();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    // An expected end, as a refusal is: nothing has failed that somebody should look into.
    response.on("close", () => gone.abort(new StateError("gone", "Who asked has gone away.")));
    response.on("error", () => undefined);
    try {
      answer(response, 200, await this.#answer(request, gone.signal));
    } catch (error) {
      if (gone.signal.aborted) return;
      const { status, ...data } = errorAnswer(error);
      if (status === 500) this.#deps.log.debug(`A tool failed: ${data.error.name}`);
      answer(response, status, data);
    }
  }

  async #answer(request: IncomingMessage, gone: AbortSignal): Promise<unknown> {
    if (!this.#admits(request.headers.authorization))
      throw new Refusal(401, "The token is not this window's.");
    const url = request.url ?? "/";
    if (!URL.canParse(url, BASE)) throw new Refusal(404, "That is no path here.");
    const { pathname, searchParams } = new URL(url, BASE);
    const tool = /^\/v1\/tools\/(\w{1,100})$/.exec(pathname)?.[1];
    if (pathname === "/v1/window" && request.method === "GET")
      return this.#describe(searchParams.get("worktree"));
    if (tool === undefined || request.method !== "POST")
      throw new Refusal(404, `There is no ${request.method ?? ""} ${pathname} here.`);
    const parsed = v.safeParse(body, await readBody(request, this.#deps.maxBody ?? MAX_BODY));
    if (!parsed.success)
      throw new Refusal(
        400,
        `The request is not understood: ${v.getDotPath(parsed.issues[0]) ?? "it"} ${parsed.issues[0].message}`,
      );
    const { input, source } = parsed.output;
    return this.#deps.run({ tool, input, source }, gone);
  }

  async #describe(worktree: string | null): Promise<{ readonly trusted: boolean; readonly holds: boolean }> {
    const { isTrusted, mayExecute } = this.#deps;
    const trusted = isTrusted();
    // What is no path at all is refused by the tool, in words.
    const holds = trusted && worktree !== null && (await mayExecute(worktree).catch(() => false));
    return { trusted, holds };
  }

  #admits(authorization: string | undefined): boolean {
    const given = Buffer.from(authorization ?? "");
    const right = Buffer.from(`Bearer ${this.#token}`);
    return given.length === right.length && timingSafeEqual(given, right);
  }
}
