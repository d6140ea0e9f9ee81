import * as v from "valibot";
import type { Answered, ItemOutcome, Note, ResultLine, TokenUsage } from "../../provider.ts";
import { itemFailure } from "./failure.ts";

const count = v.optional(v.nullable(v.number()));
const message = v.looseObject({
  content: v.array(v.looseObject({ type: v.string(), text: v.optional(v.string()) })),
  stop_reason: v.optional(v.nullable(v.string())),
  usage: v.looseObject({
    input_tokens: v.number(),
    output_tokens: v.number(),
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    cache_creation: v.optional(
      v.nullable(v.looseObject({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })),
    ),
    inference_geo: v.optional(v.nullable(v.string())),
    server_tool_use: v.optional(v.nullable(v.looseObject({ web_search_requests: count }))),
  }),
});
const errorResponse = v.looseObject({
  error: v.looseObject({
    type: v.string(),
    message: v.string(),
    details: v.optional(v.nullable(v.looseObject({ error_code: v.optional(v.unknown()) }))),
  }),
  request_id: v.optional(v.nullable(v.string())),
});
const line = v.looseObject({
  custom_id: v.string(),
  result: v.variant("type", [
    v.looseObject({ type: v.literal("succeeded"), message }),
    v.looseObject({ type: v.literal("errored"), error: errorResponse }),
    v.looseObject({ type: v.literal("canceled") }),
    v.looseObject({ type: v.literal("expired") }),
  ]),
});

/** Why an answer may not be the one that was hoped for, by the word the API gives. */
const notes: Readonly<Record<string, Note>> = {
  max_tokens: { reason: "cut", message: "Cut: the answer reached maxTokens." },
  model_context_window_exceeded: {
    reason: "cut",
    message: "Cut: the answer reached the end of the model's context.",
  },
  refusal: { reason: "refused", message: "Refused: the model declined to answer." },
  pause_turn: {
    reason: "unfinished",
    message: "Unfinished: the model paused its turn; continue it in another request.",
  },
};

/** One line of a results file. `undefined` when it is damaged. */
export function readAnthropicLine(text: string, now: number): ResultLine | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const checked = v.safeParse(line, parsed);
  if (!checked.success) return undefined;
  const { custom_id: customId, result } = checked.output;
  return { customId, outcome: outcomeOf(result, now) };
}

function outcomeOf(result: v.InferOutput<typeof line>["result"], now: number): ItemOutcome {
  switch (result.type) {
    case "succeeded":
      return answered(result.message);
    case "errored": {
      const { error, request_id: requestId } = result.error;
      const code = error.details?.error_code;
      const failure = itemFailure(
        error.type,
        typeof code === "string" ? code : undefined,
        error.message,
        requestId ?? undefined,
        now,
      );
      return { kind: "errored", failure, message: result.error };
    }
    case "canceled":
      return { kind: "cancelled" };
    case "expired":
      return { kind: "expired" };
  }
}

/** A message of the API as our outcome. */
export function readAnthropicMessage(value: unknown): Answered | undefined {
  const checked = v.safeParse(message, value);
  return checked.success ? answered(checked.output) : undefined;
}

function answered(value: v.InferOutput<typeof message>): Answered {
  const reason = value.stop_reason ?? "";
  const note = Object.hasOwn(notes, reason) ? notes[reason] : undefined;
  return {
    kind: "succeeded",
    text: value.content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join(""),
    message: value,
    usage: usageOf(value.usage),
    ...(note === undefined ? {} : { note }),
  };
}

function usageOf(usage: v.InferOutput<typeof message>["usage"]): TokenUsage {
  const written = usage.cache_creation_input_tokens ?? 0;
  const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite5m: usage.cache_creation?.ephemeral_5m_input_tokens ?? written - hour,
    cacheWrite1h: hour,
    webSearches: usage.server_tool_use?.web_search_requests ?? 0,
    usOnly: usage.inference_geo === "us",
  };
}
