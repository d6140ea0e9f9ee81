import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { JournalOptions } from "../../../src/journal/base-journal.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { journalConformance } from "./conformance.ts";
import { StillClock, operation, turning } from "./fixtures.ts";
import type { OpenFresh } from "./fixtures.ts";

const openWith =
  (options: JournalOptions): OpenFresh =>
  () => {
    const clock = new StillClock();
    const journal = new MemoryJournal({ clock, newId: randomUUID, ...options });
    return Promise.resolve({ journal, clock, close: () => journal.close() });
  };

describe("the journal in memory", () => {
  journalConformance(openWith({}));

  it("tells in which window an operation was queued, whoever edits it", async () => {
    const origin = { machine: "desk", window: "w1" };
    const { journal } = await openWith({ origin })();
    const one = operation();
    await journal.enqueue([one]);
    await journal.edit(one.id, { ...one, label: "edited" });
    const kept = await journal.operation(one.id);
    assert.deepEqual([kept?.label, kept?.origin], ["edited", origin]);
  });
});
describe("the journal in memory with a codec", () => journalConformance(openWith({ codec: turning })));
