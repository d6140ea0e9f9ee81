import assert from "node:assert/strict";
import type Anthropic from "@anthropic-ai/sdk";
import { outcomes } from "../../support/simulator/index.ts";
import { items, params, resultsOf, textOf, withSimulator } from "./helpers.ts";
import type { Line, Params } from "./helpers.ts";

/** Sends one batch, ends it and gives its results. */
async function run(
  anthropic: Anthropic,
  end: (id: string) => Promise<void>,
  requests: Readonly<Record<string, object>>,
  betas: string[] = [],
): Promise<Map<string, Line["result"]>> {
  const body = {
    requests: Object.entries(requests).map(([custom_id, one]) => ({ custom_id, params: one as Params })),
  };
  const headers = betas.length === 0 ? {} : { "anthropic-beta": betas.join() };
  const { id } = await anthropic.messages.batches.create(body, { headers });
  await end(id);
  return resultsOf(anthropic, id);
}

function errorOf(result: Line["result"] | undefined): string {
  assert.equal(result?.type, "errored");
  assert.equal(result.error.type, "error");
  return `${result.error.error.type} ${result.error.error.message}`;
}

describe("simulator: items of an Anthropic batch", () => {
  it("reports wrong parameters only at the end, each for its own item", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const { max_tokens: _, ...without } = params("x");
      const tool = { name: "t", input_schema: { type: "object" } };
      const results = await run(anthropic, (id) => simulator.endBatch(id), {
        good: params("x"),
        unknown: { ...params("x"), extra_body: {} },
        without,
        zero: params("x", { max_tokens: 0 }),
        temperature: { ...params("x"), temperature: 0.5 },
        stream: { ...params("x"), stream: true },
        speed: params("x", { speed: "fast" }),
        model: params("x", { model: "claude-nobody" }),
        retired: params("x", { model: "claude-2.1" }),
        long: params("x", { max_tokens: 200_000 }),
        forced: {
          ...params("x", { model: "claude-sonnet-5-5" }),
          tools: [tool],
          tool_choice: { type: "any" },
        },
        empty: { ...params("x"), messages: [] },
        blank: params(""),
      });
      assert.equal(results.get("good")?.type, "succeeded");
      const message = (id: string): string => errorOf(results.get(id));
      assert.equal(message("unknown"), "invalid_request_error extra_body: Extra inputs are not permitted");
      assert.equal(message("without"), "invalid_request_error max_tokens: Field required");
      assert.match(message("zero"), /^invalid_request_error max_tokens: Input should be greater/);
      assert.match(message("temperature"), /^invalid_request_error temperature: .*2026-10-21$/);
      assert.match(message("stream"), /^invalid_request_error stream: /);
      assert.match(message("speed"), /^invalid_request_error speed: /);
      assert.equal(message("model"), "not_found_error model: claude-nobody");
      assert.match(message("retired"), /^not_found_error /);
      assert.match(message("long"), /^invalid_request_error max_tokens: 200000 > 128000/);
      assert.match(message("forced"), /^invalid_request_error tool_choice: /);
      assert.match(message("empty"), /^invalid_request_error messages: /);
      assert.match(message("blank"), /^invalid_request_error messages\.0: /);
    }));

  it("allows long answers with the beta header", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const long = { long: params("x", { max_tokens: 200_000 }) };
      const results = await run(anthropic, (id) => simulator.endBatch(id), long, ["output-300k-2026-03-24"]);
      assert.equal(results.get("long")?.type, "succeeded");
    }));

  it("forces outcomes by id and by prompt", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      simulator.setOutcome({ customId: "poor", outcome: outcomes.creditTooLow() });
      simulator.setOutcome({ customId: /^late/, outcome: { kind: "expired" } });
      simulator.setOutcome({ prompt: "secret", outcome: outcomes.stopped("refusal") });
      simulator.setOutcome({ prompt: /\bfour\b/, outcome: outcomes.says("4\u2028🙂") });
      simulator.setOutcome({ customId: "gone", outcome: { kind: "missing" } });
      const results = await run(anthropic, (id) => simulator.endBatch(id), {
        poor: params("x"),
        "late-1": params("x"),
        refused: params("a secret thing"),
        told: params("two and four"),
        gone: params("x"),
        cut: params("a long prompt that is echoed", { max_tokens: 2 }),
      });
      assert.match(errorOf(results.get("poor")), /^invalid_request_error .*credit balance is too low/);
      assert.equal(results.get("late-1")?.type, "expired");
      assert.equal(results.has("gone"), false);
      const message = (id: string): Anthropic.Message => {
        const result = results.get(id);
        assert(result?.type === "succeeded");
        return result.message;
      };
      assert.equal(message("refused").stop_reason, "refusal");
      assert.equal(textOf(message("told")), "4\u2028🙂");
      assert.equal(message("cut").stop_reason, "max_tokens");
      assert.equal(message("cut").usage.output_tokens, 2);
    }));

  it("answers structured output by its schema", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const schema = {
        type: "object",
        properties: {
          a: { type: "string" },
          n: { type: "integer", minimum: 3 },
          tags: { type: "array", items: { enum: ["x"] } },
        },
        required: ["a", "n", "tags"],
        additionalProperties: false,
      };
      const config = { output_config: { format: { type: "json_schema" as const, schema } } };
      const results = await run(anthropic, (id) => simulator.endBatch(id), { one: params("hello", config) });
      const result = results.get("one");
      assert(result?.type === "succeeded");
      assert.deepEqual(JSON.parse(textOf(result.message)), { a: "Answer to: hello", n: 3, tags: ["x"] });
    }));

  it("counts cache writes once and reads after, within batches only", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const system = [
        {
          type: "text" as const,
          text: "s".repeat(9000),
          cache_control: { type: "ephemeral" as const, ttl: "1h" as const },
        },
      ];
      await anthropic.messages.create(params("warm", { system }));
      const requests = Object.fromEntries(
        items(4).map((item) => [item.custom_id, { ...item.params, system }]),
      );
      const results = await run(anthropic, (id) => simulator.endBatch(id), requests);
      const usages = [...results.values()].map((result) => {
        assert(result.type === "succeeded");
        return result.message.usage;
      });
      const written = usages.filter((usage) => usage.cache_creation?.ephemeral_1h_input_tokens === 3008);
      const read = usages.filter((usage) => usage.cache_read_input_tokens === 3008);
      assert.deepEqual([written.length, read.length], [1, 3]);
      for (const usage of usages) assert(usage.input_tokens < 10);
    }));
});
