import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { Budget } from "../../../src/llm/budget.ts";
import { ManualClock } from "../../support/core/manual-clock.ts";

describe("The limit per day over several windows", () => {
  it("loses nothing of what two windows spend at the same time", async () => {
    const clock = new ManualClock();
    const journal = new MemoryJournal({ clock, newId: () => crypto.randomUUID() });
    const window = (): Budget =>
      new Budget({
        settings: () => assert.fail("What is spent is counted whatever the limits are."),
        clock,
        remember: (...fact) => journal.remember(...fact),
        recall: async (key) => {
          const text = await journal.recall(key);
          // The other window comes between reading and writing.
          await turn();
          return text;
        },
        batchStatus: () => Promise.resolve("executing"),
      });
    const windows = [window(), window()];
    await Promise.all(
      windows.flatMap((budget, at) =>
        Array.from({ length: 20 }, (_, n) => budget.spend(`${at} ${n}`, { answered: 1n, wasted: 1n })),
      ),
    );
    assert.match((await journal.recall("llm.budget")) ?? "", /"spent":"80"/);
  });
});
