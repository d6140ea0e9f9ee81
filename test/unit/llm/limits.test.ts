import assert from "node:assert/strict";
import { sealLimits } from "../../../src/llm/index.ts";
import { Rig, ask, until } from "./support/rig.ts";

const CREATE = "POST /v1/messages/batches";
const many = (count: number, from = 0): ReturnType<typeof ask>[] =>
  Array.from({ length: count }, (_, n) => ask(`Number ${n + from}`));

describe("The limits of a provider", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("are those of its pages, and split a queue that is beyond them", async () => {
    rig = await Rig.start();
    assert.deepEqual(sealLimits("llm:anthropic/judge/m", rig.provider), {
      maxCount: 100_000,
      maxBytes: 256_000_000,
    });
    assert.deepEqual(sealLimits("llm:openai/judge/m", rig.provider), {
      maxCount: 50_000,
      maxBytes: 200_000_000,
    });
  });

  it("hold for the body, because what is stored of a request is larger than what is sent", async () => {
    rig = await Rig.start();
    for (const input of [ask("x"), ask("x", { provider: "openai", model: "gpt-6-sol" })]) {
      const [id = ""] = await rig.enqueue(input);
      const operation = await rig.journal.operation(id);
      assert.ok(operation);
      const provider = rig.provider(input.provider ?? "anthropic");
      const stored = JSON.parse(operation.payload) as Parameters<typeof provider.body.item>[1];
      const line = provider.body.item(id, stored) + provider.body.separator;
      assert.ok(Buffer.byteLength(line) <= operation.bytes, `${line.length} of ${operation.bytes}`);
    }
  });

  it("hold a batch back while too many requests wait at the provider", async () => {
    rig = await Rig.start({ queueLimit: 20 });
    const first = await rig.enqueue(...many(15));
    await rig.seal();
    const second = await rig.enqueue(...many(15, 15).map((input) => ({ ...input, type: "judge" })));
    await rig.flush();
    assert.ok(rig.turns.some((turn) => turn.kind === "again" && turn.because.startsWith("rate-limit")));
    assert.ok((await rig.results([...first, ...second])).every((result) => result?.status === "succeeded"));
    assert.equal(rig.simulator.batches.length, 2);
    assert.ok(rig.count(CREATE) > 2);
  });

  it("of a gateway on the size of a body split a batch until it fits", async () => {
    rig = await Rig.start({ maxBatchBytes: 2000 });
    const ids = await rig.enqueue(...many(40));
    await rig.flush();
    assert.ok(rig.simulator.batches.length >= 4);
    assert.deepEqual(rig.simulator.batches.flatMap(({ customIds }) => customIds).sort(), [...ids].sort());
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
  });

  it("that one request alone exceeds fail that request, not its neighbours", async () => {
    rig = await Rig.start({ maxBatchBytes: 2000 });
    const ids = await rig.enqueue(ask("a"), ask("b".repeat(3000)), ask("c"));
    await rig.flush();
    assert.deepEqual(
      (await rig.results(ids)).map((result) => [result?.status, result?.reason]),
      [
        ["succeeded", undefined],
        ["failed", "request-too-large"],
        ["succeeded", undefined],
      ],
    );
  });
});

describe("A gateway that cannot list batches", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("is used all the same, and a lost creation is given up after the time of the setting", async () => {
    rig = await Rig.start({ settings: { unknownOutcomeWait: 30 } });
    const body = { type: "error", error: { type: "invalid_request_error", message: "Method not allowed" } };
    rig.simulator.misbehave({
      match: { method: "GET", path: "/v1/messages/batches" },
      times: 1000,
      do: { kind: "reply", status: 405, body },
    });
    rig.simulator.misbehave({
      match: { method: "POST", path: "/v1/messages/batches" },
      do: { kind: "drop", acted: false },
    });
    const ids = await rig.enqueue(ask("One?"));
    await rig.flush();
    assert.equal(rig.count(CREATE), 2);
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
  });
});

describe("A window that stops", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("does so even while it waits for a batch that was cancelled", async () => {
    rig = await Rig.start({ autoEndMs: null });
    const ids = await rig.enqueue(...many(2));
    const flushed = rig.flush();
    await until(() => rig.calls.some((call) => /^GET .*msgbatch/u.test(call)));
    await rig.journal.requestCancel((await rig.journal.operation(ids[0] ?? ""))?.batch ?? "");
    await until(() => rig.calls.some((call) => call.endsWith("/cancel")));
    rig.shutdown();
    await flushed;
    assert.deepEqual(rig.turns.at(-1), { kind: "stopped" });
    await rig.simulator.endAll();
    await rig.execute();
    assert.ok((await rig.results(ids)).every((result) => result !== undefined));
  });
});
