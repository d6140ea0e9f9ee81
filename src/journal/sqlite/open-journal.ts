import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Clock, NewId } from "../../core/ports.ts";
import { JournalError } from "../../core/errors.ts";
import { Ballast } from "./ballast.ts";
import { Bodies } from "./bodies.ts";
import { connect, rollBack, sqlite, versionOf, walIsSafe } from "./connection.ts";
import type { Sqlite } from "./connection.ts";
import { isBusy, isDamage, journalError } from "./errors.ts";
import { whileBusy } from "./retry.ts";
import { salvage, setAside } from "./salvage.ts";
import type { Salvaged } from "./salvage.ts";
import { migrate, migrations } from "./schema.ts";
import type { Migrated } from "./schema.ts";
import { UseLock } from "./use-lock.ts";
import { SqliteJournal } from "./sqlite-journal.ts";

export interface OpenJournalDeps {
  readonly clock: Clock;
  readonly newId: NewId;
  /** How long to go on while another program keeps the database locked; 10 s where it is not given. */
  readonly patienceMs?: number;
}

/** What a person should be told once. */
export interface OpenReport {
  readonly sqliteVersion: string;
  /** This SQLite has a bug in WAL mode, so the slower rollback journal is used. */
  readonly slowMode: boolean;
  /** The schema before, where it was raised; 0 for a new journal. */
  readonly migratedFrom?: number;
  /** A damaged journal was found: it was kept under these names, and what could be read was taken over. */
  readonly damaged?: { readonly keptAs: readonly string[] } & Salvaged;
}

export type OpenedJournal =
  | { readonly kind: "opened"; readonly journal: SqliteJournal; readonly report: OpenReport }
  | {
      readonly kind: "unavailable";
      /** `no-sqlite`: this editor's Node lacks it; `newer`: a newer version of the extension wrote it. */
      readonly reason: JournalError["reason"] | "no-sqlite" | "newer";
      readonly message: string;
    };

/**
 * Opens the journal in a folder that belongs to it, and makes both where they are missing. A damaged journal is set aside
 * under another name, never deleted, and what can be read of it is taken over.
 */
export async function openJournal(directory: string, deps: OpenJournalDeps): Promise<OpenedJournal> {
  const module = sqlite();
  if (module === undefined) {
    const message = "This editor has no node:sqlite. Update the editor to keep the queue on disk.";
    return { kind: "unavailable", reason: "no-sqlite", message };
  }
  const patienceMs = deps.patienceMs ?? 10_000;
  let use: UseLock | undefined;
  try {
    await makeFolder(directory);
    use = new UseLock(module, join(directory, "in-use.sqlite"));
    const found = await openSound(module, directory, use, patienceMs);
    if (found.migrated.kind === "newer") {
      found.db.close();
      use.close();
      const message = `The journal in ${directory} was written by a newer version. Update this extension; nothing was changed.`;
      return { kind: "unavailable", reason: "newer", message };
    }
    const ballast = new Ballast(join(directory, "ballast"));
    await ballast.keep();
    return opened(directory, ballast, { ...deps, patienceMs }, use, found);
  } catch (error) {
    use?.close();
    const translated = journalError(error, directory);
    if (!(translated instanceof JournalError)) throw error;
    return { kind: "unavailable", reason: translated.reason, message: translated.message };
  }
}

interface Found {
  readonly db: DatabaseSync;
  readonly migrated: Migrated;
  readonly damaged?: NonNullable<OpenReport["damaged"]>;
}

function opened(
  directory: string,
  ballast: Ballast,
  { clock, newId, patienceMs }: Required<OpenJournalDeps>,
  use: UseLock,
  { db, migrated, damaged }: Found,
): OpenedJournal {
  const bodies = new Bodies(join(directory, "bodies"));
  const journal = new SqliteJournal({
    db,
    bodies,
    ballast,
    directory,
    clock,
    newId,
    patienceMs,
    closed: () => use.close(),
  });
  const sqliteVersion = versionOf(db);
  const report = {
    sqliteVersion,
    slowMode: !walIsSafe(sqliteVersion),
    ...(migrated.kind === "migrated" ? { migratedFrom: migrated.from } : {}),
    ...(damaged === undefined ? {} : { damaged }),
  };
  return { kind: "opened", journal, report };
}

/** Prompts and paths are private: only the user may look into a folder that was made here. */
async function makeFolder(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(directory, 0o700);
}

async function openSound(
  module: Sqlite,
  directory: string,
  use: UseLock,
  patienceMs: number,
): Promise<Found> {
  const path = join(directory, "journal.sqlite");
  await whileBusy(() => use.share(), patienceMs);
  const sound = await openMigrated(module, path, patienceMs);
  if (sound !== undefined) return sound;
  await alone(use, directory, patienceMs);
  // Another window may have done it while this one waited.
  const mended = await openMigrated(module, path, patienceMs);
  const found = mended ?? (await startAfresh(module, path, directory, patienceMs));
  await whileBusy(() => use.share(), patienceMs);
  return found;
}

async function alone(use: UseLock, directory: string, patienceMs: number): Promise<void> {
  try {
    await whileBusy(() => use.takeAlone(), patienceMs);
  } catch (error) {
    if (!isBusy(error)) throw error;
    const message = `The journal in ${directory} is damaged and another window still uses it. Close all other windows and reload this one.`;
    throw new JournalError("damaged", message, { cause: error });
  }
}

async function startAfresh(
  module: Sqlite,
  path: string,
  directory: string,
  patienceMs: number,
): Promise<Found> {
  const keptAs = setAside(path, new Date().toISOString().replaceAll(/[-:.]/g, ""));
  const fresh = await openMigrated(module, path, patienceMs);
  if (fresh === undefined)
    throw new JournalError("damaged", `The volume of ${directory} does not keep what is written to it.`);
  const salvaged = salvage(module, keptAs[0] ?? path, fresh.db);
  return { ...fresh, damaged: { keptAs, ...salvaged } };
}

async function openMigrated(module: Sqlite, path: string, patienceMs: number): Promise<Found | undefined> {
  const db = await whileBusy(() => openChecked(module, path), patienceMs);
  if (db === undefined) return undefined;
  try {
    return {
      db,
      migrated: await whileBusy(() => inTransaction(db, () => migrate(db, migrations)), patienceMs),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** `undefined`: damaged. */
function openChecked(module: Sqlite, path: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = connect(module, path);
    const answers = db.prepare("PRAGMA quick_check(1)").all();
    if (answers.length === 1 && answers[0]?.["quick_check"] === "ok") return db;
    db.close();
    return undefined;
  } catch (error) {
    if (db?.isOpen === true) db.close();
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function inTransaction<T>(db: DatabaseSync, action: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = action();
    db.exec("COMMIT");
    return value;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}
