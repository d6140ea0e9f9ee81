import { json, jsonBody, sse } from "../http.ts";
import type { Call, JsonObject, Reply } from "../http.ts";
import { findOutcome } from "../outcome.ts";
import type { World } from "../world.ts";
import { answerMessage } from "./answer.ts";
import type { Caller } from "./batches.ts";
import { PromptCache, promptLength } from "./cache.ts";
import { errorReply, invalid } from "./errors.ts";
import { findModel } from "./models.ts";
import { checkParams } from "./params.ts";
import { lastUserText, textOf } from "./prompt.ts";

/** Single calls: one message now, whole or as a stream, and the counting of tokens. */
export class AnthropicMessages {
  private readonly cache = new PromptCache();
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  async create(call: Call, caller: Caller): Promise<Reply> {
    const params = await jsonBody(call.body);
    if (params === undefined)
      return errorReply(invalid("The request body is not valid JSON"), call.requestId);
    const now = this.world.clock.now();
    const wrong = checkParams(params, { ...caller, inBatch: false, now });
    if (wrong !== undefined) return errorReply(wrong, call.requestId);
    const model = findModel(String(params["model"]), now);
    if (model === undefined) throw new Error("a model that was found valid exists");
    const prompt = (): string => `${textOf(params["system"])}\n${lastUserText(params)}`;
    const forced = findOutcome(this.world.outcomes, undefined, prompt);
    if (forced?.kind === "errored") {
      return errorReply({ ...forced, status: forced.status ?? 400 }, call.requestId);
    }
    const message = answerMessage(params, {
      model,
      seed: `${this.world.seed}:message:${this.world.next()}`,
      tier: "standard",
      hits: this.cache.touch(params, model, now),
      forced: forced?.kind === "succeeded" ? forced : undefined,
    });
    if (params["stream"] !== true) return json(message);
    const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
    return { kind: "parts", status: 200, headers, parts: events(message) };
  }

  async countTokens(call: Call): Promise<Reply> {
    const params = await jsonBody(call.body);
    if (params === undefined)
      return errorReply(invalid("The request body is not valid JSON"), call.requestId);
    if ("max_tokens" in params) {
      return errorReply(invalid("max_tokens: Extra inputs are not permitted"), call.requestId);
    }
    const context = { version: "", betas: [], inBatch: false, now: this.world.clock.now() };
    const wrong = checkParams({ ...params, max_tokens: 1 }, context);
    if (wrong !== undefined) return errorReply(wrong, call.requestId);
    const model = findModel(String(params["model"]), context.now);
    return json({ input_tokens: model === undefined ? 0 : promptLength(params, model) });
  }
}

/** The events in which the API sends a message, the text in pieces of a few words. */
async function* events(message: JsonObject): AsyncGenerator<string> {
  const content = message["content"] as readonly JsonObject[];
  const usage = message["usage"] as JsonObject;
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  yield sse("message_start", { type: "message_start", message: start });
  yield sse("ping", { type: "ping" });
  for (const [index, block] of content.entries()) {
    // Lets each piece leave on its own, as tokens do.
    await new Promise((resolve) => setImmediate(resolve));
    yield sse("content_block_start", { type: "content_block_start", index, content_block: emptied(block) });
    for (const delta of deltas(block)) {
      yield sse("content_block_delta", { type: "content_block_delta", index, delta });
    }
    yield sse("content_block_stop", { type: "content_block_stop", index });
  }
  const { stop_reason, stop_sequence, stop_details, container } = message;
  const {
    cache_creation: _created,
    service_tier: _tier,
    inference_geo: _geo,
    speed: _speed,
    ...total
  } = usage;
  const delta = { stop_reason, stop_sequence, stop_details, container };
  yield sse("message_delta", { type: "message_delta", delta, usage: total });
  yield sse("message_stop", { type: "message_stop" });
}

function emptied(block: JsonObject): JsonObject {
  if (block["type"] === "text") return { ...block, text: "" };
  if (block["type"] === "thinking") return { ...block, thinking: "", signature: "" };
  return { ...block, input: {} };
}

function* deltas(block: JsonObject): Generator<JsonObject> {
  if (block["type"] === "text") {
    for (const text of pieces(String(block["text"]))) yield { type: "text_delta", text };
  } else if (block["type"] === "thinking") {
    for (const thinking of pieces(String(block["thinking"]))) yield { type: "thinking_delta", thinking };
    yield { type: "signature_delta", signature: block["signature"] };
  } else {
    for (const part of pieces(JSON.stringify(block["input"]))) {
      yield { type: "input_json_delta", partial_json: part };
    }
  }
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,24}/gsu) ?? [];
}
