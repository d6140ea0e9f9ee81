import assert from "node:assert/strict";
import OpenAI from "openai";
import { openaiFaults, outcomes } from "../../support/simulator/index.ts";
import { withSimulator } from "./helpers.ts";
import { line, readLines, runBatch } from "./openai-helpers.ts";

const model = "gpt-6-luna";

describe("simulator: single OpenAI calls", () => {
  it("answers a response, whole and streamed", () =>
    withSimulator({}, async ({ openai }) => {
      const whole = await openai.responses.create({ model, input: "hello" });
      assert.equal(whole.output_text, "Answer to: hello");
      const types: string[] = [];
      let text = "";
      for await (const event of await openai.responses.create({ model, input: "hello 🙂", stream: true })) {
        types.push(event.type);
        if (event.type === "response.output_text.delta") text += event.delta;
      }
      assert.equal(text, "Answer to: hello 🙂");
      assert.deepEqual([types[0], types.at(-1)], ["response.created", "response.completed"]);
      const final = await openai.responses.stream({ model, input: "again" }).finalResponse();
      assert.equal(final.output_text, "Answer to: again");
    }));

  it("answers a chat completion, whole and streamed", () =>
    withSimulator({}, async ({ openai }) => {
      const messages = [{ role: "user" as const, content: "hi" }];
      const whole = await openai.chat.completions.create({ model, messages });
      assert.equal(whole.choices[0]?.message.content, "Answer to: hi");
      const stream = openai.chat.completions.stream({
        model,
        messages,
        stream_options: { include_usage: true },
      });
      const final = await stream.finalChatCompletion();
      assert.equal(final.choices[0]?.message.content, "Answer to: hi");
      assert.equal(final.usage?.total_tokens, whole.usage?.total_tokens);
    }));

  it("answers embeddings, the same for the same input", () =>
    withSimulator({}, async (running) => {
      const embed = running.openai.embeddings.create.bind(running.openai.embeddings);
      const small = "text-embedding-3-small";
      const first = await embed({ model: small, input: ["a", "b"], dimensions: 8 });
      const second = await embed({ model: small, input: ["b"], dimensions: 8 });
      assert.deepEqual(first.data[1]?.embedding, second.data[0]?.embedding);
      assert.notDeepEqual(first.data[0]?.embedding, first.data[1]?.embedding);
      const body = { model: small, input: "a", dimensions: 8 };
      const item = { custom_id: "e", method: "POST", url: "/v1/embeddings", body };
      const batch = await runBatch(running, [item], "/v1/embeddings");
      const lines = await readLines(running.openai, batch.output_file_id);
      assert.equal(lines.get("e")?.response?.body["object"], "list");
    }));

  it("answers structured output and shows cut and refused answers", () =>
    withSimulator({}, async ({ simulator, openai }) => {
      const schema = { type: "object", properties: { ok: { type: "boolean" } } };
      const format = { type: "json_schema" as const, name: "s", schema };
      const told = await openai.responses.create({ model, input: "x", text: { format } });
      assert.deepEqual(JSON.parse(told.output_text), { ok: true });
      const cut = await openai.responses.create({ model, input: "long ".repeat(30), max_output_tokens: 16 });
      assert.deepEqual([cut.status, cut.incomplete_details?.reason], ["incomplete", "max_output_tokens"]);
      assert.equal(cut.usage?.output_tokens, 16);
      simulator.setOutcome({ prompt: "evil", outcome: outcomes.stopped("refusal") });
      const refused = await openai.chat.completions.create({
        model,
        messages: [{ role: "user", content: "evil" }],
      });
      assert.equal(refused.choices[0]?.message.content, null);
      assert.match(refused.choices[0].message.refusal ?? "", /evil/);
    }));

  it("refuses wrong parameters, models and keys", () =>
    withSimulator({ badKeys: ["bad"] }, async ({ simulator, openai }) => {
      const odd = { model, input: "x", foo: 1 } as never;
      await assert.rejects(openai.responses.create(odd), (error) => {
        assert(error instanceof OpenAI.BadRequestError);
        assert.deepEqual([error.code, error.param], ["unknown_parameter", "foo"]);
        assert.match(error.requestID ?? "", /^req_/);
        return true;
      });
      await assert.rejects(openai.responses.create({ model: "none", input: "x" }), OpenAI.NotFoundError);
      const bad = new OpenAI({ apiKey: "bad", baseURL: `${simulator.url}/v1`, maxRetries: 0 });
      await assert.rejects(bad.models.list(), OpenAI.AuthenticationError);
    }));

  it("misbehaves by the same rules", () =>
    withSimulator({}, async (running) => {
      const { simulator, openai } = running;
      simulator.misbehave({ match: { path: "/v1/files*" }, do: openaiFaults.insufficientQuota() });
      await assert.rejects(openai.files.list(), (error) => {
        assert(error instanceof OpenAI.RateLimitError);
        assert.equal(error.code, "insufficient_quota");
        return true;
      });
      const batch = await runBatch(running, [line("a", "x"), line("b", "y")]);
      const faults = [
        { kind: "repeat", part: 1, altered: true },
        { kind: "endAfter", parts: 1 },
      ] as const;
      simulator.misbehave({ match: { path: /content$/ }, do: { kind: "parts", faults } });
      const text = await (await openai.files.content(batch.output_file_id!)).text();
      const [first, second, ...rest] = text.split("\n");
      assert.notEqual(first, second);
      assert.match(second ?? "", /Altered\. Answer/);
      assert.deepEqual(rest, [""]);
    }));
});
