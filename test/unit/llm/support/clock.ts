import type { Clock } from "../../../../src/core/ports.ts";

/** A clock that runs so many times as fast as the real one, so that a poll of a minute takes milliseconds. */
export class FastClock implements Clock {
  readonly #factor: number;
  readonly #start = Date.now();
  #ahead = 0;

  constructor(factor: number) {
    this.#factor = factor;
  }

  now(): number {
    return this.#start + (Date.now() - this.#start) * this.#factor + this.#ahead;
  }

  /** As after a sleep of the machine. */
  jump(ms: number): void {
    this.#ahead += ms;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms / this.#factor);
    return () => clearTimeout(timer);
  }
}
