import { DatabaseSync } from "node:sqlite";
import type { SqliteJournal } from "../../../src/journal/sqlite/sqlite-journal.ts";
import { journalConformance } from "./conformance.ts";
import { StillClock, turning } from "./fixtures.ts";
import type { Opened } from "./fixtures.ts";
import { openIn, openOver, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

function opened(folder: string, journal: SqliteJournal, clock: StillClock): Opened {
  const close = async (): Promise<void> => {
    await journal.close();
    removeFolder(folder);
  };
  return { journal, clock, close };
}

describe("the journal in SQLite", () => {
  journalConformance(async () => {
    const [clock, folder] = [new StillClock(), temporaryFolder()];
    const { journal } = await openIn(folder, clock);
    return opened(folder, journal, clock);
  });
});

describe("the journal in SQLite with a codec", () => {
  journalConformance(async () => {
    const [clock, folder] = [new StillClock(), temporaryFolder()];
    const { journal } = await openIn(folder, clock, { codec: turning });
    return opened(folder, journal, clock);
  });
});

describe("the journal in SQLite where WAL mode is not safe", () => {
  journalConformance(async () => {
    const [clock, folder] = [new StillClock(), temporaryFolder()];
    const { db, journal } = await openOver(folder, (path) => new DatabaseSync(path, { timeout: 0 }), clock);
    db.exec("PRAGMA journal_mode = TRUNCATE");
    return opened(folder, journal, clock);
  });
});
