import type { Clock, Disposable } from "../../core/ports.ts";

/** A document is read again at most this often while its text comes. */
const GAP_MS = 200;

/** Answers as far as they have come, of calls that this window makes. */
export class LiveAnswers {
  readonly #clock: Pick<Clock, "after">;
  readonly #texts = new Map<string, string>();
  readonly #waiting = new Set<string>();
  readonly #listeners = new Set<(id: string) => void>();

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
  }

  /** What has come of an answer until now; `undefined` once no more comes. */
  set(id: string, text: string | undefined): void {
    if (text === undefined) {
      this.#texts.delete(id);
      return;
    }
    this.#texts.set(id, text);
    if (this.#waiting.has(id)) return;
    this.#waiting.add(id);
    this.#clock.after(GAP_MS, () => {
      this.#waiting.delete(id);
      if (this.#texts.has(id)) for (const listener of [...this.#listeners]) listener(id);
    });
  }

  text(id: string): string | undefined {
    return this.#texts.get(id);
  }

  /** Tells of answers that more has come of, now and then. */
  onDidGrow(listener: (id: string) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }
}
