import { BaseJournal } from "../base-journal.ts";
import type { JournalOptions } from "../base-journal.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { SqliteStoreDeps } from "./sqlite-store.ts";

/** The durable journal that all windows of a user share. Made by `openJournal`. */
export class SqliteJournal extends BaseJournal {
  constructor(deps: SqliteStoreDeps & JournalOptions) {
    super(new SqliteStore(deps), deps);
  }
}
