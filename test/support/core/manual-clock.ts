import type { Clock } from "../../../src/core/ports.ts";

/** A clock that stands still until a test moves it; timers fire in order of their time. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(now = Date.UTC(2026, 10, 29)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves on, fires what is due, and lets everything that follows from it happen. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
    await settle();
  }
}

/** Lets promises that wait for nothing outside run to their end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
