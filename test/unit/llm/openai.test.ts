import assert from "node:assert/strict";
import type { LlmRequestInput } from "../../../src/core/schema/inputs.ts";
import { openaiFaults } from "../../support/simulator/index.ts";
import { Rig, until } from "./support/rig.ts";

const CREATE = "POST /v1/batches";
const create = { method: "POST", path: "/v1/batches" };
const ask = (prompt: string, more: Partial<LlmRequestInput> = {}): LlmRequestInput => ({
  type: "implementer",
  model: "gpt-6-sol",
  provider: "openai",
  prompt,
  ...more,
});

describe("LLM requests through OpenAI's batches", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());
  const statuses = async (ids: readonly string[]): Promise<unknown[]> =>
    (await rig.results(ids)).map((result) => [result?.status, result?.reason]);

  it("go out in one file and one creation, and each answer comes back with its price", async () => {
    rig = await Rig.start();
    const ids = await rig.enqueue(ask("One?", { system: "Be brief." }), ask("Two?"));
    await rig.flush();
    assert.deepEqual([rig.count("POST /v1/files"), rig.count(CREATE)], [1, 1]);
    const [batch] = rig.simulator.batches;
    assert.deepEqual(await batch?.params(ids[0] ?? ""), {
      model: "gpt-6-sol",
      instructions: "Be brief.",
      input: "One?",
      max_output_tokens: 4096,
    });
    for (const result of await rig.results(ids)) {
      assert.equal(result?.status, "succeeded");
      assert.ok(result.text);
      const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = result.usage ?? {};
      assert.equal(result.costUsd, (inputTokens * 1 + outputTokens * 5 + cacheReadTokens * 0.1) / 1e6);
    }
    const { stats } = (await rig.journal.state()).llm;
    assert.deepEqual([stats.apiCalls, stats.httpRequests], [1, rig.calls.length]);
  });

  it("of two models and two endpoints go out in files of their own", async () => {
    rig = await Rig.start();
    const ids = await rig.enqueue(
      ask("a"),
      ask("b", { model: "gpt-6-luna" }),
      ask("c", { endpoint: "/v1/chat/completions", system: "S" }),
      ask("d", { endpoint: "/v1/embeddings", model: "text-embedding-3-small" }),
    );
    await rig.flush();
    assert.equal(rig.count(CREATE), 4);
    assert.ok((await rig.results(ids)).every((result) => result?.status === "succeeded"));
    assert.deepEqual((await rig.simulator.batches[2]?.params(ids[2] ?? ""))?.["messages"], [
      { role: "system", content: "S" },
      { role: "user", content: "c" },
    ]);
    assert.ok((await rig.results(ids))[2]?.text);
  });

  it("each get their own error when all of them failed and there is no output file", async () => {
    rig = await Rig.start();
    rig.simulator.setOutcome({
      prompt: "one",
      outcome: { kind: "errored", type: "bad_thing", message: "One.", status: 422, shape: "response" },
    });
    rig.simulator.setOutcome({
      prompt: "two",
      outcome: { kind: "errored", type: "other_thing", message: "Two.", shape: "error" },
    });
    rig.simulator.setOutcome({ prompt: "three", outcome: { kind: "expired" } });
    const ids = await rig.enqueue(ask("one"), ask("two"), ask("three"));
    await rig.flush();
    assert.deepEqual(await statuses(ids), [
      ["failed", "bad_thing"],
      ["failed", "other_thing"],
      ["expired", "expired"],
    ]);
    assert.equal((await rig.results(ids))[1]?.error, "Two.");
  });

  it("wait and go out again when too much was enqueued", async () => {
    rig = await Rig.start({ enqueuedTokenLimit: 60, autoEndMs: 500 });
    const long = "word ".repeat(40);
    const [first = ""] = await rig.enqueue(ask(long));
    await rig.seal();
    const [second = ""] = await rig.enqueue(ask(long, { type: "judge" }));
    await rig.flush();
    assert.deepEqual(await statuses([first, second]), [
      ["succeeded", undefined],
      ["succeeded", undefined],
    ]);
    assert.ok(
      rig.turns.some((turn) => turn.kind === "again" && turn.because.startsWith("token_limit_exceeded")),
    );
    const { stats } = (await rig.journal.state()).llm;
    assert.equal(stats.failed, 0);
  });

  it("fail line by line when the file was refused for some, and the others go out again", async () => {
    rig = await Rig.start({ autoEndMs: null });
    const ids = await rig.enqueue(ask("good"), ask("bad"), ask("fine"));
    const flushed = rig.flush();
    await until(() => rig.simulator.batches.length === 1);
    const now = Math.floor(Date.now() / 1000);
    const body = {
      ...{
        id: rig.simulator.batches[0]?.id,
        object: "batch",
        endpoint: "/v1/responses",
        completion_window: "24h",
        input_file_id: "file-1",
      },
      ...{ status: "failed", created_at: now, failed_at: now },
      errors: {
        object: "list",
        data: [{ code: "invalid_json_line", message: "Line 2 is wrong.", line: 2, param: null }],
      },
    };
    rig.simulator.misbehave({
      match: { method: "GET", path: "/v1/batches/*" },
      do: { kind: "reply", status: 200, body },
    });
    await until(() => rig.simulator.batches.length === 2);
    await rig.simulator.endAll();
    await flushed;
    assert.deepEqual(await statuses(ids), [
      ["succeeded", undefined],
      ["failed", "invalid_json_line"],
      ["succeeded", undefined],
    ]);
    assert.deepEqual(rig.simulator.batches[1]?.customIds, [ids[0], ids[2]]);
  });

  it("are found by their mark when the answer to the creation was lost", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({ match: create, do: { kind: "drop", acted: true } });
    const ids = await rig.enqueue(ask("One?"), ask("Two?"));
    await rig.flush();
    assert.equal(rig.count(CREATE), 1);
    assert.deepEqual(await statuses(ids), [
      ["succeeded", undefined],
      ["succeeded", undefined],
    ]);
  });

  it("go back to the queue when the account has no credit", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({ match: create, do: openaiFaults.insufficientQuota() });
    await rig.enqueue(ask("One?"));
    await rig.flush();
    const { holds, llm } = await rig.journal.state();
    assert.deepEqual([holds, llm.queuedCount], [[{ kind: "llm", reason: "credit", lane: "llm:openai" }], 1]);
    assert.ok(
      rig.calls.some((call) => call.startsWith("DELETE /v1/files/")),
      "the upload is not left behind",
    );
  });

  it("show what is done while it is running, and keep it when cancelled", async () => {
    rig = await Rig.start({ autoEndMs: 4000 });
    const ids = await rig.enqueue(ask("1"), ask("2"), ask("3"), ask("4"));
    const flushed = rig.flush();
    const detail = async (): Promise<Record<string, unknown>> =>
      ((await rig.journal.executing("llm:openai"))[0]?.detail ?? {}) as Record<string, unknown>;
    await until(async () => Number((await detail())["total"]) === 4);
    await rig.journal.requestCancel((await rig.journal.operation(ids[0] ?? ""))?.batch ?? "");
    await until(() => rig.calls.some((call) => call.endsWith("/cancel")));
    await rig.simulator.endAll();
    await flushed;
    const all = (await rig.results(ids)).map((result) => result?.status);
    assert.ok(all.includes("cancelled") && all.includes("succeeded"), String(all));
  });
});

describe("Refusing a request to OpenAI when it is queued", function () {
  this.timeout(30_000);
  let rig: Rig;
  before(async () => {
    rig = await Rig.start();
  });
  after(() => rig.close());

  const cases: [string, LlmRequestInput, RegExp][] = [
    ["params.stream", ask("x", { params: { stream: true } }), /streamed/u],
    ["params.input", ask("x", { params: { input: "y" } }), /prompt or messages/u],
    ["params.max_output_tokens", ask("x", { params: { max_output_tokens: 9 } }), /maxTokens/u],
    ["params.nonsense", ask("x", { params: { nonsense: 1 } }), /not known/u],
    ["maxTokens", ask("x", { maxTokens: 8 }), /at least 16/u],
    ["maxTokens", ask("x", { maxTokens: 128_001 }), /gpt-6-sol answers with at most 128000/u],
    ["endpoint", ask("x", { endpoint: "/v1/messages" }), /one of/u],
    ["provider", ask("x", { model: "claude-opus-5" }), /anthropic/u],
    ["betas", ask("x", { betas: ["a"] }), /OpenAI/u],
    ["system", ask("x", { endpoint: "/v1/embeddings", system: "s" }), /not known/u],
  ];
  for (const [field, input, message] of cases) {
    it(`names ${field}: ${message.source}`, async () => {
      await assert.rejects(
        rig.enqueue(input),
        (error) =>
          error instanceof Error && error.message.startsWith(`${field}: `) && message.test(error.message),
      );
    });
  }

  it("warns of a prompt that may not fit the model, and knows no limit of a model that it does not know", async () => {
    const accept = async (model: string, kilobytes: number) =>
      (await rig.acceptor.accept(ask("word ".repeat(kilobytes * 200), { model }))).detail as {
        warnings?: readonly string[];
      };
    assert.match((await accept("gpt-5-mini", 1700)).warnings?.[0] ?? "", /may not fit the model's 400000/u);
    assert.equal((await accept("gpt-6-sol", 1700)).warnings, undefined);
    assert.equal((await accept("gpt-9", 5000)).warnings, undefined);
  });
});
