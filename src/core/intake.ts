import type { EnqueueOutcome } from "./journal.ts";
import type { NewOperation } from "./operation.ts";

interface Entry {
  readonly start: () => Promise<NewOperation>;
  readonly beside: boolean;
  started?: Promise<NewOperation>;
  readonly resolve: (outcome: EnqueueOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Keeps the order of calls: an operation that takes long to prepare is still written down before the ones asked for after
 * it. What is ready together is written in one transaction, so many callers share one flush to disk.
 */
export class Intake {
  readonly #write: (operations: readonly NewOperation[]) => Promise<readonly EnqueueOutcome[]>;
  readonly #serial: boolean;
  readonly #entries: Entry[] = [];
  #pumping = false;

  /** `serial`: preparing the next needs the one before written down, as a second commit of one path does. */
  constructor(
    write: (operations: readonly NewOperation[]) => Promise<readonly EnqueueOutcome[]>,
    serial: boolean,
  ) {
    this.#write = write;
    this.#serial = serial;
  }

  /** `beside`: where preparing is serial, it may still be prepared together with neighbours that may too, and is written with them. */
  add(start: () => Promise<NewOperation>, beside = false): Promise<EnqueueOutcome> {
    return new Promise((resolve, reject) => {
      const entry: Entry = { start, beside, resolve, reject };
      if (!this.#serial) void begin(entry);
      this.#entries.push(entry);
      if (!this.#pumping) void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#entries.length > 0) {
      // One turn of the event loop lets every caller of this turn join.
      await Promise.resolve();
      const batch = this.#entries.splice(0, this.#serial ? this.#neighbours() : Infinity);
      const prepared = await Promise.allSettled(batch.map((entry) => begin(entry)));
      const ready: { entry: Entry; operation: NewOperation }[] = [];
      batch.forEach((entry, index) => {
        const outcome = prepared[index];
        if (outcome?.status === "fulfilled") ready.push({ entry, operation: outcome.value });
        else entry.reject(outcome?.reason);
      });
      if (ready.length > 0) await this.#record(ready);
    }
    this.#pumping = false;
  }

  /** How many of the first entries may be prepared together. */
  #neighbours(): number {
    const alone = this.#entries.findIndex(({ beside }) => !beside);
    return Math.max(1, alone < 0 ? this.#entries.length : alone);
  }

  async #record(ready: readonly { entry: Entry; operation: NewOperation }[]): Promise<void> {
    try {
      const outcomes = await this.#write(ready.map(({ operation }) => operation));
      ready.forEach(({ entry }, index) => {
        const outcome = outcomes[index];
        if (outcome) entry.resolve(outcome);
        else entry.reject(new Error("The journal gave no answer for an operation."));
      });
    } catch (error) {
      for (const { entry } of ready) entry.reject(error);
    }
  }
}

function begin(entry: Entry): Promise<NewOperation> {
  if (!entry.started) {
    entry.started = entry.start();
    // Awaited later, in order; until then a refusal must not count as unhandled.
    entry.started.catch(() => undefined);
  }
  return entry.started;
}
