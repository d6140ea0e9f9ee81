import assert from "node:assert/strict";
import { anthropicFaults } from "../../support/simulator/index.ts";
import { costAllowed, overDayAllowed } from "../../../src/llm/index.ts";
import { Rig, ask } from "./support/rig.ts";

const CREATE = "POST /v1/messages/batches";
/** About 5,000 tokens. */
const system = "You review code and are brief. ".repeat(700);

describe("Money", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  const detail = async (id: string): Promise<Record<string, unknown>> => {
    const operation = await rig.journal.operation(id);
    return ((await rig.journal.batch(operation?.batch ?? ""))?.detail ?? {}) as Record<string, unknown>;
  };
  const preview = async (ids: readonly string[]) => {
    const operations = await Promise.all(ids.map((id) => rig.journal.operation(id)));
    const found = operations.filter((operation) => operation !== undefined);
    return rig.room.previewCost(found);
  };

  it("is estimated before with the tokens that the provider counts, and kept beside what it really cost", async () => {
    rig = await Rig.start();
    const ids = await rig.enqueue(
      ask("word ".repeat(300), { maxTokens: 1000 }),
      ask("word ".repeat(300), { maxTokens: 1000 }),
    );
    const estimate = await preview(ids);
    assert.equal(rig.count("POST /v1/messages/count_tokens"), 2);
    assert.equal(estimate.basis, "counted by the provider");
    assert.equal(Number((estimate.mostUsd - estimate.leastUsd).toFixed(9)), (2 * 1000 * 5) / 1e6);
    await rig.flush();
    const results = await rig.results(ids);
    const inputs = results.reduce((sum, result) => sum + (result?.usage?.inputTokens ?? 0), 0);
    assert.equal(estimate.leastUsd.toFixed(9), (inputs / 1e6).toFixed(9));
    const { costUsd, estimatedUsd, savedUsd } = (await detail(ids[0] ?? "")) as {
      costUsd: number;
      estimatedUsd: { least: number; most: number };
      savedUsd: number;
    };
    const { least, most } = estimatedUsd;
    assert.ok(least < costUsd && costUsd < most, `${least} < ${costUsd} < ${most}`);
    assert.equal(savedUsd, costUsd);
  });

  it("is estimated from the length of the text where the provider cannot be asked", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({
      match: { path: "/v1/messages/count_tokens" },
      do: anthropicFaults.overloaded(),
    });
    const ids = await rig.enqueue(ask("word ".repeat(300)), ask("x", { model: "claude-mythos-5-2" }));
    const estimate = await preview(ids);
    assert.deepEqual(
      [estimate.basis, estimate.unpriced, estimate.requests],
      ["estimated from the length of the text", 1, 2],
    );
    assert.ok(estimate.leastUsd > 0);
  });

  it("stops at the limit per day until the next day, unless somebody lets a batch pass", async () => {
    rig = await Rig.start({ settings: { maxCostPerDay: 0.05 }, now: "2026-11-29T12:00:00Z" });
    await rig.enqueue(ask("small", { maxTokens: 1000 }));
    await rig.flush();
    assert.equal(rig.count(CREATE), 1, "at most half a cent");
    await rig.enqueue(ask("large", { maxTokens: 20_000 }));
    await rig.flush();
    const { holds, llm } = await rig.journal.state();
    assert.deepEqual(holds, [
      {
        kind: "llm",
        reason: "daily-cost-limit",
        until: "2026-11-30T00:00:00.000Z",
        lane: "llm:anthropic",
      },
    ]);
    assert.deepEqual([llm.queuedCount, rig.count(CREATE)], [1, 1]);
    await rig.journal.clearHolds("llm");
    await rig.flush(overDayAllowed);
    assert.equal(rig.count(CREATE), 2);
    await rig.enqueue(ask("large", { maxTokens: 20_000 }));
    await rig.flush();
    assert.equal(rig.count(CREATE), 2, "the word was for one batch");
  });

  it("may pass the limit per day for the batches of one flush, all of them and no later one", async () => {
    rig = await Rig.start({ settings: { maxCostPerDay: 0.05 } });
    const large = (type: string) => ask("large", { maxTokens: 20_000, type });
    await rig.enqueue(large("a"), large("b"));
    const formed = await rig.seal();
    await rig.executor.allowCost(formed.map(({ id }) => id));
    await rig.enqueue(ask("small", { maxTokens: 100 }), large("c"));
    await rig.seal(overDayAllowed);
    rig.shutdown();
    await rig.execute();
    assert.equal(rig.count(CREATE), 4, "of both types formed before, and both formed by the flush");
    for (const urgency of ["batch", "now"] as const) {
      await rig.journal.clearHolds("llm");
      await rig.enqueue(ask("later", { maxTokens: 20_000, urgency }));
      await rig.flush(costAllowed);
    }
    assert.equal((await rig.journal.state()).llm.queuedCount, 2);
  });

  it("is set aside no longer once a batch did not go out", async () => {
    rig = await Rig.start({ settings: { maxCostPerDay: 0.15 } });
    const reserved = async (): Promise<unknown> =>
      (JSON.parse((await rig.journal.recall("llm.budget")) ?? "{}") as { reserved?: unknown }).reserved;
    const create = { method: "POST", path: "/v1/messages/batches" };
    rig.simulator.misbehave({ match: create, do: anthropicFaults.notFound() });
    const [refused = ""] = await rig.enqueue(ask("large", { maxTokens: 20_000 }));
    await rig.flush();
    assert.equal((await rig.journal.result(refused))?.status, "failed");
    assert.deepEqual(await reserved(), {});
    rig.simulator.misbehave({ match: create, do: anthropicFaults.unauthorized() });
    const [held = ""] = await rig.enqueue(ask("large", { maxTokens: 20_000 }));
    await rig.flush();
    assert.equal((await rig.journal.operation(held))?.status, "queued");
    assert.deepEqual(await reserved(), {});
    // Left by a window that was gone before its batch ended.
    await rig.journal.remember(
      "llm.budget",
      JSON.stringify({ day: "2020-01-01", spent: "0", reserved: { gone: "900000000000" }, allowOnce: true }),
    );
    await rig.journal.clearHolds("llm");
    await rig.flush();
    assert.equal((await rig.journal.result(held))?.status, "succeeded");
  });

  it("counts against the limit per day even where what it bought is of no use", async () => {
    rig = await Rig.start({ settings: { maxCostPerDay: 5, packing: true } });
    rig.simulator.setOutcome({
      prompt: "independent tasks",
      outcome: { kind: "succeeded", text: "Well..." },
    });
    const ids = await rig.enqueue(...["a", "b", "c"].map((text) => ask(text, { urgency: "soon" })));
    await rig.flush();
    assert.equal(rig.count("POST /v1/messages"), 4, "packed in vain, then each alone");
    const results = await rig.results(ids);
    const used = results.reduce((sum, result) => sum + (result?.costUsd ?? 0), 0);
    const { costUsd } = (await rig.journal.state()).llm.stats;
    assert.ok(costUsd > used);
    const { spent } = JSON.parse((await rig.journal.recall("llm.budget")) ?? "{}") as { spent: string };
    assert.equal((Number(spent) / 1e12).toFixed(9), costUsd.toFixed(9));
  });

  it("stops what nobody was asked about at the limit of a flush, whatever made it go out", async () => {
    rig = await Rig.start({ settings: { maxCostPerFlush: 0.05 } });
    for (const [more, reason] of [
      [{ maxTokens: 20_000 }, "flush-cost-limit"],
      [{ maxTokens: 20_000, urgency: "now" }, "flush-cost-limit"],
      [{ maxTokens: 20_000, urgency: "soon" }, "flush-cost-limit"],
      [{ model: "claude-mythos-5-2" }, "flush-cost-unknown"],
    ] as const) {
      await rig.enqueue(ask("large", more));
      await rig.flush();
      const { holds, llm } = await rig.journal.state();
      assert.deepEqual(holds, [{ kind: "llm", reason, lane: "llm:anthropic" }]);
      assert.equal(llm.queuedCount, 1);
      await rig.journal.clear("llm");
      await rig.journal.clearHolds("llm");
    }
    assert.deepEqual(
      rig.calls.filter((call) => call.startsWith("POST")),
      [],
    );
    const [small = ""] = await rig.enqueue(ask("small", { maxTokens: 1000 }));
    await rig.flush();
    assert.equal((await rig.journal.result(small))?.status, "succeeded");
    const ids = await rig.enqueue(
      ask("agreed", { maxTokens: 20_000 }),
      ask("too", { urgency: "soon", maxTokens: 20_000 }),
    );
    await rig.flush(costAllowed);
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
  });

  it("counts batches on their way against the limit, and says when a price is not known", async () => {
    rig = await Rig.start({ settings: { maxCostPerDay: 0.05 } });
    await rig.enqueue(ask("a", { maxTokens: 6000 }), ask("b", { maxTokens: 6000, type: "judge" }));
    await rig.enqueue(
      ask("c", { model: "claude-mythos-5-2" }),
      ask("d", { urgency: "now", maxTokens: 100_000 }),
    );
    await rig.flush();
    const { holds, llm } = await rig.journal.state();
    assert.deepEqual(holds.map(({ reason }) => reason).sort(), ["cost-unknown", "daily-cost-limit"]);
    assert.equal(rig.count(CREATE), 1);
    assert.equal(llm.queuedCount, 3);
  });

  it("says so when caching cost more than it saved", async () => {
    rig = await Rig.start({ cacheHitRate: 0.3 });
    const own = [{ type: "text", text: system, cache_control: { type: "ephemeral", ttl: "1h" } }];
    const ids = await rig.enqueue(...Array.from({ length: 40 }, (_, n) => ask(`${n}`, { system: own })));
    await rig.flush();
    const { cache } = (await detail(ids[0] ?? "")) as {
      cache: { hitRate: number; savedUsd: number; verdict: string };
    };
    assert.ok(cache.hitRate > 0.1 && cache.hitRate < 0.5, String(cache.hitRate));
    assert.equal(cache.verdict, "Caching cost more than it saved.");
    assert.ok(cache.savedUsd < 0);
  });

  it("is saved by breakpoints on a shared beginning, as long as enough requests find it", async () => {
    rig = await Rig.start();
    const enqueue = () => rig.enqueue(...Array.from({ length: 20 }, (_, n) => ask(`${n}`, { system })));
    const breakpoints = async (ids: readonly string[]) =>
      JSON.stringify(await rig.simulator.batches.at(-1)?.params(ids[0] ?? "")).includes('"cache_control"');
    const ids = await enqueue();
    await rig.flush();
    assert.ok(await breakpoints(ids));
    const { cache } = (await detail(ids[0] ?? "")) as { cache: { verdict: string } };
    assert.equal(cache.verdict, "Caching saved money.");
    // Measured misses count for the next decision.
    await rig.journal.remember("llm.cacheHitRate.anthropic", "0.3");
    const plain = await enqueue();
    await rig.flush();
    assert.equal(await breakpoints(plain), false);
    const [alone = ""] = await rig.enqueue(
      ask("short", { system: "Be brief." }),
      ask("other", { system: "Be brief." }),
    );
    await rig.flush();
    assert.equal(await breakpoints([alone]), false);
  });
});

describe("The same request twice", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("is sent once where that is asked for, and answered to each", async () => {
    rig = await Rig.start();
    const dedupe = { metadata: { dedupe: true } };
    const ids = await rig.enqueue(
      ask("same", dedupe),
      ask("same", dedupe),
      ask("other", dedupe),
      ask("same"),
      ask("same", dedupe),
    );
    await rig.flush();
    const [batch] = rig.simulator.batches;
    assert.deepEqual(batch?.customIds, [ids[0], ids[2], ids[3]]);
    const results = await rig.results(ids);
    assert.ok(results.every((result) => result?.status === "succeeded"));
    assert.deepEqual([results[1]?.text, results[4]?.text], [results[0]?.text, results[0]?.text]);
    assert.deepEqual([results[1]?.costUsd, results[4]?.costUsd], [0, 0]);
    const { stats } = (await rig.journal.state()).llm;
    assert.deepEqual([stats.totalRequests, stats.apiCallsSaved], [5, 4]);
    const paid = results.reduce((sum, result) => sum + (result?.costUsd ?? 0), 0);
    assert.equal(stats.costUsd.toFixed(9), paid.toFixed(9));
  });

  it("is one call where it does not wait for a batch", async () => {
    rig = await Rig.start({ settings: { packing: true } });
    const dedupe = { metadata: { dedupe: true }, urgency: "soon" } as const;
    const ids = await rig.enqueue(
      ask("same", dedupe),
      ask("same", dedupe),
      ask("other", dedupe),
      ask("same", dedupe),
    );
    await rig.flush();
    assert.equal(rig.count("POST /v1/messages"), 2);
    const results = await rig.results(ids);
    assert.deepEqual(
      results.map((result) => result?.text),
      [results[0]?.text, results[0]?.text, results[2]?.text, results[0]?.text],
    );
    assert.deepEqual([results[1]?.costUsd, results[3]?.costUsd], [0, 0]);
  });
});
