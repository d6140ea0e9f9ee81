import { StateError } from "./errors.ts";
import type { Journal, JournalEvent } from "./journal.ts";
import type { Clock, Disposable, Logger } from "./ports.ts";
import type { Result } from "./result.ts";
import type { JournalState } from "./snapshot.ts";

/** Changes of other windows are read at most this often; one's own are read at once. */
const READ_GAP_MS = 100;

type Waiter = (result: Result) => void;

/** The last state read from the journal, kept fresh, and the promises of results that somebody waits for. */
export class StateStore implements Disposable {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #listeners = new Set<(state: JournalState, events: readonly JournalEvent[]) => void>();
  readonly #waiters = new Map<string, Waiter[]>();
  readonly #watch: Disposable;
  #state: JournalState;
  #seen: JournalEvent[] = [];
  #reading: Promise<void> | undefined;
  #again: Promise<void> | undefined;
  #cancelDelay: (() => void) | undefined;
  #disposed = false;

  private constructor(journal: Journal, clock: Clock, log: Logger, state: JournalState) {
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
    this.#state = state;
    this.#watch = journal.watch(state.sequence, (events) => this.#onEvents(events));
  }

  static async open(journal: Journal, clock: Clock, log: Logger): Promise<StateStore> {
    return new StateStore(journal, clock, log, await journal.state());
  }

  current(): JournalState {
    return this.#state;
  }

  /** Called after each change with the new state and the events that led to it. */
  onDidChange(listener: (state: JournalState, events: readonly JournalEvent[]) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Resolves once `current()` is at least as new as this call. */
  refresh(): Promise<void> {
    if (!this.#reading) return (this.#reading = this.#read());
    // The running read may have begun before the change, so one more follows; all who ask meanwhile share it.
    this.#again ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#again = undefined;
        return (this.#reading = this.#read());
      });
    return this.#again;
  }

  /** The operation's result, as soon as it is final; at once where it is. Rejects only where there is no such operation. */
  async settled(id: string): Promise<Result> {
    const arrival = new Promise<Result>((resolve) => {
      this.#waiters.set(id, [...(this.#waiters.get(id) ?? []), resolve]);
    });
    // Asked for after the waiter stands, so that a result between the two is not missed.
    await this.#deliver([id]);
    if (this.#waiters.has(id) && !(await this.#journal.operation(id))) {
      this.#waiters.delete(id);
      throw new StateError("not-found", `There is no operation ${id}.`);
    }
    return arrival;
  }

  dispose(): void {
    this.#disposed = true;
    this.#watch.dispose();
    this.#cancelDelay?.();
    this.#listeners.clear();
    this.#waiters.clear();
  }

  #onEvents(events: readonly JournalEvent[]): void {
    if (this.#disposed) return;
    this.#seen.push(...events);
    const awaited = events.flatMap((event) => event.operations ?? []).filter((id) => this.#waiters.has(id));
    if (awaited.length > 0)
      this.#deliver(awaited).catch((error: unknown) => this.#log.error("Reading results failed.", error));
    this.#cancelDelay ??= this.#clock.after(READ_GAP_MS, () => {
      this.#cancelDelay = undefined;
      this.refresh().catch((error: unknown) => this.#log.error("Reading the journal's state failed.", error));
    });
  }

  async #deliver(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const result = await this.#journal.result(id);
      if (!result) continue;
      const waiters = this.#waiters.get(id) ?? [];
      this.#waiters.delete(id);
      for (const waiter of waiters) waiter(result);
    }
  }

  async #read(): Promise<void> {
    try {
      const state = await this.#journal.state();
      const events = this.#seen;
      this.#seen = [];
      const changed = state.sequence !== this.#state.sequence || events.length > 0;
      this.#state = state;
      if (changed && !this.#disposed) for (const listener of [...this.#listeners]) listener(state, events);
    } finally {
      this.#reading = undefined;
    }
  }
}
