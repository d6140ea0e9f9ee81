import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { codecSchema } from "../codec.ts";
import type { Sqlite } from "./connection.ts";

export interface Salvaged {
  /** Rows taken over, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Tables that could not be read to their end. */
  readonly incomplete: readonly string[];
}

/** Parents before children. */
const tables = [
  "sequence",
  "batch",
  "op",
  "payload",
  "result",
  "effect",
  "owner",
  "counter",
  "pause",
  "hold",
  "fact",
  "event",
] as const;

/** Copies what can be read of a damaged database into a fresh one, and makes that consistent. */
export function salvage({ DatabaseSync }: Sqlite, from: string, into: DatabaseSync): Salvaged {
  const rows: Record<string, number> = {};
  const incomplete: string[] = [];
  let damaged: DatabaseSync | undefined;
  into.exec("PRAGMA foreign_keys = OFF");
  try {
    damaged = new DatabaseSync(from, { readOnly: true, timeout: 0 });
    into.exec("BEGIN IMMEDIATE");
    for (const table of tables) {
      if (!copyTable(damaged, into, table)) incomplete.push(table);
      rows[table] = Number(into.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
    }
    into.exec(consistent);
    if (incomplete.includes("effect")) into.exec(doubtful);
    into.exec(recount);
    into.exec(coded);
    into.exec("COMMIT");
  } finally {
    if (into.isTransaction) into.exec("ROLLBACK");
    into.exec("PRAGMA foreign_keys = ON");
    damaged?.close();
  }
  return { rows, incomplete };
}

/** Reads from both ends, for the damage may be in between. Answers whether the whole table was read. */
function copyTable(damaged: DatabaseSync, into: DatabaseSync, table: (typeof tables)[number]): boolean {
  // Only columns that both have: an older version lacks some, which get their defaults, and a newer one may have added others.
  const there = columnsOf(damaged, table);
  const names = columnsOf(into, table).filter((name) => there.includes(name));
  if (names.length === 0) return false;
  const insert = into.prepare(
    `INSERT OR IGNORE INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
  );
  const order = table === "effect" ? ["batch", "batch DESC"] : ["rowid", "rowid DESC"];
  for (const by of order) {
    try {
      for (const row of damaged.prepare(`SELECT * FROM ${table} ORDER BY ${by}`).iterate()) {
        insert.run(...names.map((name): SQLInputValue => row[name] ?? null));
      }
      return true;
    } catch {
      // Read as far as it goes; the other end is next.
    }
  }
  return false;
}

/** None where that table cannot be read at all. */
function columnsOf(db: DatabaseSync, table: string): readonly string[] {
  try {
    return db
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => String(name));
  } catch {
    return [];
  }
}

/**
 * An open operation whose batch is gone waits again; what cannot be executed or shown without its lost half goes.
 */
const consistent = `
UPDATE op SET status = 'queued', batch = NULL
  WHERE status IN ('pending', 'executing') AND batch NOT IN (SELECT id FROM batch);
DELETE FROM op WHERE batch IS NOT NULL AND batch NOT IN (SELECT id FROM batch);
DELETE FROM op WHERE seq NOT IN (SELECT op FROM payload);
DELETE FROM payload WHERE op NOT IN (SELECT seq FROM op);
DELETE FROM result WHERE op NOT IN (SELECT seq FROM op);
DELETE FROM effect WHERE batch NOT IN (SELECT id FROM batch);
INSERT INTO sequence SELECT 'position', coalesce(max(position), 0) FROM op WHERE true
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value);`;

/** Where effects may be lost, nobody knows what executing batches have done: they must not be done again. */
const doubtful = `
UPDATE op SET status = 'failed', reason = 'journal-damaged',
  error = 'The journal was damaged while this was executed. Look whether it took effect before you retry it.'
  WHERE status = 'executing';
INSERT OR REPLACE INTO result (op, text) SELECT seq, json_object('id', id, 'status', status, 'error', error, 'reason', reason)
  FROM op WHERE reason = 'journal-damaged';`;

/** As opening with a codec does. */
const coded = `
UPDATE meta SET value = max(CAST(value AS INTEGER), ${codecSchema}) WHERE key = 'min_reader'
  AND EXISTS (SELECT 1 FROM payload WHERE codec IS NOT NULL UNION ALL SELECT 1 FROM result WHERE codec IS NOT NULL);`;

const recount = `
DELETE FROM effect WHERE batch NOT IN (SELECT batch FROM op WHERE batch IS NOT NULL);
DELETE FROM batch WHERE id NOT IN (SELECT batch FROM op WHERE batch IS NOT NULL);
UPDATE batch SET
  operation_count = (SELECT count(*) FROM op WHERE op.batch = batch.id),
  bytes = (SELECT sum(op.bytes) FROM op WHERE op.batch = batch.id),
  counts = (SELECT json_group_object(status, n) FROM
    (SELECT status, count(*) AS n FROM op WHERE op.batch = batch.id GROUP BY status ORDER BY status));
UPDATE batch SET status = 'failed', ended_at = coalesce(started_at, created_at)
  WHERE status IN ('pending', 'executing')
    AND NOT EXISTS (SELECT 1 FROM op WHERE op.batch = batch.id AND op.status IN ('pending', 'executing'));`;
