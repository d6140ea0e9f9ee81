import assert from "node:assert/strict";
import { StoredDrafts } from "../../../src/host/drafts.ts";
import { ManualClock } from "../../support/core/manual-clock.ts";

function desk() {
  const stored = new Map<string, unknown>();
  const writes: unknown[] = [];
  const clock = new ManualClock();
  const open = () =>
    new StoredDrafts(
      {
        get: (key) => stored.get(key),
        update: (key, value) => {
          writes.push(value);
          stored.set(key, value);
          return Promise.resolve();
        },
      },
      clock,
    );
  return { open, clock, writes };
}

describe("Drafts", () => {
  it("outlive a window that goes away while somebody types", async () => {
    const { open, clock } = desk();
    const drafts = open();
    drafts.typing("prompt", "Is it");
    drafts.typing("prompt", "Is it clear?");
    assert.equal(drafts.get("prompt"), "Is it clear?");
    await clock.advance(1_000);
    assert.equal(open().get("prompt"), "Is it clear?");
    assert.equal(open().get("commit"), undefined);
  });

  it("are written while the typing goes on, and not at every key", async () => {
    const { open, clock, writes } = desk();
    const drafts = open();
    for (let typed = 1; typed <= 100; typed++) {
      drafts.typing("commit", "x".repeat(typed));
      await clock.advance(50);
    }
    assert.ok(writes.length > 5 && writes.length < 50, `${writes.length} writes`);
    await clock.advance(1_000);
    assert.equal(open().get("commit"), "x".repeat(100));
  });

  it("do not come back once they are set to something else or to nothing", async () => {
    const { open, clock } = desk();
    const drafts = open();
    drafts.typing("prompt", "half");
    drafts.set("prompt", "whole");
    drafts.typing("commit", "half");
    drafts.set("commit", undefined);
    await clock.advance(1_000);
    assert.deepEqual([open().get("prompt"), open().get("commit")], ["whole", undefined]);
  });

  it("may be empty, where everything was taken out", async () => {
    const { open, clock } = desk();
    const drafts = open();
    drafts.set("prompt", "something");
    drafts.typing("prompt", "");
    await clock.advance(1_000);
    assert.equal(open().get("prompt"), "");
  });
});
