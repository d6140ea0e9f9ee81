import assert from "node:assert/strict";
import type { Subject } from "../../../src/host/commands/caller.ts";
import { failedCommands } from "../../../src/host/commands/failed.ts";
import { Dismissed } from "../../../src/host/tree/dismissed.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";
import type { NodeRef } from "../../../src/host/tree/node.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const row = (ref: NodeRef): Subject => ({ kind: "nodes", nodes: [new QueueNode(ref)] });
const failed = (id: string) =>
  batch(id, { status: "failed", operations: [operation(`${id}-1`, { status: "failed" })] });
const a = "01990000-0000-7000-8000-00000000000a";
const b = "01990000-0000-7000-8000-00000000000b";
const c = "01990000-0000-7000-8000-00000000000c";

function open() {
  let state = snapshot({
    git: { executed: [failed(a), batch("good"), failed(b)] },
    llm: { executed: [failed(c)] },
  });
  let kept: readonly string[] = [];
  const dismissed = new Dismissed({ get: () => kept, set: (ids) => (kept = ids) });
  const retried: string[] = [];
  const table = failedCommands({
    onTop: (sides) => dismissed.onTop(state, sides),
    dismiss: (batches) => dismissed.add(batches, state),
    retryBatches: (batches) => {
      retried.push(...batches);
      return Promise.resolve(batches);
    },
    t: fill,
  });
  return {
    table,
    dismissed,
    retried,
    kept: () => kept,
    become: (next: typeof state) => (state = next),
    top: () => dismissed.onTop(state, ["git", "llm"]),
  };
}

describe("Failures on top of the tree", () => {
  it("leave it one by one, by side, or all at once", async () => {
    const { table, top } = open();
    assert.deepEqual(top(), [a, b, c]);
    await table.dismissFailed.fromPerson(row({ kind: "batch", side: "git", batch: b }));
    assert.deepEqual(top(), [a, c]);
    await table.dismissFailed.fromPerson(row({ kind: "section", side: "llm", section: "failed" }));
    assert.deepEqual(top(), [a]);
    await table.dismissFailed.fromCode({});
    assert.deepEqual(top(), []);
    await assert.rejects(
      table.dismissFailed.fromPerson({ kind: "none" }),
      /Nothing that failed stands on top/,
    );
  });

  it("leave it once all of a batch was retried, whatever became of that", () => {
    const { top, become } = open();
    const two = batch(a, {
      status: "failed",
      operations: [operation("one", { status: "failed" }), operation("two", { status: "expired" })],
    });
    const again = (id: string) => operation(`${id} again`, { retryOf: id });
    become(snapshot({ git: { executed: [two], queued: [again("one")] } }));
    assert.deepEqual(top(), [a]);
    become(snapshot({ git: { executed: [two], queued: [again("one"), again("two")] } }));
    assert.deepEqual(top(), []);
    const failedAgain = batch(b, {
      status: "failed",
      operations: [{ ...again("one"), status: "failed" }, again("two")],
    });
    become(snapshot({ git: { executed: [failedAgain, two] } }));
    assert.deepEqual(top(), [b]);
  });

  it("are all retried, but for those that were taken away", async () => {
    const { table, retried } = open();
    await table.dismissFailed.fromCode({ id: a });
    await table.retryFailed.fromPerson(row({ kind: "section", side: "git", section: "failed" }));
    assert.deepEqual(retried, [b]);
    await table.retryFailed.fromPerson({ kind: "none" });
    assert.deepEqual(retried, [b, b, c]);
  });

  it("are remembered as dismissed only as long as they are listed", async () => {
    const { table, become, kept } = open();
    await table.dismissFailed.fromCode({});
    become(snapshot({ git: { executed: [failed("new"), failed(a)] } }));
    await table.dismissFailed.fromCode({});
    assert.deepEqual([...kept()].sort(), [a, "new"]);
  });

  it("stay the same set until that changes, so that nothing is looked up anew", () => {
    const { dismissed } = open();
    assert.equal(dismissed.ids(), dismissed.ids());
  });
});
