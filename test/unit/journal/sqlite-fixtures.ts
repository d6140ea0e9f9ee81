import { randomUUID } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { JournalOptions } from "../../../src/journal/base-journal.ts";
import { Ballast } from "../../../src/journal/sqlite/ballast.ts";
import { Bodies } from "../../../src/journal/sqlite/bodies.ts";
import { openJournal } from "../../../src/journal/sqlite/open-journal.ts";
import type { OpenReport, OpenedJournal } from "../../../src/journal/sqlite/open-journal.ts";
import { SqliteJournal } from "../../../src/journal/sqlite/sqlite-journal.ts";
import { StillClock } from "./fixtures.ts";

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "journal-"));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

export const tryOpen = (
  folder: string,
  clock = new StillClock(),
  patienceMs = 2000,
  options: JournalOptions = {},
): Promise<OpenedJournal> => openJournal(folder, { clock, newId: randomUUID, patienceMs, ...options });

/** Overwrites a stretch of the file, the way a failing disk does. */
export function damage(path: string, from: number, length: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(file);
}

/** Three pages in the middle. */
export const damageMiddle = (path: string): void =>
  damage(path, Math.floor(statSync(path).size / 2), 3 * 4096);

export interface OpenedSqlite {
  readonly journal: SqliteJournal;
  readonly report: OpenReport;
}

export async function openIn(
  folder: string,
  clock = new StillClock(),
  options: JournalOptions = {},
): Promise<OpenedSqlite> {
  const opened = await tryOpen(folder, clock, undefined, options);
  if (opened.kind !== "opened") throw new Error(opened.message);
  return opened;
}

/** A journal over a connection of the test's own, in a folder that has one. */
export async function openOver(
  folder: string,
  make: (path: string) => DatabaseSync,
  clock = new StillClock(),
): Promise<{ db: DatabaseSync; journal: SqliteJournal }> {
  await (await openIn(folder)).journal.close();
  const db = make(join(folder, "journal.sqlite"));
  const bodies = new Bodies(join(folder, "bodies"));
  const ballast = new Ballast(join(folder, "ballast"));
  const files = { db, bodies, ballast, directory: folder, inPlace: () => true };
  return { db, journal: new SqliteJournal({ ...files, clock, newId: randomUUID, patienceMs: 200 }) };
}
