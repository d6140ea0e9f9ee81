import { existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface OpenEffect {
  readonly kind: string;
  readonly state: string;
}

function read<T>(storage: string, look: (db: DatabaseSync) => T, otherwise: T): T {
  const file = path.join(storage, "journal.sqlite");
  if (!existsSync(file)) return otherwise;
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

/** Effects whose outcome the journal does not know. Only while no process of ours has the journal open. */
export function openEffects(storage: string): readonly OpenEffect[] {
  const open = "SELECT kind, state FROM effect WHERE state IN ('intent', 'started', 'unknown')";
  return read(
    storage,
    (db) =>
      hasTable(db)
        ? db
            .prepare(open)
            .all()
            .map(({ kind, state }) => ({ kind: String(kind), state: String(state) }))
        : [],
    [],
  );
}

/** What SQLite itself says of the file: `ok` where nothing is wrong. */
export function integrity(storage: string): string {
  return read(
    storage,
    (db) =>
      db
        .prepare("PRAGMA integrity_check")
        .all()
        .map((row) => String(row["integrity_check"]))
        .join("; "),
    "there is no journal",
  );
}

/** A process that was killed at its first step may not have made it. */
const hasTable = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'effect'").get() !== undefined;
