import type { Clock } from "../core/ports.ts";

/** A sleep that can be cut short: the one place where a worker waits. */
export class Wake {
  readonly #clock: Clock;
  #pending = false;
  #ring: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the present sleep, or the next one at once. */
  now(): void {
    this.#pending = true;
    this.#ring?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(ms, resolve);
        this.#ring = () => {
          cancel();
          resolve();
        };
      });
      this.#ring = undefined;
    }
    this.#pending = false;
  }
}
