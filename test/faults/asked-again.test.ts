import assert from "node:assert/strict";
import { backlog } from "../support/faults/ledger.ts";
import type { Wish } from "../support/faults/orders.ts";
import { until } from "../support/faults/until.ts";
import { problemsOf } from "../support/faults/verdict.ts";
import { World } from "../support/faults/world.ts";

describe("a caller that never heard that it was accepted", function () {
  this.timeout(60_000);

  it("asks again under the same key when all is done, and gets the same operations", async () => {
    const world = await World.create();
    const [worktree] = world.sample.worktrees;
    assert.ok(worktree);
    const { path, branch, files } = worktree;
    const wishes: readonly Wish[] = [
      { key: "commit", chain: "1", git: { worktree: path, message: "commit", files: [...files] } },
      { key: "request", chain: "2", llm: { model: "claude-haiku-4-5", type: "judge", prompt: "Well?" } },
      { key: "merge", chain: "1", git: { worktree: path, source: branch, target: "main", message: "merge" } },
      { key: "push", chain: "1", git: { kind: "push", worktree: path, branch } },
    ];
    world.wish(...wishes);
    await world.live({ kind: "step", step: "enqueue", when: "after", nth: 4 });
    world.accepted.clear();
    assert.equal(backlog(world.storage), 4);

    const life = await world.begin({ wishes: [], stays: true });
    life.tell({ kind: "flush" });
    await until(() => backlog(world.storage) === 0);
    life.tell({ kind: "ask", wishes });
    life.tell({ kind: "end" });
    assert.equal(await life.end, "idle");
    world.take(life);
    assert.deepEqual(await problemsOf(world), []);
    await world.close();
  });
});
