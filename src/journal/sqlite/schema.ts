import type { DatabaseSync } from "node:sqlite";

/** One step from the schema before it. A step only adds, so that windows of an older version that still run go on. */
export interface Migration {
  readonly to: number;
  /** The oldest schema whose readers can still work with the result. */
  readonly minReader: number;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  {
    to: 1,
    minReader: 1,
    sql: `
CREATE TABLE sequence (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
CREATE TABLE batch (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, side TEXT NOT NULL, grp TEXT NOT NULL, lane TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'executing', 'completed', 'failed', 'cancelled')),
  created_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER, operation_count INTEGER NOT NULL, bytes INTEGER NOT NULL,
  counts TEXT NOT NULL, error TEXT, remote_id TEXT, cancel_requested INTEGER NOT NULL, detail TEXT, stats TEXT) STRICT;
CREATE INDEX batch_pending ON batch (lane, seq) WHERE status = 'pending';
CREATE INDEX batch_executing ON batch (lane, seq) WHERE status = 'executing';
CREATE INDEX batch_ended ON batch (side, ended_at, seq) WHERE ended_at IS NOT NULL;
CREATE INDEX batch_ended_at ON batch (ended_at, seq) WHERE ended_at IS NOT NULL;
CREATE TABLE op (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, side TEXT NOT NULL, grp TEXT NOT NULL, lane TEXT NOT NULL,
  label TEXT NOT NULL, source TEXT NOT NULL, enqueued_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'pending', 'executing', 'succeeded', 'failed', 'cancelled', 'expired')),
  batch TEXT REFERENCES batch (id), position INTEGER NOT NULL, bytes INTEGER NOT NULL, error TEXT, reason TEXT, retry_of TEXT,
  detail TEXT, idempotency_key TEXT UNIQUE, fingerprint TEXT NOT NULL, CHECK ((status = 'queued') = (batch IS NULL))) STRICT;
CREATE INDEX op_group ON op (grp, position, side, lane, source, enqueued_at) WHERE status = 'queued';
CREATE INDEX op_side ON op (side, position) WHERE status = 'queued';
CREATE INDEX op_final ON op (status, position) WHERE status IN ('succeeded', 'failed', 'cancelled', 'expired');
CREATE INDEX op_position ON op (position);
CREATE INDEX op_batch ON op (batch, position) WHERE batch IS NOT NULL;
CREATE INDEX op_bad ON op (batch, position) WHERE status IN ('failed', 'expired');
CREATE TABLE payload (op INTEGER PRIMARY KEY REFERENCES op (seq) ON DELETE CASCADE, text TEXT, file TEXT,
  CHECK ((text IS NULL) <> (file IS NULL))) STRICT;
CREATE INDEX payload_file ON payload (file) WHERE file IS NOT NULL;
CREATE TABLE result (op INTEGER PRIMARY KEY REFERENCES op (seq) ON DELETE CASCADE, text TEXT, file TEXT,
  CHECK ((text IS NULL) <> (file IS NULL))) STRICT;
CREATE INDEX result_file ON result (file) WHERE file IS NOT NULL;
CREATE TABLE effect (
  batch TEXT NOT NULL REFERENCES batch (id) ON DELETE CASCADE, n INTEGER NOT NULL, kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('intent', 'started', 'unknown', 'done', 'failed', 'abandoned')),
  epoch INTEGER NOT NULL, plan TEXT NOT NULL, result TEXT, pid INTEGER, pid_start TEXT, at INTEGER NOT NULL,
  PRIMARY KEY (batch, n)) STRICT, WITHOUT ROWID;
CREATE TABLE owner (lane TEXT PRIMARY KEY, holder TEXT NOT NULL, epoch INTEGER NOT NULL, pid INTEGER NOT NULL,
  pid_start TEXT NOT NULL, beat INTEGER NOT NULL) STRICT;
CREATE TABLE counter (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE pause (side TEXT PRIMARY KEY) STRICT;
CREATE TABLE hold (side TEXT NOT NULL, reason TEXT NOT NULL, lane TEXT NOT NULL DEFAULT '', until TEXT,
  PRIMARY KEY (side, reason, lane)) STRICT;
CREATE TABLE fact (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE event (sequence INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, batch TEXT, operations TEXT) STRICT;`,
  },
  {
    // What a queue that a team shares will need stands here from the start, so that its rows need not be guessed later.
    // Git operations belong to a clone, so they are never shared.
    to: 2,
    minReader: 1,
    sql: `
ALTER TABLE op ADD COLUMN origin TEXT;
ALTER TABLE op ADD COLUMN visibility TEXT NOT NULL DEFAULT 'local'
  CHECK (visibility = 'local' OR (visibility = 'shared' AND side = 'llm'));
ALTER TABLE op ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE payload ADD COLUMN codec TEXT;
ALTER TABLE result ADD COLUMN codec TEXT;`,
  },
];

export type Migrated =
  | { readonly kind: "current" }
  | { readonly kind: "migrated"; readonly from: number }
  /** Written by a newer version that this one cannot read; nothing was changed. */
  | { readonly kind: "newer"; readonly schema: number };

/**
 * Brings the database to the newest schema known here. Call it inside a write transaction: several windows may start at
 * once. `least`: the oldest schema whose readers understand what this window will write.
 */
export function migrate(db: DatabaseSync, steps: readonly Migration[], least = 0): Migrated {
  db.exec("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT");
  const read = db.prepare("SELECT value FROM meta WHERE key = ?");
  const number = (key: string): number => Number(read.get(key)?.["value"] ?? 0);
  const known = steps.at(-1)?.to ?? 0;
  const write = db.prepare(
    "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const from = number("schema");
  const minReader = number("min_reader");
  if (minReader > known) return { kind: "newer", schema: from };
  const due = steps.filter(({ to }) => to > from);
  for (const { sql } of due) db.exec(sql);
  const last = due.at(-1);
  if (last !== undefined) write.run("schema", String(last.to));
  const raised = Math.max(minReader, last?.minReader ?? 0, least);
  if (raised > minReader) write.run("min_reader", String(raised));
  return last === undefined ? { kind: "current" } : { kind: "migrated", from };
}
