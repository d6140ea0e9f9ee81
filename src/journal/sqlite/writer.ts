import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { rollBack } from "./connection.ts";
import { whileBusy } from "./retry.ts";

interface Job {
  readonly run: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A transaction ends after so long, with what is waiting then left for the next one. */
const sliceMs = 20;
/** Other windows get their turn between two transactions of a busy one. */
const pauseMs = 2;

/**
 * Group commit: everything that is asked for in one turn of the event loop shares one transaction, and so one flush of
 * the disk, and each promise resolves after it. A verb that throws is rolled back alone.
 */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #patienceMs: number;
  readonly #committed: () => void;
  #waiting: Job[] = [];
  #running: Promise<void> | undefined;

  constructor(db: DatabaseSync, patienceMs: number, committed: () => void) {
    this.#db = db;
    this.#patienceMs = patienceMs;
    this.#committed = committed;
  }

  write<T>(verb: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let value: { readonly of: T } | undefined;
      this.#waiting.push({
        run: () => {
          value = { of: verb() };
        },
        resolve: () => {
          if (value !== undefined) resolve(value.of);
        },
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing is waiting any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      await this.#commitSome();
      if (this.#waiting.length === 0) break;
      await delay(pauseMs);
    }
    this.#running = undefined;
  }

  async #commitSome(): Promise<void> {
    const jobs = this.#waiting;
    this.#waiting = [];
    try {
      const { done, failed } = await whileBusy(() => this.#transaction(jobs), this.#patienceMs);
      this.#waiting = [...jobs.slice(done), ...this.#waiting];
      jobs.slice(0, done).forEach((job) => {
        const failure = failed.get(job);
        if (failure === undefined) job.resolve();
        else job.reject(failure.error);
      });
      this.#committed();
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
  }

  /** Answers how many of the jobs were done, and those among them that failed alone. */
  #transaction(jobs: readonly Job[]): {
    done: number;
    failed: ReadonlyMap<Job, { readonly error: unknown }>;
  } {
    const end = performance.now() + sliceMs;
    const failed = new Map<Job, { readonly error: unknown }>();
    let done = 0;
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      for (const job of jobs) {
        const failure = this.#alone(job);
        if (failure !== undefined) failed.set(job, failure);
        done += 1;
        if (performance.now() > end) break;
      }
      this.#db.exec("COMMIT");
    } catch (error) {
      rollBack(this.#db);
      throw error;
    }
    return { done, failed };
  }

  #alone(job: Job): { readonly error: unknown } | undefined {
    this.#db.exec("SAVEPOINT verb");
    try {
      job.run();
      this.#db.exec("RELEASE verb");
      return undefined;
    } catch (error) {
      // After some errors, such as a full disk, SQLite has rolled everything back itself: then all of it failed.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec("ROLLBACK TO verb; RELEASE verb");
      return { error };
    }
  }
}
