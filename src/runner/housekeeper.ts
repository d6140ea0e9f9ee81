import type { Journal } from "../core/journal.ts";
import type { Clock, Disposable, Logger } from "../core/ports.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Not at once: a window that opens has better things to do. */
const FIRST_MS = 60_000;
const EVERY_MS = 6 * 3600 * 1000;

export interface HousekeeperParts {
  readonly journal: Pick<Journal, "prune">;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long finished work is kept; 0 or less keeps it for ever. */
  readonly keepDays: () => number;
}

/** Drops finished work that is older than the setting says, a while after start and then four times a day. */
export class Housekeeper implements Disposable {
  readonly #parts: HousekeeperParts;
  #cancel: () => void;

  constructor(parts: HousekeeperParts) {
    this.#parts = parts;
    this.#cancel = parts.clock.after(FIRST_MS, () => void this.#clean());
  }

  dispose(): void {
    this.#cancel();
  }

  async #clean(): Promise<void> {
    const { journal, clock, log, keepDays } = this.#parts;
    this.#cancel = clock.after(EVERY_MS, () => void this.#clean());
    const days = keepDays();
    if (days <= 0) return;
    try {
      const dropped = await journal.prune({ olderThanMs: days * DAY_MS });
      if (dropped.length > 0)
        log.info(`${dropped.length} batches that ended over ${days} days ago were dropped.`);
    } catch (error) {
      log.error("Dropping old history failed; it is tried again later.", error);
    }
  }
}
