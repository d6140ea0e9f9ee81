import assert from "node:assert/strict";
import type { Result } from "../../../src/core/result.ts";
import { commit, openBatchers, push } from "../../support/core/batchers.ts";

const succeeded = (ids: readonly string[]): Map<string, Result> =>
  new Map(ids.map((id) => [id, { id, status: "succeeded" }]));

describe("git batcher", () => {
  it("starts empty", async () => {
    const { git } = await openBatchers();
    assert.equal(git.queueSize(), 0);
    assert.equal(git.pendingBatchCount(), 0);
    assert.equal(git.getPendingBatch(), undefined);
    assert.deepEqual(git.getExecutedBatches(), []);
  });

  it("queues what is enqueued, in order, with a time and an id of its own", async () => {
    const { git, clock } = await openBatchers();
    const ids = [];
    for (const name of ["one", "two", "three"]) ids.push((await git.enqueue(commit(name))).id);
    assert.equal(git.queueSize(), 3);
    const queued = git.getQueuedOps();
    assert.deepEqual(
      queued.map((operation) => operation.label),
      ["one", "two", "three"],
    );
    assert.deepEqual(
      queued.map((operation) => operation.id),
      ids,
    );
    assert.deepEqual(
      new Set(queued.map((operation) => operation.enqueuedAt)),
      new Set([new Date(clock.now()).toISOString()]),
    );
    assert.equal(new Set(ids).size, 3);
  });

  it("keeps the order of calls that were not awaited", async () => {
    const { git } = await openBatchers();
    await Promise.all([git.enqueue(commit("first")), git.enqueue(push("main")), git.enqueue(commit("last"))]);
    assert.deepEqual(
      git.getQueuedOps().map((operation) => operation.label),
      ["first", "push main", "last"],
    );
  });

  it("forms a batch of everything queued when a group reaches its size", async () => {
    const { git } = await openBatchers({ maxBatchSize: 3 });
    for (const name of ["a", "b", "c"]) await git.enqueue(commit(name));
    assert.equal(git.queueSize(), 0);
    assert.equal(git.pendingBatchCount(), 1);
    assert.equal(git.getPendingBatch()?.operationCount, 3);
    assert.deepEqual(
      git.getPendingBatch()?.operations.map((operation) => operation.status),
      ["pending", "pending", "pending"],
    );
  });

  it("fills each group on its own size", async () => {
    const { git } = await openBatchers({ maxBatchSize: 2 });
    await git.enqueue(commit("a", "/one"));
    await git.enqueue(commit("b", "/two"));
    assert.equal(git.pendingBatchCount(), 0);
    await git.enqueue(commit("c", "/one"));
    assert.equal(git.getPendingBatch()?.group, "git:/one");
    assert.equal(git.queueSize(), 1);
  });

  it("uses the default size where the setting is zero or less", async () => {
    const { git } = await openBatchers({ maxBatchSize: 0, maxBatchAge: -1 });
    for (let n = 0; n < 9; n++) await git.enqueue(commit(`${n}`));
    assert.equal(git.pendingBatchCount(), 0);
    await git.enqueue(commit("tenth"));
    assert.equal(git.getPendingBatch()?.operationCount, 10);
  });

  it("forms a batch on a manual flush, and none of an empty queue", async () => {
    const { git } = await openBatchers();
    assert.deepEqual(await git.flush(), []);
    await git.enqueue(commit("a"));
    const [batch] = await git.flush();
    assert.equal(git.queueSize(), 0);
    assert.equal(git.getPendingBatch()?.id, batch?.id);
    assert.equal(batch?.status, "pending");
  });

  it("goes through executing to completed", async () => {
    const { git } = await openBatchers();
    const { id, result } = await git.enqueue(commit("a"));
    const [batch] = await git.flush();
    await git.markBatchExecuting(batch!.id);
    assert.equal(git.getBatchById(batch!.id)?.status, "executing");
    assert.equal(git.pendingBatchCount(), 1);
    await git.markBatchCompleted(batch!.id, succeeded([id]));
    assert.equal(git.pendingBatchCount(), 0);
    assert.equal(git.getExecutedBatches()[0]?.status, "completed");
    assert.ok(git.getExecutedBatches()[0]?.endedAt);
    assert.equal((await result).status, "succeeded");
  });

  it("counts a failed batch as executed, and goes on with the next", async () => {
    const { git } = await openBatchers();
    const first = await git.enqueue(commit("bad"));
    const [failing] = await git.flush();
    await git.enqueue(commit("good"));
    const [next] = await git.flush();
    await git.markBatchExecuting(failing!.id);
    await git.markBatchFailed(failing!.id, "the remote said no");
    assert.equal(git.getBatchById(failing!.id)?.status, "failed");
    assert.equal(git.getBatchById(failing!.id)?.error, "the remote said no");
    assert.deepEqual(
      git.getExecutedBatches().map((batch) => batch.id),
      [failing!.id],
    );
    assert.equal(git.getPendingBatch()?.id, next!.id);
    assert.deepEqual(await first.result, {
      id: first.id,
      status: "failed",
      error: "the remote said no",
      reason: "failed",
    });
    assert.equal(git.getStats().failed, 1);
  });

  it("fails an operation for which no result came", async () => {
    const { git } = await openBatchers();
    const lost = await git.enqueue(commit("lost"));
    const [batch] = await git.flush();
    await git.markBatchExecuting(batch!.id);
    await git.markBatchCompleted(batch!.id, new Map());
    assert.equal((await lost.result).reason, "no-result");
  });

  it("counts what happened, not what was planned", async () => {
    const { git } = await openBatchers({ maxBatchSize: 5 });
    for (let n = 0; n < 10; n++) await git.enqueue(commit(`${n}`));
    assert.equal(git.pendingBatchCount(), 2);
    assert.equal(git.getStats().totalBatches, 0);
    for (let batch = git.getPendingBatch(); batch; batch = git.getPendingBatch()) {
      await git.markBatchExecuting(batch.id);
      await git.markBatchCompleted(batch.id, succeeded(batch.operations.map((operation) => operation.id)));
    }
    const { totalOps, totalBatches, avgOpsPerBatch, commits } = git.getStats();
    assert.deepEqual(
      { totalOps, totalBatches, avgOpsPerBatch, commits },
      { totalOps: 10, totalBatches: 2, avgOpsPerBatch: 5, commits: 10 },
    );
    assert.equal(git.calculateNetworkSavings(), 0, "no push was delivered, so none was saved");
  });

  it("lists executed batches newest first", async () => {
    const { git } = await openBatchers();
    const ids = [];
    for (const name of ["a", "b"]) {
      const { id } = await git.enqueue(commit(name));
      const [batch] = await git.flush();
      await git.markBatchExecuting(batch!.id);
      await git.markBatchCompleted(batch!.id, succeeded([id]));
      ids.unshift(batch!.id);
    }
    assert.deepEqual(
      git.getExecutedBatches().map((batch) => batch.id),
      ids,
    );
  });

  it("tells the time since the last flush", async () => {
    const { git, clock } = await openBatchers();
    await git.enqueue(commit("a"));
    await git.flush();
    await clock.advance(100);
    assert.equal(git.timeSinceLastFlush(), 100);
  });

  it("counts the age from the oldest queued operation", async () => {
    const { git, clock, settings } = await openBatchers({ maxBatchAge: 1, autoFlush: false });
    assert.equal(git.shouldFlush(), false);
    await clock.advance(5_000);
    await git.enqueue(commit("young"));
    assert.equal(git.shouldFlush(), false, "an idle queue does not age");
    await clock.advance(1_000);
    assert.equal(git.shouldFlush(), true);
    settings.autoFlush = true;
    await git.evaluateTriggers();
    assert.equal(git.pendingBatchCount(), 1);
  });

  it("flushes by itself when the oldest operation comes of age", async () => {
    const { git, clock } = await openBatchers({ maxBatchAge: 5 });
    await git.enqueue(commit("a"));
    await clock.advance(4_999);
    assert.equal(git.pendingBatchCount(), 0);
    await clock.advance(1);
    assert.equal(git.pendingBatchCount(), 1);
  });

  it("leaves what a person enqueued to a person or to the size trigger", async () => {
    const { git, clock } = await openBatchers({ maxBatchAge: 1, maxBatchSize: 2 });
    await git.enqueue(commit("a"), { source: "person" });
    await clock.advance(3_600_000);
    assert.equal(git.queueSize(), 1);
    assert.equal(git.shouldFlush(), false);
    await git.enqueue(commit("b"), { source: "person" });
    assert.equal(git.pendingBatchCount(), 1);
  });

  it("collects while the lane executes, and goes on afterwards", async () => {
    const { git } = await openBatchers({ maxBatchSize: 1 });
    await git.enqueue(commit("first"));
    const batch = git.getPendingBatch()!;
    await git.markBatchExecuting(batch.id);
    await git.enqueue(commit("second"));
    await git.enqueue(commit("third"));
    assert.equal(git.queueSize(), 2);
    await git.markBatchCompleted(batch.id, succeeded(batch.operations.map((operation) => operation.id)));
    await git.evaluateTriggers();
    assert.equal(git.getPendingBatch()?.operationCount, 2);
  });

  it("clears what is queued and pending, settles it, and keeps the history", async () => {
    const { git, gitAcceptor } = await openBatchers();
    const done = await git.enqueue(commit("done"));
    const [finished] = await git.flush();
    await git.markBatchExecuting(finished!.id);
    await git.markBatchCompleted(finished!.id, succeeded([done.id]));
    const pending = await git.enqueue(commit("pending"));
    await git.flush();
    const queued = await git.enqueue(commit("queued"));
    await git.clear();
    assert.equal(git.queueSize(), 0);
    assert.equal(git.pendingBatchCount(), 0);
    assert.equal((await pending.result).status, "cancelled");
    assert.equal((await queued.result).status, "cancelled");
    assert.equal(git.getBatchById(finished!.id)?.status, "completed");
    assert.equal(git.getStats().totalBatches, 1);
    assert.deepEqual(new Set(gitAcceptor.discarded), new Set([pending.id, queued.id]));
  });

  it("finds a batch by its id in every state, and nothing by a wrong one", async () => {
    const { git } = await openBatchers();
    await git.enqueue(commit("a"));
    const [batch] = await git.flush();
    assert.equal(git.getBatchById(batch!.id)?.id, batch!.id);
    assert.equal(git.getBatchById("nothing"), undefined);
  });

  it("makes several batches, none with an operation of another", async () => {
    const { git, state } = await openBatchers({ maxBatchSize: 2 });
    for (let n = 0; n < 6; n++) await git.enqueue(commit(`${n}`));
    const { pending } = state.current().git;
    assert.deepEqual(
      pending.map((batch) => batch.operations.map((operation) => operation.label)),
      [
        ["1", "0"],
        ["3", "2"],
        ["5", "4"],
      ],
    );
    assert.equal(new Set(pending.map((batch) => batch.id)).size, 3);
  });

  it("rejects a missing input and queues nothing", async () => {
    const { git } = await openBatchers();
    await assert.rejects(git.enqueue(undefined as never), /argument: is missing/);
    await assert.rejects(git.enqueue(null as never), /argument: is missing/);
    assert.equal(git.queueSize(), 0);
  });

  it("never does the same twice for a second retry", async () => {
    const { git } = await openBatchers();
    const { id } = await git.enqueue(push("main"));
    const [batch] = await git.flush();
    await git.markBatchExecuting(batch!.id);
    await git.markBatchFailed(batch!.id, "no");
    const { id: first } = await git.retry(id);
    assert.equal((await git.retry(id)).id, first);
    const [again] = await git.flush();
    assert.equal(again?.operationCount, 1);
    await git.markBatchExecuting(again.id);
    await git.markBatchCompleted(again.id, new Map([[first, { id: first, status: "succeeded" }]]));
    await assert.rejects(git.retry(id), { reason: "succeeded" });
    assert.equal(git.queueSize(), 0);
  });
});
