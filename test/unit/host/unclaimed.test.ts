import assert from "node:assert/strict";
import { UnclaimedWork } from "../../../src/host/unclaimed.ts";
import { ManualClock } from "../../support/core/manual-clock.ts";
import { MemoryLog } from "../../support/core/memory-log.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";

function open(refusals: Record<string, string | undefined>) {
  const clock = new ManualClock();
  let changes = 0;
  let now = snapshot();
  const asked: string[] = [];
  const work = new UnclaimedWork({
    claims: {
      refusal: (lane) => {
        asked.push(lane);
        return Promise.resolve(refusals[lane]);
      },
    },
    state: () => now,
    clock,
    log: new MemoryLog(),
    changed: () => (changes += 1),
  });
  const show = (next: typeof now) => {
    now = next;
    return work.update();
  };
  return { clock, work, show, asked, changes: () => changes };
}

describe("Work that no window may execute", () => {
  const queued = snapshot({ git: { queued: [operation("a", { group: "git:/closed" })] } });

  it("is named with the reason, once it waits", async () => {
    const { work, show, changes } = open({ "git:/closed": "nobody has it open" });
    await show(snapshot());
    assert.deepEqual(work.holds(), []);
    assert.equal(changes(), 0);
    await show(queued);
    assert.deepEqual(work.holds(), [{ kind: "git", reason: "nobody has it open" }]);
    await show(queued);
    assert.equal(changes(), 1);
  });

  it("is asked for by lane, once each, in queues and batches", async () => {
    const { show, asked } = open({});
    const group = "llm:anthropic/judge/m";
    await show(
      snapshot({
        llm: {
          queued: [operation("a", { group }), operation("b", { group })],
          pending: [batch("p", { group, status: "pending" })],
        },
      }),
    );
    assert.deepEqual(asked, ["llm:anthropic"]);
  });

  it("is looked at again after a while, for a window may have opened it", async () => {
    const refusals: Record<string, string | undefined> = { "git:/closed": "nobody has it open" };
    const { clock, work, show, changes } = open(refusals);
    await show(queued);
    refusals["git:/closed"] = undefined;
    await clock.advance(5_000);
    assert.deepEqual(work.holds(), []);
    assert.equal(changes(), 2);
  });

  it("is not looked at any more once the window closes", async () => {
    const { clock, work, show, asked } = open({ "git:/closed": "nobody has it open" });
    await show(queued);
    work.dispose();
    await clock.advance(60_000);
    assert.equal(asked.length, 1);
  });
});
