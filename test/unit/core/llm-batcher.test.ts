import assert from "node:assert/strict";
import type { Result } from "../../../src/core/result.ts";
import type { LlmBatcher } from "../../../src/llm/llm-batcher.ts";
import { openBatchers, request } from "../../support/core/batchers.ts";

const answers = (ids: readonly string[]): Map<string, Result> =>
  new Map(ids.map((id) => [id, { id, status: "succeeded", text: `answer to ${id}` }]));

async function finishAll(llm: LlmBatcher): Promise<void> {
  for (let batch = llm.getPendingBatch(); batch; batch = llm.getPendingBatch()) {
    await llm.markBatchExecuting(batch.id);
    await llm.markBatchCompleted(batch.id, answers(batch.operations.map((operation) => operation.id)));
  }
}

describe("llm batcher", () => {
  it("starts empty", async () => {
    const { llm } = await openBatchers();
    assert.equal(llm.queueSize(), 0);
    assert.equal(llm.pendingBatchCount(), 0);
  });

  it("queues requests and gives each an id of its own, whatever label it carries", async () => {
    const { llm } = await openBatchers();
    const first = await llm.enqueue({ ...request("one"), id: "same" });
    const second = await llm.enqueue({ ...request("two"), id: "same" });
    assert.equal(llm.queueSize(), 2);
    assert.match(first.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.notEqual(first.id, second.id);
  });

  it("forms a batch when a group reaches its size, and leaves the other groups", async () => {
    const { llm } = await openBatchers({ maxBatchSize: 3 });
    for (let n = 0; n < 3; n++) await llm.enqueue(request(`${n}`));
    await llm.enqueue(request("judge this", "judge"));
    assert.equal(llm.pendingBatchCount(), 1);
    assert.equal(llm.queueSize(), 1);
  });

  it("makes one batch per type and model on a manual flush, groups and requests in order", async () => {
    const { llm } = await openBatchers({ maxBatchSize: 100 });
    await llm.enqueue(request("1", "implementer", "b-model"));
    await llm.enqueue(request("2", "judge", "b-model"));
    await llm.enqueue(request("3", "implementer", "a-model"));
    await llm.enqueue(request("4", "implementer", "b-model"));
    assert.deepEqual(
      [...llm.groupByTypeAndModel()].map(([group, operations]) => [group, operations.length]),
      [
        ["llm:anthropic/implementer/b-model", 2],
        ["llm:anthropic/judge/b-model", 1],
        ["llm:anthropic/implementer/a-model", 1],
      ],
    );
    const formed = await llm.flush();
    assert.deepEqual(
      formed.map((batch) => batch.operations.map((operation) => operation.label)),
      [["4", "1"], ["2"], ["3"]],
    );
    assert.equal(llm.pendingBatchCount(), 3);
    assert.equal(llm.groupByTypeAndModel().size, 0);
  });

  it("flushes only the groups that are named", async () => {
    const { llm } = await openBatchers();
    await llm.enqueue(request("1"));
    await llm.enqueue(request("2", "judge"));
    await llm.flush(["llm:anthropic/judge/claude-opus-5-5"]);
    assert.equal(llm.queueSize(), 1);
  });

  it("delivers each result to who asked, also to who asks later", async () => {
    const { llm, state } = await openBatchers();
    const { id, result } = await llm.enqueue(request("one"));
    await llm.flush();
    await finishAll(llm);
    assert.equal((await result).text, `answer to ${id}`);
    assert.equal((await state.settled(id)).text, `answer to ${id}`);
    await assert.rejects(state.settled("unknown"), { reason: "not-found" });
  });

  it("delivers the error of a failed batch to all its requests", async () => {
    const { llm } = await openBatchers();
    const all = await Promise.all([llm.enqueue(request("one")), llm.enqueue(request("two"))]);
    const [batch] = await llm.flush();
    await llm.markBatchExecuting(batch!.id);
    await llm.markBatchFailed(batch!.id, "over budget");
    for (const { result } of all)
      assert.deepEqual((({ status, error }) => ({ status, error }))(await result), {
        status: "failed",
        error: "over budget",
      });
    assert.equal(llm.getBatchById(batch!.id)?.status, "failed");
  });

  it("counts requests and batches that happened", async () => {
    const { llm } = await openBatchers({ maxBatchSize: 5 });
    for (let n = 0; n < 10; n++) await llm.enqueue(request(`${n}`));
    await finishAll(llm);
    const { totalRequests, totalBatches, avgRequestsPerBatch, apiCallsSaved } = llm.getStats();
    assert.deepEqual(
      { totalRequests, totalBatches, avgRequestsPerBatch },
      { totalRequests: 10, totalBatches: 2, avgRequestsPerBatch: 5 },
    );
    assert.equal(apiCallsSaved, 10, "all were answered and no API call was made here");
  });

  it("adds up tokens and money exactly", async () => {
    const { llm, journal, state } = await openBatchers();
    const { id } = await llm.enqueue(request("one"));
    const [batch] = await llm.flush();
    const fence = await journal.lead("llm:anthropic", "test", { pid: 1, start: "1" });
    await llm.markBatchExecuting(batch!.id, fence);
    await journal.recordOutcome(fence, batch!.id, {
      settled: [{ result: { id, status: "succeeded" } }],
      stats: {
        "llm.inputTokens": 300,
        "llm.outputTokens": 200,
        "llm.costPico": 100_000_000_001n,
        "llm.standardCostPico": 200_000_000_002n,
        "llm.apiCalls": 1,
      },
    });
    await llm.evaluateTriggers();
    await state.refresh();
    const stats = llm.getStats();
    assert.equal(stats.totalTokens, 500);
    assert.equal(stats.costUsd, 0.100000000001);
    assert.equal(stats.savedUsd, 0.100000000001);
    assert.equal(stats.apiCallsSaved, 0);
  });

  it("tells what a batch is", async () => {
    const { llm } = await openBatchers();
    await llm.enqueue(request("one"));
    const [batch] = await llm.flush();
    const { id, type, model, status, operationCount } = batch!.getInfo();
    assert.deepEqual(
      { id, type, model, status, operationCount },
      { id: batch!.id, type: "implementer", model: "claude-opus-5-5", status: "pending", operationCount: 1 },
    );
  });

  it("stays queued while paused, for a manual flush to take", async () => {
    const { llm, clock } = await openBatchers({ maxBatchAge: 2, maxBatchSize: 2 });
    await llm.pause();
    for (let n = 0; n < 3; n++) await llm.enqueue(request(`${n}`));
    await clock.advance(10_000);
    assert.equal(llm.queueSize(), 3);
    await llm.flush();
    assert.equal(llm.queueSize(), 0);
    await llm.enqueue(request("late"));
    await clock.advance(10_000);
    assert.equal(llm.queueSize(), 1);
    await llm.resume();
    assert.equal(llm.queueSize(), 0, "resuming catches up at once");
  });

  it("does not flush by itself while something holds the side", async () => {
    const { llm, journal, state, clock } = await openBatchers({ maxBatchAge: 2 });
    await journal.setHold({ kind: "llm", reason: "no key" });
    await state.refresh();
    await llm.enqueue(request("one"));
    await clock.advance(10_000);
    assert.equal(llm.queueSize(), 1);
    await journal.clearHolds("llm");
    await clock.advance(1_000);
    assert.equal(llm.queueSize(), 0);
  });

  it("goes on in one lane while a hold stops another", async () => {
    const { llm, journal, state, clock } = await openBatchers({ maxBatchAge: 2 });
    await journal.setHold({ kind: "llm", reason: "no-key", lane: "llm:openai" });
    await state.refresh();
    await llm.enqueue(request("one"));
    await clock.advance(2_000);
    assert.equal(llm.pendingBatchCount(), 1);
    await journal.setHold({ kind: "llm", reason: "no-key", lane: "llm:anthropic" });
    await llm.enqueue(request("two"));
    await clock.advance(10_000);
    assert.equal(llm.queueSize(), 1, "two lanes may have the same hold");
  });

  it("retries an unsuccessful request as a new operation", async () => {
    const { llm } = await openBatchers();
    const { id } = await llm.enqueue(request("one"));
    const [batch] = await llm.flush();
    await assert.rejects(llm.retry(id), { reason: "not-final" });
    await llm.markBatchExecuting(batch!.id);
    await llm.markBatchFailed(batch!.id, "no");
    const { id: again } = await llm.retry(id);
    assert.notEqual(again, id);
    assert.equal(llm.getQueuedOps()[0]?.retryOf, id);
    assert.equal(llm.getQueuedOps()[0]?.label, "one");
    assert.equal(llm.getBatchById(batch!.id)?.status, "failed", "the first stays what it is");
    const { ids } = await llm.retryBatch(batch!.id);
    assert.equal(ids.length, 1);
  });

  it("never does the same twice for a second retry", async () => {
    const { llm } = await openBatchers();
    const { id } = await llm.enqueue(request("one"));
    const end = async (status: "failed" | "succeeded"): Promise<string> => {
      const [batch] = await llm.flush();
      await llm.markBatchExecuting(batch!.id);
      const [operation] = batch!.operations;
      await llm.markBatchCompleted(batch!.id, new Map([[operation!.id, { id: operation!.id, status }]]));
      return batch!.id;
    };
    const batch = await end("failed");
    const [first, second] = await Promise.all([llm.retry(id), llm.retry(id)]);
    assert.equal(second.id, first.id);
    assert.deepEqual([await llm.retryBatch(batch), llm.queueSize()], [{ ids: [first.id] }, 1]);
    await llm.edit(first.id, { prompt: "another" });
    assert.equal((await llm.retry(id)).id, first.id);
    await end("failed");
    const { id: third } = await llm.retry(id);
    assert.notEqual(third, first.id);
    assert.equal(llm.getQueuedOps()[0]?.retryOf, first.id, "what failed last is what is retried");
    assert.equal((await llm.retry(first.id)).id, third);
    await end("succeeded");
    await assert.rejects(llm.retry(id), { reason: "succeeded", message: new RegExp(third) });
    assert.deepEqual(await llm.retryBatch(batch), { ids: [] });
    assert.equal(llm.queueSize(), 0);
  });

  it("answers the same id for the same idempotency key and content, and refuses other content", async () => {
    const { llm } = await openBatchers();
    const first = await llm.enqueue({ ...request("one"), idempotencyKey: "k" });
    const again = await llm.enqueue({ ...request("one"), idempotencyKey: "k" });
    assert.equal(again.id, first.id);
    assert.equal(llm.queueSize(), 1);
    await assert.rejects(llm.enqueue({ ...request("two"), idempotencyKey: "k" }), /idempotencyKey/);
    assert.equal(llm.queueSize(), 1);
  });

  it("edits and moves what is queued, and refuses once it started", async () => {
    const { llm } = await openBatchers();
    const one = await llm.enqueue(request("one"));
    const two = await llm.enqueue(request("two"));
    await llm.move(two.id, 0);
    await llm.edit(one.id, { prompt: "changed" });
    assert.deepEqual(
      llm.getQueuedOps().map((operation) => operation.label),
      ["two", "changed"],
    );
    await assert.rejects(llm.move(one.id, -1), /to: must be/);
    const [batch] = await llm.flush();
    await assert.rejects(llm.edit(one.id, { prompt: "late" }), { reason: "already-started" });
    await llm.markBatchExecuting(batch!.id);
    await assert.rejects(llm.cancel(one.id), { reason: "already-started" });
  });

  it("cancels a queued operation as an executed batch of one outside the totals", async () => {
    const { llm } = await openBatchers();
    const { id, result } = await llm.enqueue(request("one"));
    await llm.cancel(id);
    assert.equal((await result).status, "cancelled");
    assert.equal(llm.getExecutedBatches()[0]?.status, "cancelled");
    assert.equal(llm.getExecutedBatches()[0]?.operationCount, 1);
    assert.equal(llm.getStats().totalBatches, 0);
  });

  it("rejects a missing input", async () => {
    const { llm } = await openBatchers();
    await assert.rejects(llm.enqueue(undefined as never), /is missing/);
    assert.equal(llm.queueSize(), 0);
  });
});
