import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { progress } from "./ledger.ts";
import type { Command, Orders, Report } from "./orders.ts";
import { program } from "./program.ts";

/** How a process ended. `stuck`: it had to be ended because it never came to rest. */
export type LifeEnd = "idle" | "killed" | "failed" | "stuck";

/** A life in which nothing happens for so long hangs; this only keeps the lane from hanging with it. */
const LOOK_MS = 15_000;
const MOST_LOOKS = 5;

/** One process on a world, from its start to its end. */
export class Life {
  readonly accepted = new Map<string, string>();
  readonly refused: string[] = [];
  readonly end: Promise<LifeEnd>;
  /** Where it writes its log. */
  readonly log: string;
  readonly #child: ChildProcess;
  readonly #storage: string;
  #errors = "";
  #stuck = false;

  /** `user`: a user id other than one's own. */
  static async begin(folder: string, name: string, orders: Orders, user?: number): Promise<Life> {
    const file = path.join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(orders));
    return new Life(await program(), file, path.join(folder, `${name}.log`), orders.storage, user);
  }

  private constructor(script: string, file: string, log: string, storage: string, user: number | undefined) {
    const folder = path.dirname(file);
    this.log = log;
    this.#storage = storage;
    this.#child = spawn(process.execPath, [script, file, log], {
      cwd: folder,
      ...(user === undefined ? {} : { uid: user }),
      // What a killed process leaves behind goes away with the world.
      env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: path.join(path.dirname(script), "cache") },
      stdio: ["pipe", "pipe", "pipe"],
    });
    // One that was killed hears nothing any more.
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stderr?.on("data", (chunk: Buffer) => (this.#errors += chunk.toString("utf8")));
    this.end = this.#run();
  }

  get errors(): string {
    return this.#errors;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  tell(command: Command): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async #run(): Promise<LifeEnd> {
    let last: Report["kind"] | undefined;
    const deadline = this.#watch();
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
    clearInterval(deadline);
    if (this.#stuck) return "stuck";
    if (signal === "SIGKILL") return "killed";
    return code === 0 && last === "idle" ? "idle" : "failed";
  }

  #watch(): NodeJS.Timeout {
    let last = 0;
    let looks = 0;
    return setInterval(() => {
      const now = progress(this.#storage);
      looks = now === last ? looks + 1 : 0;
      last = now;
      if (looks < MOST_LOOKS) return;
      this.#stuck = true;
      this.kill();
    }, LOOK_MS);
  }
}
