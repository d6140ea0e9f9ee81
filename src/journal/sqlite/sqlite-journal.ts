import { BaseJournal } from "../base-journal.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { SqliteStoreDeps } from "./sqlite-store.ts";

/** The durable journal that all windows of a user share. Made by `openJournal`. */
export class SqliteJournal extends BaseJournal {
  readonly #store: SqliteStore;

  constructor(deps: SqliteStoreDeps) {
    const store = new SqliteStore(deps);
    super(store);
    this.#store = store;
  }

  /** Every statement used so far, for a look at its plan. */
  get statements(): readonly string[] {
    return this.#store.statements;
  }
}
