import assert from "node:assert/strict";
import { exportResults, readRequests } from "../../../src/llm/index.ts";
import { Rig } from "./support/rig.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const base = { model: "claude-opus-5-5", max_tokens: 1024 };
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** Bodies of the shapes that both SDKs' types know, each the way a caller of that SDK writes it. */
const anthropic: readonly [string, Record<string, unknown>][] = [
  ["a plain message", { ...base, messages: [{ role: "user", content: "Say hello." }] }],
  [
    "turns of a conversation",
    {
      ...base,
      messages: [
        { role: "user", content: "My name is Ada." },
        { role: "assistant", content: [{ type: "text", text: "Hello, Ada." }] },
        { role: "user", content: "What is my name?" },
      ],
      stop_sequences: ["STOP"],
    },
  ],
  [
    "system blocks with a breakpoint",
    {
      ...base,
      system: [
        { type: "text", text: "You are terse." },
        { type: "text", text: "Handbook.", cache_control: { type: "ephemeral", ttl: "1h" } },
      ],
      messages: [{ role: "user", content: "Which page?" }],
    },
  ],
  [
    "an image",
    {
      ...base,
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
            { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
            { type: "text", text: "What is shown?" },
          ],
        },
      ],
    },
  ],
  [
    "a document with citations",
    {
      ...base,
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              source: { type: "text", media_type: "text/plain", data: "Grass is green." },
              title: "Facts",
              citations: { enabled: true },
            },
            { type: "text", text: "Which colour has grass?" },
          ],
        },
      ],
    },
  ],
  [
    "tools and a tool's result",
    {
      ...base,
      tools: [{ name: "weather", description: "Weather of a city", input_schema: schema }],
      tool_choice: { type: "auto" },
      messages: [
        { role: "user", content: "How is the weather in Oslo?" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "12 degrees" }] },
      ],
    },
  ],
  [
    "thinking and a structured answer",
    {
      ...base,
      thinking: { type: "adaptive" },
      output_config: {
        format: { type: "json_schema", schema: { ...schema, additionalProperties: false } },
      },
      metadata: { user_id: "u-1" },
      messages: [{ role: "user", content: "Name a city." }],
    },
  ],
];

const chat = { model: "gpt-6-luna", messages: [{ role: "user", content: "Hello" }] };
const openai: readonly [string, string, Record<string, unknown>][] = [
  [
    "a plain response",
    "/v1/responses",
    { model: "gpt-6-luna", input: "Say hello.", instructions: "Be brief." },
  ],
  [
    "a response to items, with an image",
    "/v1/responses",
    {
      model: "gpt-6-luna",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is shown?" },
            { type: "input_image", image_url: `data:image/png;base64,${pixel}`, detail: "auto" },
          ],
        },
      ],
      max_output_tokens: 300,
    },
  ],
  [
    "a response with a function and its output",
    "/v1/responses",
    {
      model: "gpt-6-luna",
      input: [
        { role: "user", content: "How is the weather in Oslo?" },
        { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' },
        { type: "function_call_output", call_id: "call_1", output: "12 degrees" },
      ],
      tools: [{ type: "function", name: "weather", parameters: schema, strict: false }],
      tool_choice: "auto",
      reasoning: { effort: "low" },
    },
  ],
  [
    "a response of a given form",
    "/v1/responses",
    {
      model: "gpt-6-luna",
      input: "Name a city.",
      text: {
        format: { type: "json_schema", name: "city", schema: { ...schema, additionalProperties: false } },
      },
    },
  ],
  ["a chat", "/v1/chat/completions", { ...chat, max_completion_tokens: 100, seed: 7, user: "u-1" }],
  [
    "a chat of a given form",
    "/v1/chat/completions",
    {
      ...chat,
      response_format: {
        type: "json_schema",
        json_schema: { name: "city", strict: true, schema: { ...schema, additionalProperties: false } },
      },
    },
  ],
  [
    "a chat with a tool's result and an image",
    "/v1/chat/completions",
    {
      model: "gpt-6-luna",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "12 degrees" },
      ],
      tools: [{ type: "function", function: { name: "weather", parameters: schema } }],
    },
  ],
  [
    "an embedding",
    "/v1/embeddings",
    { model: "text-embedding-3-small", input: ["one", "two"], dimensions: 256 },
  ],
];

const lines = [
  ...anthropic.map(([name, params]) => ({ name, line: { custom_id: name, params }, sent: params })),
  ...openai.map(([name, url, body]) => ({
    name,
    line: { custom_id: name, method: "POST", url, body },
    sent: body,
  })),
];

async function* source(): AsyncGenerator<Uint8Array> {
  for (const { line } of lines) yield await Promise.resolve(Buffer.from(`${JSON.stringify(line)}\n`));
}

describe("Bodies as the SDKs' callers write them", function () {
  this.timeout(30_000);
  let rig: Rig;
  const ids = new Map<string, string>();
  const exported = new Map<unknown, Record<string, unknown>>();

  before(async () => {
    rig = await Rig.start();
    for await (const each of readRequests(source(), { provider: rig.provider })) {
      assert.ok(each.kind === "request", each.kind === "bad" ? each.reason : "");
      const [id = ""] = await rig.enqueue(each.input);
      ids.set(each.input.id ?? "", id);
    }
    await rig.flush();
    const finished = async function* () {
      for (const id of ids.values()) {
        const [operation, result] = await Promise.all([rig.journal.operation(id), rig.journal.result(id)]);
        if (operation !== undefined && result !== undefined) yield { operation, result };
      }
    };
    for await (const text of exportResults(finished(), rig.provider)) {
      const line = JSON.parse(text) as Record<string, unknown>;
      exported.set(line["custom_id"], line);
    }
  });
  after(() => rig.close());

  for (const { name, line, sent } of lines) {
    it(`reach the provider unchanged and come back in its own shape: ${name}`, async () => {
      const id = ids.get(name) ?? "";
      const batch = rig.simulator.batches.find(({ customIds }) => customIds.includes(id));
      assert.deepEqual(await batch?.params(id), sent);
      const result = await rig.journal.result(id);
      assert.equal(result?.status, "succeeded", result?.error);
      const back = exported.get(name) ?? {};
      if ("params" in line) {
        assert.deepEqual(back["result"], { type: "succeeded", message: result.message });
      } else {
        const { response, error } = back as {
          response: { status_code: number; body: unknown };
          error: unknown;
        };
        assert.deepEqual([response.status_code, response.body, error], [200, result.message, null]);
      }
    });
  }
});
