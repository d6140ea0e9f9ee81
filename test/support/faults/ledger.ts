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

/** Effects whose outcome the journal does not know. */
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

/** Rises with everything that happens. */
export function progress(storage: string): number {
  return read(
    storage,
    (db) =>
      hasTable(db) ? Number(db.prepare("SELECT max(sequence) AS last FROM event").get()?.["last"]) : 0,
    0,
  );
}

/** Operations that were accepted and are not final. */
export function backlog(storage: string): number {
  const open = "SELECT count(*) AS open FROM op WHERE status IN ('queued', 'pending', 'executing')";
  return read(storage, (db) => (hasTable(db) ? Number(db.prepare(open).get()?.["open"]) : 0), 0);
}

/** The process that led a lane last, by the beginning of the lane's name. */
export function leaderOf(storage: string, lane: string): number | undefined {
  return read(
    storage,
    (db) => {
      const row = db.prepare("SELECT pid FROM owner WHERE substr(lane, 1, ?) = ?").get(lane.length, lane);
      return row === undefined ? undefined : Number(row["pid"]);
    },
    undefined,
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
