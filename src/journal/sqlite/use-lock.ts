import type { DatabaseSync } from "node:sqlite";
import { rollBack } from "./connection.ts";
import type { Sqlite } from "./connection.ts";

/**
 * Tells whether any window uses the journal. A window that uses it shares the lock; setting the files aside needs it
 * alone, or another window would go on writing to a file that nobody reads any more. A kernel lock through SQLite: it
 * falls when the process dies. The file must never be opened in another way, for that would drop the lock.
 */
export class UseLock {
  readonly #db: DatabaseSync;

  constructor({ DatabaseSync }: Sqlite, path: string) {
    this.#db = new DatabaseSync(path, { timeout: 0 });
  }

  /** Throws SQLite's busy error while another window sets the journal aside. */
  share(): void {
    rollBack(this.#db);
    this.#db.exec("BEGIN");
    this.#db.prepare("SELECT count(*) FROM sqlite_schema").get();
  }

  /** Throws SQLite's busy error while another window uses the journal. */
  takeAlone(): void {
    rollBack(this.#db);
    this.#db.exec("BEGIN EXCLUSIVE");
  }

  close(): void {
    this.#db.close();
  }
}
