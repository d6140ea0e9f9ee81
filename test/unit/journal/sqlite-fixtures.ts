import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
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
): Promise<OpenedJournal> => openJournal(folder, { clock, newId: randomUUID, patienceMs });

export interface OpenedSqlite {
  readonly journal: SqliteJournal;
  readonly report: OpenReport;
}

export async function openIn(folder: string, clock = new StillClock()): Promise<OpenedSqlite> {
  const opened = await tryOpen(folder, clock);
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
  const deps = { db, bodies, ballast, directory: folder, clock, newId: randomUUID, patienceMs: 200 };
  return { db, journal: new SqliteJournal(deps) };
}
