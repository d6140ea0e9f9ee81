import assert from "node:assert/strict";
import { anthropicFaults, openaiFaults } from "../../support/simulator/index.ts";
import { Rig, ask, until } from "./support/rig.ts";

const CREATE = "POST /v1/messages/batches";
const create = { method: "POST", path: "/v1/messages/batches" };
const lane = "llm:anthropic";

describe("An account in trouble while a batch is at the provider", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  const holds = async () => (await rig.journal.state()).holds;
  const places = [
    { what: "is asked about", match: { method: "GET", path: /\/batches\/[^/]+$/u } },
    { what: "has its results fetched", match: { method: "GET", path: /\/results$/u } },
  ];
  const troubles = [
    { trouble: "a refused key", fault: anthropicFaults.unauthorized(), reason: "key-refused" },
    {
      trouble: "a spend limit",
      fault: anthropicFaults.ownSpendLimit("2026-12-24"),
      reason: "spend-limit",
      date: "2026-12-24T00:00:00.000Z",
    },
  ];
  for (const { what, match } of places) {
    for (const { trouble, fault, reason, date } of troubles) {
      it(`is one hold of ${trouble} when it ${what}, which the first answer lifts`, async () => {
        rig = await Rig.start({ now: "2026-11-29T12:00:00Z" });
        rig.simulator.misbehave({ match, times: 3, do: fault });
        const seen: string[] = [];
        rig.journal.watch(0, (events) => void seen.push(...events.map(({ type }) => type)));
        const [id = ""] = await rig.enqueue(ask("One?"));
        const flushed = rig.flush();
        await until(async () => (await holds()).length > 0);
        assert.deepEqual(await holds(), [
          { kind: "llm", reason, lane, ...(date === undefined ? {} : { until: date }) },
        ]);
        assert.equal((await rig.journal.operation(id))?.status, "executing", "it is at the provider");
        await flushed;
        assert.deepEqual(await holds(), []);
        assert.equal((await rig.journal.result(id))?.status, "succeeded");
        assert.equal(rig.count(CREATE), 1);
        assert.equal(seen.filter((type) => type === "control").length, 2, "set once and lifted once");
      });
    }
  }

  it("is a hold while it is found out whether a batch was created", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({
      match: create,
      do: [
        { kind: "delay", ms: 100 },
        { kind: "drop", acted: true },
      ],
    });
    const [id = ""] = await rig.enqueue(ask("One?"));
    const flushed = rig.flush();
    await until(() => rig.count(CREATE) === 1);
    const list = { method: "GET", path: "/v1/messages/batches" };
    rig.simulator.misbehave({ match: list, times: 8, do: anthropicFaults.unauthorized() });
    await until(async () => (await holds()).length > 0);
    assert.deepEqual(await holds(), [{ kind: "llm", reason: "key-refused", lane }]);
    await flushed;
    assert.deepEqual(await holds(), []);
    assert.equal((await rig.journal.result(id))?.status, "succeeded");
    assert.equal(rig.count(CREATE), 1);
  });

  it("is a hold without a key, until there is one", async () => {
    rig = await Rig.start({ autoEndMs: 60_000 });
    await rig.enqueue(ask("One?"));
    const flushed = rig.flush();
    await until(() => rig.simulator.batches.length === 1);
    const { key } = rig;
    rig.key = undefined;
    await until(async () => (await holds()).length > 0);
    assert.deepEqual(await holds(), [{ kind: "llm", reason: "no-key", lane }]);
    rig.key = key;
    await until(async () => (await holds()).length === 0);
    await rig.simulator.endAll();
    await flushed;
    assert.equal((await rig.journal.state()).llm.executed[0]?.status, "completed");
  });

  it("sends the second half of a batch that was split back to the queue, and the first half goes on", async () => {
    rig = await Rig.start({ autoEndMs: 60_000 });
    rig.simulator.misbehave({ match: create, do: anthropicFaults.tooLarge() });
    rig.simulator.misbehave({ match: { ...create, nth: 2 }, do: anthropicFaults.unauthorized() });
    const ids = await rig.enqueue(ask("One?"), ask("Two?"), ask("Three?"));
    const flushed = rig.flush();
    await until(async () => (await holds()).length > 0);
    await until(async () => (await rig.journal.state()).llm.queuedCount > 0);
    assert.deepEqual(await holds(), [{ kind: "llm", reason: "key-refused", lane }]);
    assert.deepEqual(await Promise.all(ids.map(async (id) => (await rig.journal.operation(id))?.status)), [
      "executing",
      "executing",
      "queued",
    ]);
    await rig.simulator.endAll();
    await flushed;
    assert.deepEqual(
      (await rig.results(ids)).map((result) => result?.status),
      ["succeeded", "succeeded", undefined],
    );
    const second = rig.flush();
    await until(() => rig.simulator.batches.length === 2);
    await rig.simulator.endAll();
    await second;
    assert.equal((await rig.journal.result(ids[2] ?? ""))?.status, "succeeded");
    assert.deepEqual(
      rig.simulator.batches.map(({ customIds }) => customIds),
      [ids.slice(0, 2), ids.slice(2)],
    );
    assert.equal((await rig.journal.state()).llm.stats.failed, 0);
  });
});

describe("A request that cannot be sent from here", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  const providers = [
    { provider: "anthropic", model: "claude-sonnet-5-5" },
    { provider: "openai", model: "gpt-6-sol" },
  ] as const;
  for (const { provider, model } of providers) {
    it(`to ${provider} is a hold when its key has a line break, with no call and no word of the key`, async () => {
      rig = await Rig.start({ key: "secret-part\nother-part" });
      const [id = ""] = await rig.enqueue(ask("One?", { provider, model }));
      await rig.flush();
      const { holds, llm } = await rig.journal.state();
      assert.deepEqual(holds, [{ kind: "llm", reason: "key-unusable", lane: `llm:${provider}` }]);
      assert.equal(llm.queuedCount, 1);
      assert.deepEqual(rig.calls, []);
      assert.doesNotMatch(JSON.stringify([rig.warnings, rig.turns]), /secret-part|other-part/u);
      rig.key = "mended";
      await rig.flush();
      assert.equal((await rig.journal.result(id))?.status, "succeeded");
    });

    it(`to ${provider} is a hold when its address is none`, async () => {
      rig = await Rig.start({
        settings: { anthropicBaseUrl: "localhost:1", openaiBaseUrl: "not an address" },
      });
      await rig.enqueue(ask("One?", { provider, model }));
      await rig.flush();
      const { holds, llm } = await rig.journal.state();
      assert.deepEqual(holds, [{ kind: "llm", reason: "address-unusable", lane: `llm:${provider}` }]);
      assert.equal(llm.queuedCount, 1);
    });

    it(`to ${provider} certainly created nothing when fetch does not take it`, async () => {
      rig = await Rig.start();
      const meter = { httpRequests: 0 };
      const signal = "no signal" as unknown as AbortSignal;
      const answer = await rig.provider(provider).poll("batch_1", { meter, signal });
      assert.ok(answer.kind === "failed");
      assert.deepEqual([answer.failure.acted, answer.failure.reason], ["no", "not-sent"]);
      assert.match(
        answer.failure.message,
        /^Nothing was sent, because the request could not be put together/u,
      );
      assert.deepEqual([rig.calls, meter.httpRequests], [[], 0]);
    });
  }
});

describe("An OpenAI account in trouble while a batch is asked about", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("is one hold of its lane", async () => {
    rig = await Rig.start();
    const match = { method: "GET", path: /\/batches\/[^/]+$/u };
    rig.simulator.misbehave({ match, times: 2, do: openaiFaults.unauthorized() });
    const [id = ""] = await rig.enqueue(ask("One?", { provider: "openai", model: "gpt-6-sol" }));
    const flushed = rig.flush();
    await until(async () => (await rig.journal.state()).holds.length > 0);
    assert.deepEqual((await rig.journal.state()).holds, [
      { kind: "llm", reason: "key-refused", lane: "llm:openai" },
    ]);
    await flushed;
    assert.deepEqual((await rig.journal.state()).holds, []);
    assert.equal((await rig.journal.result(id))?.status, "succeeded");
  });
});
