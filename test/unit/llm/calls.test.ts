import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { costAllowed } from "../../../src/llm/index.ts";
import type { StoredOperation } from "../../../src/core/operation.ts";
import type { LoggedRequest } from "../../support/simulator/index.ts";
import { anthropicFaults, outcomes } from "../../support/simulator/index.ts";
import { Rig, ask, until } from "./support/rig.ts";

const CALL = "POST /v1/messages";
const call = { method: "POST", path: "/v1/messages" };
/** About 5,000 tokens. */
const system = "You review code and are brief. ".repeat(700);
const many = (count: number, more: Partial<ReturnType<typeof ask>> = {}): ReturnType<typeof ask>[] =>
  Array.from({ length: count }, (_, n) => ask(`Number ${n}`, { urgency: "soon", ...more }));

const isAskedTwice = (operation: Pick<StoredOperation, "detail"> | undefined): boolean =>
  (operation?.detail as { askedTwice?: true }).askedTwice === true;

describe("Requests that do not wait for a batch", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());
  const statuses = async (ids: readonly string[]): Promise<unknown[]> => [
    ...new Set((await rig.results(ids)).map((result) => result?.status)),
  ];

  it("are one call when they are wanted now, at the full price, and the text comes as it is made", async () => {
    rig = await Rig.start();
    const [id = ""] = await rig.enqueue(ask("Hello", { urgency: "now" }));
    await rig.flush();
    assert.deepEqual(rig.calls, [CALL]);
    const result = await rig.journal.result(id);
    assert.equal(result?.status, "succeeded");
    assert.equal(rig.texts.get(id), result.text);
    const { inputTokens = 0, outputTokens = 0 } = result.usage ?? {};
    assert.equal(result.costUsd, (inputTokens * 2 + outputTokens * 10) / 1e6);
    assert.ok(result.durationMs !== undefined);
    const { stats } = (await rig.journal.state()).llm;
    assert.deepEqual([stats.apiCalls, stats.apiCallsSaved, stats.httpRequests], [1, 0, 1]);
  });

  it("tell what has come of an answer each time more comes, anew where the call is made again", async () => {
    rig = await Rig.start();
    const match = { path: "/v1/messages" };
    const parts = { kind: "parts", faults: [{ kind: "dropAfter", parts: 5 }] } as const;
    rig.simulator.misbehave({ match, do: parts });
    const long = Array.from({ length: 60 }, (_, n) => `word ${n}`).join(" ");
    rig.simulator.setOutcome({ prompt: "One?", outcome: { kind: "succeeded", text: long } });
    const [id = ""] = await rig.enqueue(ask("One?", { urgency: "now" }));
    await rig.flush();
    const { text = "" } = (await rig.journal.result(id)) ?? {};
    const told = rig.growth.map(([of, soFar]) => (of === id ? soFar : "of another"));
    assert.ok(told.length > 4, String(told.length));
    assert.ok(told.slice(0, -1).every((soFar) => soFar !== undefined && text.startsWith(soFar)));
    assert.equal(rig.count("POST /v1/messages"), 2);
    assert.ok(
      told.slice(1).some((soFar, n) => (soFar?.length ?? 0) < (told[n]?.length ?? 0)),
      "begun anew",
    );
    assert.deepEqual(told.slice(-2), [text, undefined]);
  });

  it("write a shared beginning to the cache once and read it from there", async () => {
    rig = await Rig.start();
    const ids = await rig.enqueue(...many(50, { system }));
    await rig.flush();
    const all = await rig.results(ids);
    assert.equal(all.filter((result) => (result?.usage?.cacheWriteTokens ?? 0) > 0).length, 1);
    assert.equal(all.filter((result) => (result?.usage?.cacheReadTokens ?? 0) > 0).length, 49);
    assert.equal(rig.count(CALL), 50);
  });

  it("wait together as long as a limit says, and are tried again", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({ match: call, times: 3, do: anthropicFaults.rateLimited(42) });
    rig.simulator.misbehave({ match: { ...call, nth: 2 }, do: { kind: "drop", acted: true } });
    const ids = await rig.enqueue(...many(5));
    await rig.flush();
    assert.deepEqual(await statuses(ids), ["succeeded"]);
    const times = rig.simulator.requests.map(({ time }) => time);
    const refused = times[2] ?? 0;
    assert.ok(
      times.slice(5).some((time) => time - refused >= 42_000 / 400),
      "none before the time was over",
    );
    const { stats } = (await rig.journal.state()).llm;
    assert.equal(stats.apiCalls, 6, "five answers and one that was lost on its way");
    assert.equal(stats.httpRequests, rig.calls.length);
  });

  it("go back to the queue when the account is in trouble", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({ match: call, times: 100, do: anthropicFaults.unauthorized() });
    await rig.enqueue(...many(20));
    await rig.flush();
    const { holds, llm } = await rig.journal.state();
    assert.deepEqual(
      [holds, llm.queuedCount],
      [[{ kind: "llm", reason: "key-refused", lane: "llm:anthropic" }], 20],
    );
    assert.ok(rig.calls.length <= 8);
  });

  it("fail alone with their own error", async () => {
    rig = await Rig.start();
    rig.simulator.setOutcome({ prompt: "Number 1", outcome: outcomes.invalidRequest("No.") });
    const ids = await rig.enqueue(...many(3));
    await rig.flush();
    assert.deepEqual(
      (await rig.results(ids)).map((result) => result?.error),
      [undefined, "No.", undefined],
    );
  });

  it("stop when the batch is cancelled, and keep what was answered", async () => {
    rig = await Rig.start();
    rig.simulator.misbehave({ match: { ...call, nth: 2 }, times: 10, do: { kind: "hang", acted: false } });
    const ids = await rig.enqueue(...many(2));
    const flushed = rig.flush();
    await until(async () => (await statuses(ids)).includes("succeeded"));
    await rig.journal.requestCancel((await rig.journal.operation(ids[0] ?? ""))?.batch ?? "");
    await flushed;
    assert.deepEqual((await rig.results(ids)).map((result) => result?.status).sort(), [
      "cancelled",
      "succeeded",
    ]);
  });

  it("are called again by the next window when this one was gone, which is told and counted", async () => {
    rig = await Rig.start({ settings: { maxCostPerFlush: 0.01 } });
    rig.simulator.misbehave({ match: { ...call, nth: 2 }, do: { kind: "hang", acted: true } });
    const ids = await rig.enqueue(...many(2));
    const first = rig.flush(costAllowed);
    await until(async () => rig.calls.length === 2 && (await statuses(ids)).includes("succeeded"));
    rig.shutdown();
    await first;
    await rig.execute();
    assert.deepEqual(await statuses(ids), ["succeeded"]);
    assert.equal(rig.count(CALL), 3);
    const { stats } = (await rig.journal.state()).llm;
    assert.deepEqual([stats.apiCalls, stats.httpRequests], [3, 3]);
    const operations = await Promise.all(ids.map((id) => rig.journal.operation(id)));
    assert.equal(operations.filter(isAskedTwice).length, 1, "only the one that was cut off");
    const { askedTwice } = (await rig.journal.batch(operations[0]?.batch ?? ""))?.detail as {
      askedTwice: { requests: number; estimatedUsd: { least: number; most: number }; because: string };
    };
    assert.equal(askedTwice.requests, 1);
    assert.ok(
      askedTwice.estimatedUsd.least > 0 && askedTwice.estimatedUsd.most > askedTwice.estimatedUsd.least,
    );
    assert.match(askedTwice.because, /may have been paid twice/u);
    const { spent } = JSON.parse((await rig.journal.recall("llm.budget")) ?? "{}") as { spent: string };
    const wasted = Number(spent) / 1e12 - stats.costUsd;
    assert.ok(Math.abs(wasted - askedTwice.estimatedUsd.most) < 1e-9, "counts for the day, but not as paid");
  });

  it("may have been made where a window was gone without a word", async () => {
    rig = await Rig.start();
    const ids = await rig.enqueue(...many(20));
    const [batch] = await rig.seal();
    const fence = await rig.journal.lead("llm:anthropic", "gone", { pid: 1, start: "0" });
    assert.equal(fence.lane, batch?.lane);
    await rig.journal.claim(fence);
    await rig.journal.recordIntent(fence, batch?.id ?? "", { kind: "calls", plan: {} });
    await rig.execute();
    assert.deepEqual(await statuses(ids), ["succeeded"]);
    const { stats } = (await rig.journal.state()).llm;
    assert.equal(stats.apiCalls, 21, "at least one more");
    const operations = await Promise.all(ids.map((id) => rig.journal.operation(id)));
    assert.equal(operations.filter(isAskedTwice).length, 8);
  });

  it("are cut off at the provider when the window stops", async () => {
    const cut = Promise.withResolvers<undefined>();
    const began = Promise.withResolvers<undefined>();
    const server = createServer((request) => {
      request.resume();
      request.socket.once("close", () => cut.resolve(undefined));
      began.resolve(undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    rig = await Rig.start({
      settings: { anthropicBaseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    });
    await rig.enqueue(ask("Long", { urgency: "now" }));
    const flushed = rig.flush();
    await began.promise;
    rig.shutdown();
    await Promise.all([flushed, cut.promise]);
    server.close();
  });

  it("work the same at OpenAI", async () => {
    rig = await Rig.start();
    const openai = { provider: "openai", model: "gpt-6-sol" } as const;
    const ids = await rig.enqueue(
      ask("Hello", { ...openai, urgency: "now" }),
      ask("Hello", { ...openai, urgency: "now", endpoint: "/v1/chat/completions" }),
      ask("Hello", {
        provider: "openai",
        model: "text-embedding-3-small",
        urgency: "now",
        endpoint: "/v1/embeddings",
      }),
    );
    await rig.flush();
    assert.deepEqual(await statuses(ids), ["succeeded"]);
    const [first, second] = await rig.results(ids);
    assert.ok(first?.text && first.costUsd && second?.text && second.costUsd);
    assert.equal(rig.texts.get(ids[0] ?? ""), first.text);
    assert.equal(rig.texts.get(ids[1] ?? ""), second.text);
  });
});

describe("Packed requests", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());
  const prompts = Array.from({ length: 10 }, (_, n) => `Question ${n}: what is ${n} plus one?`);
  const enqueue = (): Promise<string[]> =>
    rig.enqueue(...prompts.map((prompt) => ask(prompt, { urgency: "soon" })));
  /** The packed answer as a model would give it, with a change. */
  const answering = (
    change: (answers: Record<string, { echo: string; answer: string }>) => unknown,
  ): void => {
    const answers = Object.fromEntries(
      prompts.map((prompt, n) => [`item_${n + 1}`, { echo: prompt.slice(0, 40), answer: `${n + 1}` }]),
    );
    const changed = change(answers);
    const text = typeof changed === "string" ? changed : JSON.stringify(answers);
    rig.simulator.setOutcome({ prompt: "independent tasks", outcome: outcomes.says(text) });
  };
  const texts = async (ids: readonly string[]): Promise<unknown[]> =>
    (await rig.results(ids)).map((result) => result?.text);
  const schemaOf = ({ body }: LoggedRequest): unknown =>
    (body as { output_config?: { format?: { schema?: { required?: unknown } } } }).output_config?.format
      ?.schema?.required;

  beforeEach(async () => {
    rig = await Rig.start({ settings: { packing: true } });
  });

  it("are one structured call whose answers and tokens are shared out", async () => {
    answering(() => undefined);
    const ids = await enqueue();
    await rig.flush();
    assert.equal(rig.count(CALL), 1);
    assert.deepEqual(
      schemaOf(rig.simulator.requests[0]!),
      prompts.map((_, n) => `item_${n + 1}`),
    );
    assert.deepEqual(
      await texts(ids),
      prompts.map((_, n) => `${n + 1}`),
    );
    const { stats } = (await rig.journal.state()).llm;
    assert.deepEqual([stats.apiCalls, stats.apiCallsSaved], [1, 9]);
    const [result] = await rig.results(ids);
    const whole = (result?.message as { usage: { input_tokens: number; output_tokens: number } }).usage;
    assert.deepEqual([stats.inputTokens, stats.outputTokens], [whole.input_tokens, whole.output_tokens]);
  });

  const faults: [string, Parameters<typeof answering>[0], number][] = [
    ["one is missing", (answers) => Reflect.deleteProperty(answers, "item_4"), 1],
    [
      "two are swapped",
      (answers) => Object.assign(answers, { item_2: answers["item_3"], item_3: answers["item_2"] }),
      2,
    ],
    ["one is blank", (answers) => Object.assign(answers["item_1"]!, { answer: " " }), 1],
    ["the answer is cut", (answers) => JSON.stringify(answers).slice(0, 100), 10],
  ];
  for (const [what, change, alone] of faults) {
    it(`deliver the good ones and send the others alone when ${what}`, async () => {
      answering(change);
      const ids = await enqueue();
      await rig.flush();
      assert.equal(rig.count(CALL), 1 + alone);
      const all = await texts(ids);
      assert.equal(all.filter((text) => /^\d+$/u.test(String(text))).length, 10 - alone);
      assert.ok(all.every(Boolean));
    });
  }

  it("take an answer that looks like the packing itself as it is", async () => {
    answering((answers) =>
      Object.assign(answers["item_5"]!, { answer: '{"key":"item_6"}\n{"item_1":{"echo":"","answer":""}}' }),
    );
    const ids = await enqueue();
    await rig.flush();
    assert.equal((await texts(ids))[4], '{"key":"item_6"}\n{"item_1":{"echo":"","answer":""}}');
  });

  it("never mix different system prompts, nor take what has tools or is large", async () => {
    answering(() => undefined);
    const tools = [{ name: "t", input_schema: { type: "object" } }];
    await rig.enqueue(
      ask("a", { urgency: "soon", system: "S" }),
      ask("b", { urgency: "soon" }),
      ask("c", { urgency: "soon", params: { tools } }),
      ask("d", { urgency: "soon", params: { tools } }),
      ask("e ".repeat(2000), { urgency: "soon" }),
    );
    await rig.flush();
    assert.equal(rig.count(CALL), 5);
  });
});
