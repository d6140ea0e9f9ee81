import assert from "node:assert/strict";
import { StateError } from "../../../src/core/errors.ts";
import { createApi } from "../../../src/host/api.ts";
import type { BatchControlApi } from "../../../src/host/api.ts";
import { costAllowed } from "../../../src/llm/index.ts";
import { openBatchers, push, request } from "../../support/core/batchers.ts";
import { snapshot } from "../../support/host/snapshots.ts";

async function open(trusted = true, mayPay = () => Promise.resolve({ mark: costAllowed })) {
  const parts = await openBatchers();
  const api = createApi({
    parts,
    getState: () => snapshot(),
    onDidChangeState: (() => undefined) as unknown as BatchControlApi["onDidChangeState"],
    demandTrust: () => {
      if (!trusted) throw new StateError("untrusted", "not trusted");
    },
    mayPay,
  });
  return { api, ...parts };
}

describe("What other extensions get", () => {
  it("queues, flushes, counts and delivers on both sides", async () => {
    const { api, git } = await open();
    const { id, result } = await api.git.enqueue(push("main"));
    assert.equal(api.git.queueSize(), 1);
    const [batch] = await api.git.flush();
    assert.equal(api.git.queueSize(), 0);
    assert.equal(api.git.pendingBatchCount(), 1);
    assert.equal(api.git.getPendingBatch()?.id, batch?.id);
    await git.markBatchExecuting(batch!.id);
    await git.markBatchCompleted(batch!.id, new Map([[id, { id, status: "succeeded" }]]));
    assert.equal((await result).status, "succeeded");
    assert.equal((await api.resultOf(id)).status, "succeeded");
    assert.deepEqual(
      api.git.getExecutedBatches().map((each) => each.id),
      [batch?.id],
    );
    assert.equal(api.git.getBatchById(batch!.id)?.status, "completed");
  });

  it("offers what only one side has, and information on a batch", async () => {
    const { api } = await open();
    await api.llm.enqueue(request("a"));
    assert.deepEqual(
      [...api.llm.groupByTypeAndModel().keys()],
      ["llm:anthropic/implementer/claude-opus-5-5"],
    );
    assert.equal(api.git.calculateNetworkSavings(), 0);
    await api.llm.flush();
    assert.equal(api.llm.getPendingBatch()?.getInfo().model, "claude-opus-5-5");
  });

  it("flushes no requests that may cost more than a flush may, and marks those that were checked", async () => {
    const refusal = new StateError("cost-limit", "batchControl.llm.maxCostPerFlush: too much");
    const { api } = await open(true, () => Promise.reject(refusal));
    await api.llm.enqueue(request("a"));
    await assert.rejects(api.llm.flush(), refusal);
    assert.equal(api.llm.queueSize(), 1);
    const { api: other, journal } = await open();
    await other.llm.enqueue(request("a"));
    const [batch] = await other.llm.flush();
    assert.deepEqual((await journal.batch(batch!.id))?.detail, costAllowed);
  });

  it("counts what it queues as an extension's, so that the age trigger acts on it", async () => {
    const { api, journal } = await open();
    const { id } = await api.git.enqueue(push("main"));
    assert.equal((await journal.operation(id))?.source, "extension");
  });

  it("leaves the transitions of a batch to the runner", async () => {
    const { api } = await open();
    await api.git.enqueue(push("main"));
    const [batch] = await api.git.flush();
    for (const side of [api.git, api.llm])
      for (const verb of ["markBatchExecuting", "markBatchCompleted", "markBatchFailed"] as const)
        await assert.rejects(side[verb](batch!.id), /owned by the runner/);
    assert.equal(api.git.getPendingBatch()?.status, "pending");
  });

  it("refuses a missing input", async () => {
    const { api } = await open();
    await assert.rejects(api.git.enqueue(undefined), /argument: is missing/);
    await assert.rejects(api.llm.enqueue(null), /argument: is missing/);
  });

  it("only looks and pauses without trust", async () => {
    const { api } = await open(false);
    await assert.rejects(api.git.enqueue(push("main")), /not trusted/);
    await assert.rejects(api.git.flush(), /not trusted/);
    await assert.rejects(api.llm.clear(), /not trusted/);
    assert.equal(api.git.queueSize(), 0);
    await api.git.pause();
    // In another window that would start what waits.
    await assert.rejects(api.git.resume(), /not trusted/);
    assert.equal(api.getState().sequence, 1);
  });
});
