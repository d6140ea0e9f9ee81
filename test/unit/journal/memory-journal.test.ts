import { randomUUID } from "node:crypto";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { journalConformance } from "./conformance.ts";
import { StillClock } from "./fixtures.ts";

describe("the journal in memory", () => {
  journalConformance(() => {
    const clock = new StillClock();
    const journal = new MemoryJournal({ clock, newId: randomUUID });
    return Promise.resolve({ journal, clock, close: () => journal.close() });
  });
});
