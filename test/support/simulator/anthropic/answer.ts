import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import type { Outcome } from "../outcome.ts";
import { stableToken } from "../random.ts";
import { answerFor } from "../schema-answer.ts";
import { promptTokens, tokensOf } from "./cache.ts";
import type { Model } from "./models.ts";
import { lastUserText } from "./prompt.ts";

export interface AnswerContext {
  readonly model: Model;
  /** Makes the ids; the same seed gives the same message. */
  readonly seed: string;
  readonly tier: "standard" | "batch";
  /** How many cache breakpoints of the prompt were read. */
  readonly hits: number;
  readonly forced: Extract<Outcome, { kind: "succeeded" }> | undefined;
}

const echoed = 200;

/** What the model says to a prompt: the prompt's beginning, so that every answer tells whose it is. */
export function answerText(prompt: string): string {
  return `Answer to: ${Array.from(prompt.slice(0, 2 * echoed))
    .slice(0, echoed)
    .join("")}`;
}

/** The message that answers these parameters, which have been found valid. */
export function answerMessage(params: JsonObject, context: AnswerContext): JsonObject {
  const { model, seed, forced } = context;
  const limit = Number(params["max_tokens"]);
  const text = forced?.text ?? structuredText(params) ?? answerText(lastUserText(params));
  const called = forced?.text === undefined ? forcedTool(params, text, seed) : undefined;
  const thought = thinks(params) ? `Considering: ${text.slice(0, 80)}` : undefined;
  const thinkingTokens = thought === undefined ? 0 : tokensOf(thought, model);
  const wanted =
    thinkingTokens + tokensOf(called === undefined ? text : JSON.stringify(called["input"]), model);
  const cut = wanted > limit;
  const stop = forced?.stopReason ?? (cut ? "max_tokens" : called === undefined ? "end_turn" : "tool_use");
  const said = cut ? cutTo(text, (limit - thinkingTokens) * model.bytesPerToken) : text;
  const content: JsonObject[] = [];
  if (thought !== undefined) {
    content.push({ type: "thinking", thinking: thought, signature: stableToken(`${seed}:sig`, 24) });
  }
  if (called !== undefined) content.push(called);
  else if (said !== "" && stop !== "refusal") content.push({ type: "text", text: said, citations: null });
  return {
    id: `msg_01${stableToken(seed, 22)}`,
    type: "message",
    role: "assistant",
    model: model.id,
    content,
    stop_reason: stop,
    stop_sequence: null,
    stop_details:
      stop === "refusal" ? { type: "refusal", category: "general_harms", explanation: null } : null,
    container: null,
    diagnostics: null,
    usage: usageOf(params, context, Math.min(wanted, limit), Math.min(thinkingTokens, limit)),
  };
}

function usageOf(params: JsonObject, context: AnswerContext, output: number, thinking: number): JsonObject {
  const prompt = promptTokens(params, context.model, context.hits);
  return {
    input_tokens: prompt.uncached,
    cache_creation_input_tokens: prompt.written5m + prompt.written1h,
    cache_read_input_tokens: prompt.read,
    cache_creation: {
      ephemeral_5m_input_tokens: prompt.written5m,
      ephemeral_1h_input_tokens: prompt.written1h,
    },
    output_tokens: output,
    output_tokens_details: { thinking_tokens: thinking },
    server_tool_use: null,
    service_tier: context.tier,
    inference_geo: typeof params["inference_geo"] === "string" ? params["inference_geo"] : "global",
    speed: context.tier === "batch" ? null : "standard",
  };
}

function thinks(params: JsonObject): boolean {
  const thinking = params["thinking"];
  return isObject(thinking) && thinking["type"] !== "disabled";
}

function structuredText(params: JsonObject): string | undefined {
  const config = params["output_config"];
  const format = isObject(config) ? config["format"] : undefined;
  if (!isObject(format)) return undefined;
  return JSON.stringify(answerFor(format["schema"], answerText(lastUserText(params))));
}

function forcedTool(params: JsonObject, text: string, seed: string): JsonObject | undefined {
  const choice = params["tool_choice"];
  if (!isObject(choice) || (choice["type"] !== "any" && choice["type"] !== "tool")) return undefined;
  const tools = (params["tools"] as unknown[]).filter(isObject);
  const tool = choice["type"] === "any" ? tools[0] : tools.find((one) => one["name"] === choice["name"]);
  return {
    type: "tool_use",
    id: `toolu_01${stableToken(`${seed}:tool`, 22)}`,
    name: tool?.["name"],
    input: answerFor(tool?.["input_schema"], text),
    caller: { type: "direct" },
  };
}

/** The text's beginning of at most so many bytes, never half a character. */
function cutTo(text: string, bytes: number): string {
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    kept += character;
  }
  return kept;
}
