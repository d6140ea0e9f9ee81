import assert from "node:assert/strict";
import { Rig, ask } from "./support/rig.ts";

const CREATE = "POST /v1/messages/batches";

describe("LLM requests through the batch endpoint", function () {
  this.timeout(30_000);
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });
  afterEach(() => rig.close());

  it("sends three requests of one group in one creation and brings each its own answer", async () => {
    const ids = await rig.enqueue(ask("One?"), ask("Two?"), ask("Three?"));
    await rig.flush();
    assert.equal(rig.count(CREATE), 1);
    const results = await rig.results(ids);
    for (const [index, result] of results.entries()) {
      assert.equal(result?.status, "succeeded");
      assert.equal(result.id, ids[index]);
      assert.ok(result.text);
      assert.ok((result.usage?.outputTokens ?? 0) > 0);
      const { inputTokens = 0, outputTokens = 0 } = result.usage ?? {};
      assert.equal(result.costUsd, (inputTokens * 1 + outputTokens * 5) / 1e6);
    }
    const [batch] = rig.simulator.batches;
    assert.deepEqual(await Promise.all(ids.map(async (id) => (await batch?.params(id))?.["messages"])), [
      [{ role: "user", content: "One?" }],
      [{ role: "user", content: "Two?" }],
      [{ role: "user", content: "Three?" }],
    ]);
    const { llm } = await rig.journal.state();
    assert.equal(llm.stats.apiCalls, 1);
    assert.equal(llm.stats.apiCallsSaved, 2);
    assert.equal(llm.stats.httpRequests, rig.calls.length);
    assert.equal(llm.executed[0]?.remoteId, batch?.id);
    assert.ok(
      Math.abs(llm.stats.savedUsd - llm.stats.costUsd) < 1e-12,
      "half of the standard price is saved",
    );
    assert.deepEqual(await rig.leftFiles(), []);
  });

  it("sends thirty requests in three groups in three creations", async () => {
    const types = ["implementer", "judge", "planner"];
    const ids = await rig.enqueue(
      ...Array.from({ length: 30 }, (_, n) => ask(`Number ${n}`, { type: types[n % 3] ?? "" })),
    );
    await rig.flush();
    assert.equal(rig.count(CREATE), 3);
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
    const { stats } = (await rig.journal.state()).llm;
    assert.equal(stats.apiCallsSaved, 27);
    assert.equal(stats.totalBatches, 3);
  });

  it("keeps the answer of the one and tells the error of the other", async () => {
    rig.simulator.setOutcome({
      prompt: "bad",
      outcome: { kind: "errored", type: "invalid_request_error", message: "No such tool." },
    });
    const [good = "", bad = ""] = await rig.enqueue(ask("good"), ask("bad"));
    await rig.flush();
    const [first, second] = await rig.results([good, bad]);
    assert.equal(first?.status, "succeeded");
    assert.deepEqual(
      [second?.status, second?.reason, second?.error],
      ["failed", "invalid_request_error", "No such tool."],
    );
  });
});
