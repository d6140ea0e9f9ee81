import { setImmediate } from "node:timers/promises";
import type { Settlement } from "../../core/journal.ts";
import type { Job } from "./job.ts";

const MOST = 500;
const MOST_BYTES = 2_000_000;

/** Collects settlements and writes them in transactions of a bearable size. */
export class Chunks {
  readonly #job: Job;
  #settled: Settlement[] = [];
  #bytes = 0;

  constructor(job: Job) {
    this.#job = job;
  }

  async add(settlement: Settlement, bytes: number): Promise<void> {
    this.#settled.push(settlement);
    this.#bytes += bytes;
    if (this.#settled.length >= MOST || this.#bytes >= MOST_BYTES) await this.flush();
  }

  /** Writes what is left; with `detail`, the batch's new detail in the same transaction. */
  async flush(detail?: unknown): Promise<void> {
    if (this.#settled.length === 0 && detail === undefined) return;
    const settled = this.#settled;
    this.#settled = [];
    this.#bytes = 0;
    await this.#job.write(settled, detail === undefined ? {} : { detail });
    await setImmediate();
  }
}
