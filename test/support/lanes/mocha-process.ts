import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";
import { outDir, root } from "../paths.ts";
import { readTotals } from "./totals.ts";
import type { RunTotals } from "./totals.ts";
import { turnMessages } from "./turn.ts";

export interface MochaProcessOptions {
  /** Absolute path of the test file. */
  readonly file: string;
  /** Milliseconds a test may take unless it says otherwise. */
  readonly timeout: number;
  readonly grep: string | undefined;
  /** Absolute path of a module that exports `rootHooks` for mocha. */
  readonly hooks: string | undefined;
  /** Its first test waits until `go` was called. */
  readonly turns: boolean;
  /** A folder for what Node compiled, which spares the next process the work. */
  readonly compileCache: string;
}

const LAST_WORDS_MS = 2000;

export interface FileRun {
  readonly file: string;
  /** Undefined where the process did not come to its end. */
  readonly totals: RunTotals | undefined;
  readonly exitCode: number;
}

/**
 * Mocha on one test file in a process of its own: what a file leaves behind cannot reach another, and the process stays
 * small. Starting git from a process costs the more the more memory that has, by a copy of its page tables.
 */
export class MochaProcess {
  readonly ended: Promise<FileRun>;
  /** Resolves when the file is about to begin its first test, or has ended without one. */
  readonly prepared: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #held: Buffer[] = [];
  #shown = false;

  constructor({ file, timeout, grep, hooks, turns, compileCache }: MochaProcessOptions) {
    const totals = path.join(outDir, `totals-${randomUUID()}.json`);
    const args = [path.join(import.meta.dirname, "in-node.ts"), `--totals=${totals}`, `--timeout=${timeout}`];
    if (grep !== undefined) args.push(`--grep=${grep}`);
    if (hooks !== undefined) args.push(`--hooks=${hooks}`);
    if (turns) args.push("--turns");
    this.#child = spawn(process.execPath, [...args, file], {
      cwd: root,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compileCache,
        ...(isatty(1) ? { MOCHA_COLORS: "1" } : {}),
      },
      stdio: ["ignore", "pipe", "pipe", ...(turns ? ["ipc" as const] : [])],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) this.#collect(stream);
    const asked = new Promise<void>((resolve) => {
      this.#child.on("message", (message) => message === turnMessages.prepared && resolve());
    });
    this.ended = this.#run(file, totals);
    this.prepared = Promise.race([asked, this.ended]);
  }

  /** Lets the tests begin, and shows what the process prints from now on, after what it printed before. */
  go(): void {
    this.#shown = true;
    for (const chunk of this.#held.splice(0)) process.stdout.write(chunk);
    if (this.#child.connected) this.#child.send(turnMessages.go);
  }

  async #run(file: string, totals: string): Promise<FileRun> {
    const stop = (): boolean => this.#child.kill("SIGTERM");
    process.on("exit", stop);
    const closed = once(this.#child, "close").catch(() => undefined);
    const [code] = (await once(this.#child, "exit")) as [number | null];
    // What it printed last may still be on its way; a process that it left behind may keep its output open for ever.
    await Promise.race([closed, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    process.off("exit", stop);
    const found = await readTotals(totals);
    await rm(totals, { force: true });
    return { file, totals: found, exitCode: code ?? 1 };
  }

  #collect(stream: Readable | null): void {
    stream?.on("data", (chunk: Buffer) => {
      if (this.#shown) process.stdout.write(chunk);
      else this.#held.push(chunk);
    });
  }
}
