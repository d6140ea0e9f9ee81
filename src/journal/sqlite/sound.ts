import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { JournalError } from "../../core/errors.ts";
import { connect, rollBack } from "./connection.ts";
import type { JournalMode, Sqlite } from "./connection.ts";
import { isBusy, isDamage } from "./errors.ts";
import { whileBusy } from "./retry.ts";
import { salvage } from "./salvage.ts";
import type { Salvaged } from "./salvage.ts";
import { migrate, migrations } from "./schema.ts";
import type { Migrated } from "./schema.ts";
import type { UseLock } from "./use-lock.ts";

export interface Place {
  readonly module: Sqlite;
  readonly directory: string;
  readonly mode: JournalMode;
  readonly patienceMs: number;
  /** Readers of older schemas are kept out; see `migrate`. */
  readonly leastReader: number;
}

export interface Found {
  readonly db: DatabaseSync;
  readonly migrated: Migrated;
  readonly damaged?: { readonly keptAs: readonly string[] } & Salvaged;
}

/** The database in the journal's folder. */
export const journalFile = (directory: string): string => join(directory, "journal.sqlite");

/** Opens the database, checked and with the newest schema; the use lock is shared then. A damaged one is set aside first. */
export async function openSound(place: Place, use: UseLock): Promise<Found> {
  const path = journalFile(place.directory);
  await whileBusy(() => use.share(), place.patienceMs);
  finishSettingAside(path);
  const sound = await openMigrated(place, path);
  if (sound !== undefined) return sound;
  const alone = await takenAlone(place, use);
  if (!alone) await whileBusy(() => use.share(), place.patienceMs);
  // Another window may have done it while this one waited.
  const found = (await openMigrated(place, path)) ?? (alone ? await startAfresh(place, path) : undefined);
  if (found === undefined) {
    const message = `The journal in ${place.directory} is damaged and another window still uses it. Close all other windows and reload this one.`;
    throw new JournalError("damaged", message);
  }
  await whileBusy(() => use.share(), place.patienceMs);
  return found;
}

async function takenAlone({ patienceMs }: Place, use: UseLock): Promise<boolean> {
  try {
    await whileBusy(() => use.takeAlone(), patienceMs);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

const salvagedPath = (path: string): string => path.replace(/\.sqlite$/, ".salvaged.sqlite");

/**
 * Copies what can be read into a new database, then sets the damaged one aside under another name, with what belongs to
 * it, and puts the new one in its place. Whenever this is interrupted, the next start begins or goes on; nothing is lost.
 */
async function startAfresh(place: Place, path: string): Promise<Found> {
  const copying = path.replace(/\.sqlite$/, ".salvaging.sqlite");
  for (const end of ends) rmSync(copying + end, { force: true });
  const copy = await openMigrated({ ...place, mode: "TRUNCATE" }, copying);
  if (copy === undefined) throw unreliable(place);
  let salvaged: Salvaged;
  try {
    salvaged = salvage(place.module, path, copy.db);
  } finally {
    copy.db.close();
  }
  // SQLite leaves an empty log beside a database that it has closed.
  for (const end of ends.slice(1)) rmSync(copying + end, { force: true });
  renameSync(copying, salvagedPath(path));
  const keptAs = setAside(path);
  finishSettingAside(path);
  const fresh = await openMigrated(place, path);
  if (fresh === undefined) throw unreliable(place);
  return { ...fresh, damaged: { keptAs, ...salvaged } };
}

const unreliable = ({ directory }: Place): JournalError =>
  new JournalError("damaged", `The volume of ${directory} does not keep what is written to it.`);

const ends = ["", "-wal", "-shm", "-journal"];

/** Answers the new names. The database comes first: once that is gone, what was salvaged takes its place. */
function setAside(path: string): readonly string[] {
  const kept = path.replace(
    /\.sqlite$/,
    `.damaged-${new Date().toISOString().replaceAll(/[-:.]/g, "")}.sqlite`,
  );
  return ends.flatMap((end) => {
    if (!existsSync(path + end)) return [];
    renameSync(path + end, kept + end);
    return [kept + end];
  });
}

/** Nothing of the damaged database may stay beside the new one, or SQLite would take the one's log for the other's. */
function finishSettingAside(path: string): void {
  if (existsSync(path) || !existsSync(salvagedPath(path))) return;
  setAside(path);
  renameSync(salvagedPath(path), path);
}

async function openMigrated(place: Place, path: string): Promise<Found | undefined> {
  const { module, mode, patienceMs, leastReader } = place;
  const db = await whileBusy(() => openChecked(module, path, mode), patienceMs);
  if (db === undefined) return undefined;
  try {
    const migrated = await whileBusy(
      () => inTransaction(db, () => migrate(db, migrations, leastReader)),
      patienceMs,
    );
    return { db, migrated };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** `undefined`: damaged. */
function openChecked(module: Sqlite, path: string, mode: JournalMode): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = connect(module, path, mode);
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
