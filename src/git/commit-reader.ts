import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import type { GitRunner } from "./runner.ts";

const MAX_KEPT = 64 * 1024;
const NEWLINE = 10;

/** Reads commits one after the other from one process: at a few milliseconds each, a process per commit would be felt. */
export class CommitReader {
  readonly #git: GitRunner;
  readonly #place: { readonly commonDir: string; readonly cwd: string };
  readonly #args: readonly string[];
  readonly #signal: AbortSignal;
  /** No commit says that. */
  readonly #mark = `${randomUUID()}\n`;
  #input: PassThrough | undefined;
  #ended: Promise<void> = Promise.resolve();
  #answer: Buffer[] = [];
  #waiting: ((answer: Buffer | undefined) => void) | undefined;

  /**
   * `args`: what of a commit is printed, as `git diff-tree` understands it. `cwd`: outside of the repository, where a git
   * that works is taken for one that may hold locks.
   */
  constructor(
    git: GitRunner,
    place: { readonly commonDir: string; readonly cwd: string },
    args: readonly string[],
    signal: AbortSignal,
  ) {
    this.#git = git;
    this.#place = place;
    this.#args = args;
    this.#signal = signal;
  }

  /** What git prints of the commit; `undefined` where it cannot be read this way. One at a time. */
  read(oid: string): Promise<Buffer | undefined> {
    const input = this.#input ?? this.#start();
    return new Promise((resolve) => {
      this.#waiting = resolve;
      // A line that is no object is printed as it is, at once, so that it tells where the answer ends.
      input.write(`${oid}\n${this.#mark}`);
    });
  }

  async close(): Promise<void> {
    this.#input?.end();
    await this.#ended;
  }

  #start(): PassThrough {
    const input = new PassThrough();
    this.#input = input;
    const { commonDir, cwd } = this.#place;
    const over = (): void => {
      this.#input = undefined;
      this.#settle(undefined);
    };
    this.#ended = this.#git
      .run(cwd, [`--git-dir=${commonDir}`, "diff-tree", "--stdin", "--always", ...this.#args], {
        input,
        signal: this.#signal,
        standing: true,
        maxOutput: MAX_KEPT,
        onOutput: (chunk, from) => {
          if (from === "stdout") this.#take(chunk);
        },
      })
      .then(over, over);
    return input;
  }

  #take(chunk: Buffer): void {
    this.#answer.push(chunk);
    if (chunk.at(-1) !== NEWLINE) return;
    const all = Buffer.concat(this.#answer);
    if (all.subarray(-this.#mark.length).toString("latin1") !== this.#mark) return;
    this.#settle(all.subarray(0, -this.#mark.length));
  }

  #settle(answer: Buffer | undefined): void {
    this.#answer = [];
    this.#waiting?.(answer);
    this.#waiting = undefined;
  }
}
