import assert from "node:assert/strict";
import type { ImportedLine } from "../../../src/llm/index.ts";
import { exportResults, readRequests } from "../../../src/llm/index.ts";
import { Rig, ask } from "./support/rig.ts";

/** The example of the SDK's documentation, shortened to what it shows. */
const anthropicLine = {
  custom_id: "my-first-request",
  params: {
    model: "claude-opus-5-5",
    max_tokens: 1024,
    system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: "Hello, world" }],
    tools: [{ name: "weather", input_schema: { type: "object", properties: {} } }],
  },
};
const responsesLine = {
  custom_id: "request-1",
  method: "POST",
  url: "/v1/responses",
  body: { model: "gpt-6-luna", input: "What is 2+2?", reasoning: { effort: "low" } },
};
const chatLine = {
  custom_id: "request-2",
  method: "POST",
  url: "/v1/chat/completions",
  body: {
    model: "gpt-6-luna",
    messages: [
      { role: "system", content: "You are a helpful assistant." },
      { role: "user", content: "What is 2+2?" },
    ],
    max_tokens: 1000,
  },
};
const embeddingLine = {
  custom_id: "request-3",
  method: "POST",
  url: "/v1/embeddings",
  body: { model: "text-embedding-3-small", input: ["one", "two"] },
};

const bytes = (text: string, chunk = 5): AsyncIterable<Uint8Array> => ({
  async *[Symbol.asyncIterator]() {
    const all = Buffer.from(text);
    for (let at = 0; at < all.length; at += chunk) yield await Promise.resolve(all.subarray(at, at + chunk));
  },
});

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe("Files of requests and results", function () {
  this.timeout(30_000);
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });
  afterEach(() => rig.close());

  const read = async (source: AsyncIterable<Uint8Array>): Promise<ImportedLine[]> => {
    const context = { id: "x", source: "extension", interactive: false } as const;
    const check = (input: Parameters<typeof rig.acceptor.accept>[0]) => rig.acceptor.accept(input, context);
    return all(readRequests(source, { provider: rig.provider, check }));
  };
  const enqueueAll = async (lines: readonly ImportedLine[]): Promise<string[]> =>
    rig.enqueue(
      ...lines.flatMap((line) => (line.kind === "request" ? [line.input] : assert.fail(line.reason))),
    );
  const written = async (ids: readonly string[]): Promise<Record<string, unknown>[]> => {
    const items = async function* () {
      for (const id of ids) {
        const [operation, result] = await Promise.all([rig.journal.operation(id), rig.journal.result(id)]);
        if (operation !== undefined && result !== undefined) yield { operation, result };
      }
    };
    const lines = await all(exportResults(items(), rig.provider));
    assert.ok(lines.every((line) => line.endsWith("\n") && line.indexOf("\n") === line.length - 1));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it("keep the vendors' own lines as they are through import, batch and export", async () => {
    const lines = [anthropicLine, responsesLine, chatLine, embeddingLine];
    const ids = await enqueueAll(await read(bytes(lines.map((line) => JSON.stringify(line)).join("\n"))));
    await rig.flush();
    const sent = await Promise.all(
      ids.map(async (id) =>
        rig.simulator.batches.find(({ customIds }) => customIds.includes(id))?.params(id),
      ),
    );
    assert.deepEqual(sent, [anthropicLine.params, responsesLine.body, chatLine.body, embeddingLine.body]);
    const [first, second] = await written(ids);
    assert.equal(first?.["custom_id"], "my-first-request");
    assert.deepEqual(Object.keys(first), ["custom_id", "result", "batch_control"]);
    const { result } = first as { result: { type: string; message: { usage: object } } };
    assert.equal(result.type, "succeeded");
    assert.ok(result.message.usage);
    const { batch_control: ours } = first as {
      batch_control: { request_id: string; cost_usd: number; duration_ms: number };
    };
    assert.equal(ours.request_id, ids[0]);
    assert.ok(ours.cost_usd > 0 && ours.duration_ms >= 0);
    const { response, error } = second as {
      response: { status_code: number; body: { output: unknown } };
      error: null;
    };
    assert.deepEqual([response.status_code, error], [200, null]);
    assert.ok(response.body.output);
  });

  it("tolerate a mark at the beginning, blank lines and both line ends, and split at \\n alone", async () => {
    const odd = "a\u2028b\u0085c";
    const text = `\uFEFF${JSON.stringify(ask(odd))}\r\n\r\n   \n${JSON.stringify(ask("two", { id: "t" }))}`;
    const lines = await read(bytes(text, 3));
    assert.deepEqual(lines, [
      { kind: "request", line: 1, input: ask(odd) },
      { kind: "request", line: 4, input: ask("two", { id: "t" }) },
    ]);
  });

  it("name each bad line and its reason, and read on", async () => {
    const bad = [
      "{",
      "[1]",
      '{"type":"x"}',
      JSON.stringify({ ...anthropicLine, params: { ...anthropicLine.params, temperature: 1 } }),
      JSON.stringify({ ...anthropicLine, params: { ...anthropicLine.params, model: undefined } }),
      JSON.stringify({ ...responsesLine, url: "/v1/nowhere" }),
      JSON.stringify({ ...responsesLine, method: "GET" }),
      JSON.stringify({ ...ask("x"), nonsense: 1 }),
      '{"type":"x","model":"claude-opus-5","prompt":"half \\ud800"}',
    ];
    const lines = await read(bytes([...bad, JSON.stringify(ask("good"))].join("\n")));
    const reasons = lines.map((line) => (line.kind === "bad" ? line.reason.split(":")[0] : "good"));
    assert.deepEqual(reasons, [
      "is not JSON",
      "line",
      "model",
      "params.temperature",
      "params.model",
      "endpoint",
      "method",
      "nonsense",
      "prompt",
      "good",
    ]);
    assert.deepEqual(
      lines.map(({ line }) => line),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });

  it("say so when a line is not UTF-8", async () => {
    const broken = Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    const source = (async function* () {
      yield await Promise.resolve(broken);
    })();
    assert.deepEqual(await read(source), [{ kind: "bad", line: 1, reason: "is not UTF-8" }]);
  });

  it("write what failed in the vendor's own shape", async () => {
    rig.simulator.setOutcome({
      prompt: "bad",
      outcome: { kind: "errored", type: "api_error", message: "No." },
    });
    rig.simulator.setOutcome({ prompt: "late", outcome: { kind: "expired" } });
    const openai = { provider: "openai", model: "gpt-6-sol" } as const;
    const ids = await rig.enqueue(ask("bad"), ask("late"), ask("bad", openai), ask("late", openai));
    await rig.flush();
    const [bad, late, badToo, lateToo] = await written(ids);
    assert.equal((bad?.["result"] as { error: { error: { message: string } } }).error.error.message, "No.");
    assert.deepEqual(late?.["result"], { type: "expired" });
    assert.equal((badToo?.["response"] as { status_code: number }).status_code, 400);
    assert.equal((lateToo?.["error"] as { code: string }).code, "batch_expired");
    assert.deepEqual(late["custom_id"], ids[1]);
    assert.deepEqual(late["batch_control"], {
      request_id: ids[1],
      cost_usd: null,
      duration_ms: (late["batch_control"] as { duration_ms: number }).duration_ms,
    });
  });
});
