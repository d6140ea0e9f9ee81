import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { params, textOf, withSimulator } from "./helpers.ts";

describe("simulator: Anthropic messages", () => {
  it("answers one call, and streams the same events as the API", () =>
    withSimulator({}, async ({ anthropic }) => {
      const message = await anthropic.messages.create(params("who are you?"));
      assert.equal(textOf(message), "Answer to: who are you?");
      assert.equal(message.usage.service_tier, "standard");

      const stream = anthropic.messages.stream(params("tell me\nsomething 🙂 that is longer than one piece"));
      const events: string[] = [];
      stream.on("streamEvent", (event) => events.push(event.type));
      const whole = await stream.finalMessage();
      assert.equal(textOf(whole), "Answer to: tell me\nsomething 🙂 that is longer than one piece");
      assert.equal(whole.stop_reason, "end_turn");
      assert.deepEqual(events.slice(0, 2), ["message_start", "content_block_start"]);
      assert.deepEqual(events.slice(-3), ["content_block_stop", "message_delta", "message_stop"]);
      assert(events.filter((type) => type === "content_block_delta").length > 1);
      assert(whole.usage.output_tokens > 1);
    }));

  it("streams thinking and forced tool calls", () =>
    withSimulator({}, async ({ anthropic }) => {
      const thinking = { type: "adaptive" as const };
      const tools = [
        { name: "note", input_schema: { type: "object" as const, properties: { text: { type: "string" } } } },
      ];
      const tool_choice = { type: "tool" as const, name: "note" };
      const stream = anthropic.messages.stream(params("x", { thinking, tools, tool_choice }));
      const message = await stream.finalMessage();
      assert.deepEqual(
        message.content.map((block) => block.type),
        ["thinking", "tool_use"],
      );
      const call = message.content[1];
      assert(call?.type === "tool_use");
      assert.deepEqual(call.input, { text: "Answer to: x" });
      assert.equal(message.stop_reason, "tool_use");
    }));

  it("refuses wrong parameters with 400 and unknown models with 404", () =>
    withSimulator({}, async ({ anthropic }) => {
      const warm = { ...params("x"), temperature: 1 } as never;
      await assert.rejects(anthropic.messages.create(warm), Anthropic.BadRequestError);
      await assert.rejects(
        anthropic.messages.create(params("x", { model: "nobody" })),
        Anthropic.NotFoundError,
      );
    }));

  it("counts tokens, more with newer models than with older ones", () =>
    withSimulator({}, async ({ anthropic }) => {
      const count = async (model: string): Promise<number> => {
        const messages = [{ role: "user" as const, content: "a".repeat(1200) }];
        return (await anthropic.messages.countTokens({ model, messages })).input_tokens;
      };
      assert.deepEqual([await count("claude-opus-5-5"), await count("claude-haiku-4-5")], [408, 308]);
      const message = await anthropic.messages.create(params("a".repeat(1200)));
      assert.equal(message.usage.input_tokens, 408);
    }));

  it("lists models", () =>
    withSimulator({}, async ({ anthropic }) => {
      const ids: string[] = [];
      for await (const model of anthropic.models.list()) ids.push(model.id);
      assert(ids.includes("claude-haiku-5-5"));
    }));
});
