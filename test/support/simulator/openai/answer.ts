import { answerText } from "../anthropic/answer.ts";
import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import type { Outcome } from "../outcome.ts";
import { stableShare, stableToken } from "../random.ts";
import { answerFor } from "../schema-answer.ts";
import { tokensOf } from "./models.ts";
import type { Endpoint } from "./params.ts";
import { lastText, promptTokens } from "./prompt.ts";

export interface AnswerContext {
  readonly seed: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly forced: Extract<Outcome, { kind: "succeeded" }> | undefined;
}

/** Tokens of one answer, in the names of the responses endpoint and of a batch. */
export interface Usage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

interface Said {
  readonly text: string;
  readonly cut: boolean;
  readonly refused: boolean;
  readonly usage: Usage;
}

const dimensions = 1536;

/** The body that answers a valid request. */
export function answerBody(endpoint: Endpoint, body: JsonObject, context: AnswerContext): JsonObject {
  switch (endpoint) {
    case "/v1/responses":
      return responseBody(body, context);
    case "/v1/chat/completions":
      return completionBody(body, context);
    case "/v1/embeddings":
      return embeddingBody(body);
  }
}

/** The tokens of an answer, whatever its endpoint calls them. */
export function usageOf(endpoint: Endpoint, body: JsonObject, context: AnswerContext): Usage {
  return endpoint === "/v1/embeddings"
    ? usage(promptTokens(endpoint, body), 0)
    : say(endpoint, body, context).usage;
}

function say(endpoint: Endpoint, body: JsonObject, { forced }: AnswerContext): Said {
  const answer = answerText(lastText(endpoint, body));
  const schema = schemaOf(body);
  const whole = forced?.text ?? (schema === undefined ? answer : JSON.stringify(answerFor(schema, answer)));
  const limits = [body["max_output_tokens"], body["max_completion_tokens"], body["max_tokens"]];
  const limit = limits.find((value) => typeof value === "number") ?? Number.POSITIVE_INFINITY;
  const wanted = tokensOf(whole);
  const cut = wanted > limit || forced?.stopReason === "max_tokens";
  const text =
    wanted > limit
      ? Buffer.from(whole)
          .subarray(0, limit * 4)
          .toString()
          .replace(/\uFFFD+$/, "")
      : whole;
  return {
    text,
    cut,
    refused: forced?.stopReason === "refusal",
    usage: usage(promptTokens(endpoint, body), Math.min(wanted, limit)),
  };
}

function usage(input: number, output: number): Usage {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

function schemaOf(body: JsonObject): unknown {
  const text = isObject(body["text"]) ? body["text"]["format"] : undefined;
  if (isObject(text) && text["type"] === "json_schema") return text["schema"];
  const format = body["response_format"];
  if (!isObject(format) || format["type"] !== "json_schema") return undefined;
  return isObject(format["json_schema"]) ? format["json_schema"]["schema"] : undefined;
}

function responseBody(body: JsonObject, context: AnswerContext): JsonObject {
  const said = say("/v1/responses", body, context);
  const status = said.cut ? "incomplete" : "completed";
  const part = said.refused
    ? { type: "refusal", refusal: said.text }
    : { type: "output_text", text: said.text, annotations: [], logprobs: [] };
  const id = stableToken(context.seed, 40);
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: context.created,
    status,
    error: null,
    incomplete_details: said.cut ? { reason: "max_output_tokens" } : null,
    instructions: body["instructions"] ?? null,
    max_output_tokens: body["max_output_tokens"] ?? null,
    metadata: body["metadata"] ?? {},
    model: body["model"],
    output: [{ id: `msg_${id}`, type: "message", status, role: "assistant", content: [part] }],
    parallel_tool_calls: body["parallel_tool_calls"] ?? true,
    temperature: body["temperature"] ?? 1,
    tool_choice: body["tool_choice"] ?? "auto",
    tools: body["tools"] ?? [],
    top_p: body["top_p"] ?? 1,
    usage: said.usage,
  };
}

function completionBody(body: JsonObject, context: AnswerContext): JsonObject {
  const said = say("/v1/chat/completions", body, context);
  const message = {
    role: "assistant",
    content: said.refused ? null : said.text,
    refusal: said.refused ? said.text : null,
    annotations: [],
  };
  return {
    id: `chatcmpl-${stableToken(context.seed, 29)}`,
    object: "chat.completion",
    created: context.created,
    model: body["model"],
    choices: [{ index: 0, message, logprobs: null, finish_reason: said.cut ? "length" : "stop" }],
    usage: {
      prompt_tokens: said.usage.input_tokens,
      completion_tokens: said.usage.output_tokens,
      total_tokens: said.usage.total_tokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    service_tier: "default",
  };
}

function embeddingBody(body: JsonObject): JsonObject {
  const inputs = Array.isArray(body["input"]) ? (body["input"] as unknown[]) : [body["input"]];
  const count = typeof body["dimensions"] === "number" ? body["dimensions"] : dimensions;
  const tokens = promptTokens("/v1/embeddings", body);
  const data = inputs.map((input, index) => {
    const angle = stableShare(JSON.stringify(input)) * 2 * Math.PI;
    const vector = Float32Array.from(
      { length: count },
      (_, i) => Math.cos(angle * (i + 1)) * Math.sqrt(2 / count),
    );
    const base64 = body["encoding_format"] === "base64";
    const embedding = base64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    return { object: "embedding", index, embedding };
  });
  return {
    object: "list",
    data,
    model: body["model"],
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
