/** Least time between two announcements, so that a busy queue does not talk over the reader. */
const pauseMs = 5000;

/** Passes on the newest text, never more often than every few seconds, never the same twice in a row. */
export class Announcer {
  readonly #speak: (text: string) => void;
  #next: string | undefined;
  #last = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(speak: (text: string) => void) {
    this.#speak = speak;
  }

  say(text: string): void {
    this.#next = text;
    this.#timer ??= setTimeout(() => this.#pass(), this.#last === "" ? 0 : pauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #pass(): void {
    this.#timer = undefined;
    if (this.#next === undefined || this.#next === this.#last) return;
    this.#last = this.#next;
    this.#speak(this.#next);
  }
}
