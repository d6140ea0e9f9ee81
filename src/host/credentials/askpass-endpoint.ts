import { randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import * as v from "valibot";
import type { Logger } from "../../core/ports.ts";

export interface EndpointDeps {
  /** What runs JavaScript, such as `process.execPath`; an Electron is told to be Node. */
  readonly node: string;
  /** The askpass program, as a file. */
  readonly program: string;
  /** Answers what git asks; `undefined` where it is not to be answered. */
  readonly answer: (prompt: string) => Promise<string | undefined>;
  readonly log: Pick<Logger, "debug" | "error">;
  /** How long git is kept waiting for one answer. */
  readonly limitMs?: number;
}

const question = v.strictObject({ token: v.string(), prompt: v.string() });
const LIMIT_MS = 8_000;
const MAX_QUESTION = 8_192;

// git starts one file without arguments of ours, so the program's name has to be inside it or around it.
const script = `#!/bin/sh
ELECTRON_RUN_AS_NODE=1
export ELECTRON_RUN_AS_NODE
exec "$BATCH_CONTROL_ASKPASS_NODE" "$BATCH_CONTROL_ASKPASS_PROGRAM" "$@"
`;

interface Open {
  readonly server: Server;
  readonly folder: string;
  readonly script: string;
  readonly handle: string;
}

/**
 * Where the askpass programs of this window's git processes bring their questions. It listens in a folder that only this
 * user can enter, and answers only those who know a random token. Neither questions nor answers are logged.
 */
export class AskpassEndpoint {
  readonly #deps: EndpointDeps;
  readonly #token = randomBytes(32).toString("hex");
  #open: Promise<Open> | undefined;

  constructor(deps: EndpointDeps) {
    this.#deps = deps;
  }

  /**
   * The environment with which git asks here. `own` is the askpass program that the user has set up; it goes first.
   * Without an endpoint nobody is asked, which is no reason not to push.
   */
  async environment(own?: string): Promise<Readonly<Record<string, string>>> {
    try {
      const open = await this.#listening();
      return {
        GIT_ASKPASS: open.script,
        BATCH_CONTROL_ASKPASS_NODE: this.#deps.node,
        BATCH_CONTROL_ASKPASS_PROGRAM: this.#deps.program,
        BATCH_CONTROL_ASKPASS_HANDLE: open.handle,
        BATCH_CONTROL_ASKPASS_TOKEN: this.#token,
        ...(own === undefined ? {} : { BATCH_CONTROL_ASKPASS_OWN: own }),
      };
    } catch (error) {
      this.#deps.log.error("Git cannot ask for credentials in this window.", error);
      return {};
    }
  }

  async dispose(): Promise<void> {
    const open = await this.#open?.catch(() => undefined);
    this.#open = undefined;
    if (open) await close(open);
  }

  async #listening(): Promise<Open> {
    const open = await this.#open?.catch(() => undefined);
    // Temporary folders are swept on some machines, and a window may stay open for weeks.
    if (open && existsSync(open.script)) return open;
    if (open) await close(open);
    return (this.#open = this.#listen());
  }

  async #listen(): Promise<Open> {
    const folder = await mkdtemp(path.join(tmpdir(), "batch-control-"));
    const file = path.join(folder, "askpass.sh");
    await writeFile(file, script, { mode: 0o700 });
    const handle =
      process.platform === "win32"
        ? `\\\\.\\pipe\\batch-control-${randomBytes(16).toString("hex")}`
        : path.join(folder, "socket");
    const server = createServer((socket) => this.#converse(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(handle, resolve);
    });
    server.unref();
    return { server, folder, script: file, handle };
  }

  #converse(socket: Socket): void {
    let said = "";
    socket.setEncoding("utf8");
    socket.setTimeout(2 * (this.#deps.limitMs ?? LIMIT_MS), () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("data", (piece: string) => {
      said += piece;
      if (said.length > MAX_QUESTION) socket.destroy();
      else if (said.endsWith("\n")) void this.#answer(said).then((text) => socket.end(text));
    });
  }

  async #answer(said: string): Promise<string> {
    const { answer, log, limitMs = LIMIT_MS } = this.#deps;
    const prompt = this.#admitted(said);
    if (prompt === undefined) {
      log.debug("Somebody asked for credentials without the right to.");
      return "";
    }
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, limitMs, undefined)));
      return (await Promise.race([answer(prompt), late])) ?? "";
    } catch (error) {
      log.error("Answering for credentials failed.", error);
      return "";
    } finally {
      clearTimeout(timer);
    }
  }

  /** The prompt, where the token is right. */
  #admitted(said: string): string | undefined {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), question), said);
    if (!parsed.success) return undefined;
    const given = Buffer.from(parsed.output.token);
    const right = Buffer.from(this.#token);
    return given.length === right.length && timingSafeEqual(given, right) ? parsed.output.prompt : undefined;
  }
}

async function close({ server, folder }: Open): Promise<void> {
  server.close();
  await rm(folder, { recursive: true, force: true });
}
