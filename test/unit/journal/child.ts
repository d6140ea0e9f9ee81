import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A second process that runs one of the `child-*.ts` scripts and talks in lines. */
export class Child {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor(script: string, args: readonly string[]) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    this.#process = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.#exited = once(this.#process, "exit");
    const lines = createInterface({ input: this.#process.stdout! });
    lines.on("line", (line) => this.lines.push(line));
    this.closed = once(lines, "close");
  }

  /** Everything that it wrote has arrived. */
  readonly closed: Promise<unknown>;

  get pid(): number {
    return this.#process.pid!;
  }

  /** Waits for a line that starts so. */
  async line(start: string): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => line.startsWith(start));
      if (found !== undefined) return found;
      if (this.#process.exitCode !== null) throw new Error(`The child ended without "${start}"`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  say(line: string): void {
    this.#process.stdin!.write(`${line}\n`);
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.ended();
  }

  async ended(): Promise<void> {
    await Promise.all([this.#exited, this.closed]);
  }
}
