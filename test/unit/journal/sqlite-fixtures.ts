import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../../../src/journal/sqlite/open-journal.ts";
import type { OpenReport, OpenedJournal } from "../../../src/journal/sqlite/open-journal.ts";
import type { SqliteJournal } from "../../../src/journal/sqlite/sqlite-journal.ts";
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
