import type * as sqliteModule from "node:sqlite";
import type { DatabaseSync } from "node:sqlite";

export type Sqlite = typeof sqliteModule;

/** `node:sqlite`, or `undefined` where this Node does not have it. */
export const sqlite = (): Sqlite | undefined => process.getBuiltinModule("node:sqlite");

/**
 * SQLite before 3.51.3 can corrupt a database in WAL mode when two connections write and checkpoint at the same moment;
 * the mend was carried back to 3.50.7 and 3.44.6. https://www.sqlite.org/releaselog/3_51_3.html
 */
export function walIsSafe(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major !== 3) return major > 3;
  if (minor === 44) return patch >= 6;
  if (minor === 50) return patch >= 7;
  return minor > 51 || (minor === 51 && patch >= 3);
}

export function versionOf({ DatabaseSync }: Sqlite): string {
  const db = new DatabaseSync(":memory:");
  try {
    return String(db.prepare("SELECT sqlite_version() AS version").get()?.["version"]);
  } finally {
    db.close();
  }
}

/** Both survive a crash and a power cut; WAL is several times faster. */
export type JournalMode = "WAL" | "TRUNCATE";

/** A connection that never waits by itself (`whileBusy` does) and whose commits survive a power cut. */
export function connect({ DatabaseSync }: Sqlite, path: string, mode: JournalMode): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec(`PRAGMA journal_mode = ${mode}`);
    db.exec(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 16777216",
    );
    // Without these, a flush on macOS does not reach the disk's platters.
    if (process.platform === "darwin") db.exec("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Undoes what a failed transaction left open; SQLite has ended it already after some errors, such as a full disk. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec("ROLLBACK");
}
