import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Orders, Report } from "./orders.ts";
import { program } from "./program.ts";

/** How a process ended. `stuck`: it had to be ended because it never came to rest. */
export type LifeEnd = "idle" | "killed" | "failed" | "stuck";

/** No life is meant to last so long; it only keeps a lane that hangs from hanging for ever. */
const LONGEST_MS = 60_000;

/** One process on a world, from its start to its end. */
export class Life {
  readonly accepted = new Map<string, string>();
  readonly refused: string[] = [];
  readonly end: Promise<LifeEnd>;
  readonly #child: ChildProcess;
  #errors = "";
  #stuck = false;

  static async begin(folder: string, name: string, orders: Orders): Promise<Life> {
    const file = path.join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(orders));
    return new Life(await program(), file, path.join(folder, `${name}.log`), folder);
  }

  private constructor(script: string, file: string, log: string, folder: string) {
    this.#child = spawn(process.execPath, [script, file, log], {
      cwd: folder,
      // What a killed process leaves behind goes away with the world.
      env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: path.join(path.dirname(script), "cache") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => (this.#errors += chunk.toString("utf8")));
    this.end = this.#run();
  }

  get errors(): string {
    return this.#errors;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async #run(): Promise<LifeEnd> {
    let last: Report["kind"] | undefined;
    const deadline = setTimeout(() => this.#giveUp(), LONGEST_MS);
    const exit = once(this.#child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    if (this.#child.stdout) {
      for await (const line of createInterface({ input: this.#child.stdout })) {
        const report = JSON.parse(line) as Report;
        last = report.kind;
        if (report.kind === "accepted") this.accepted.set(report.key, report.id);
        if (report.kind === "refused") this.refused.push(`${report.key}: ${report.error}`);
      }
    }
    const [code, signal] = await exit;
    clearTimeout(deadline);
    if (this.#stuck) return "stuck";
    if (signal === "SIGKILL") return "killed";
    return code === 0 && last === "idle" ? "idle" : "failed";
  }

  #giveUp(): void {
    this.#stuck = true;
    this.kill();
  }
}
