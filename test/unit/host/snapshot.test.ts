import assert from "node:assert/strict";
import { v7 } from "uuid";
import { toSnapshot } from "../../../src/host/snapshot.ts";
import { openBatchers } from "../../support/core/batchers.ts";

describe("A window's snapshot", () => {
  it("adds what only the window knows", async () => {
    const { state } = await openBatchers();
    const lanes = [{ lane: "git:/a", held: true }];
    const holds = [{ kind: "git" as const, reason: "This workspace is not trusted." }];
    const snapshot = toSnapshot(state.current(), { leader: true, lanes, holds });
    assert.equal(snapshot.leader, true);
    assert.deepEqual(snapshot.lanes, lanes);
    assert.deepEqual(snapshot.holds, holds);
    assert.equal(snapshot.sequence, state.current().sequence);
  });

  it("stays under 256 kB with 200 batches of 200 operations with long labels, and keeps the totals", async function () {
    this.timeout(60_000);
    const { journal, state } = await openBatchers();
    const fence = await journal.lead("git:/a", "window", { pid: 0, start: "" });
    for (let batch = 0; batch < 200; batch++) {
      const operations = Array.from({ length: 200 }, (_, index) => ({
        id: v7(),
        kind: "push" as const,
        group: "git:/a",
        lane: "git:/a",
        label: `${"a long label of a branch ".repeat(8)}${batch}.${index}`,
        source: "extension" as const,
        enqueuedAt: batch,
        payload: "{}",
        fingerprint: "",
      }));
      await journal.enqueue(operations);
      const [sealed] = await journal.seal([{ group: "git:/a" }]);
      await journal.claim(fence);
      const settled = operations.map(({ id }) => ({
        result: { id, status: "failed" as const, error: "x".repeat(300) },
      }));
      await journal.recordOutcome(fence, sealed!.id, { settled });
    }
    await state.refresh();
    const snapshot = toSnapshot(state.current(), {
      leader: true,
      lanes: [{ lane: "git:/a", held: true }],
      holds: [],
    });
    assert.ok(Buffer.byteLength(JSON.stringify(snapshot)) < 256_000);
    assert.ok(snapshot.git.executed.length > 100, `${snapshot.git.executed.length} batches`);
    assert.ok(snapshot.git.executed[0]!.operations.length > 0, "the newest batch shows operations");
    assert.deepEqual(snapshot.git.executed[0]!.counts, { failed: 200 });
    assert.equal(snapshot.git.stats.failed, 40_000);
  });
});
