import type { Clock, Disposable, NewId } from "../core/ports.ts";
import type { JournalEvent } from "../core/journal.ts";
import { BaseJournal } from "./base-journal.ts";
import type { JournalOptions, Store } from "./base-journal.ts";
import { MemoryTables } from "./memory-tables.ts";
import type { Body, Tables, Transaction } from "./tables.ts";
import { Watchers } from "./watchers.ts";

export interface MemoryJournalDeps extends JournalOptions {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The journal for a session that agreed to work without a durable one, and for tests of others. One window only. */
export class MemoryJournal extends BaseJournal {
  constructor(deps: MemoryJournalDeps) {
    super(new MemoryStore(deps), deps);
  }
}

/** The verbs check before they write, so nothing has to be rolled back here. */
class MemoryStore implements Store {
  readonly #deps: MemoryJournalDeps;
  readonly #tables = new MemoryTables();
  readonly #watchers = new Watchers((since, limit) => this.#tables.eventsAfter(since, limit));

  constructor(deps: MemoryJournalDeps) {
    this.#deps = deps;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a verb that throws must reject
  async write<T>(verb: (transaction: Transaction) => T): Promise<T> {
    const value = verb({ tables: this.#tables, now: this.#deps.clock.now(), newId: this.#deps.newId });
    this.#watchers.hint();
    return value;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a read that throws must reject
  async read<T>(read: (tables: Tables) => T): Promise<T> {
    return read(this.#tables);
  }

  place(text: string): Promise<Body> {
    return Promise.resolve({ kind: "inline", text });
  }

  load(body: Body): Promise<string> {
    return body.kind === "inline"
      ? Promise.resolve(body.text)
      : Promise.reject(new Error(`No file ${body.sha}`));
  }

  watch(since: number, listener: (events: readonly JournalEvent[]) => void): Disposable {
    return this.#watchers.add(since, listener);
  }

  sweep(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#watchers.dispose();
    return Promise.resolve();
  }
}
