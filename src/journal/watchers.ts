import type { JournalEvent } from "../core/journal.ts";
import type { Disposable } from "../core/ports.ts";

type Listener = (events: readonly JournalEvent[]) => void;

/** So many events are handed to a listener at once. */
const page = 500;

/** Brings each listener what it has not seen yet, in order, soon after a hint that there is something. */
export class Watchers implements Disposable {
  readonly #read: (since: number, limit: number) => readonly JournalEvent[];
  readonly #seen = new Map<Listener, number>();
  #scheduled: NodeJS.Immediate | undefined;
  #disposed = false;
  #behind = false;

  constructor(read: (since: number, limit: number) => readonly JournalEvent[]) {
    this.#read = read;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** The last reading failed, so a later hint is needed. */
  get behind(): boolean {
    return this.#behind;
  }

  add(since: number, listener: Listener): Disposable {
    // The same function may watch twice; each watch is its own.
    const own: Listener = (events) => listener(events);
    this.#seen.set(own, since);
    this.hint();
    return { dispose: () => void this.#seen.delete(own) };
  }

  /** Many changes of one turn of the event loop are brought together. */
  hint(): void {
    if (this.#disposed || this.#seen.size === 0) return;
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      this.#deliver();
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#seen.clear();
    clearImmediate(this.#scheduled);
  }

  /** Nothing is lost when reading fails: the listener stays where it is. */
  #readAfter(since: number): readonly JournalEvent[] {
    try {
      return this.#read(since, page);
    } catch {
      this.#behind = true;
      return [];
    }
  }

  #deliver(): void {
    this.#behind = false;
    for (const [listener, since] of [...this.#seen]) {
      if (!this.#seen.has(listener)) continue;
      const events = this.#readAfter(since);
      const last = events.at(-1);
      if (last === undefined) continue;
      this.#seen.set(listener, last.sequence);
      listener(events);
      if (events.length === page) this.hint();
    }
  }
}
