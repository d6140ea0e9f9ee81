import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import { invalid, notFound } from "./errors.ts";
import type { ApiError } from "./errors.ts";
import { serves } from "./models.ts";

/** Endpoints whose requests the simulator answers. */
export const endpoints = ["/v1/responses", "/v1/chat/completions", "/v1/embeddings"] as const;
export type Endpoint = (typeof endpoints)[number];

const known: Readonly<Record<Endpoint, ReadonlySet<string>>> = {
  "/v1/responses": new Set(
    (
      "access_programs background background_options context_management conversation image include input instructions " +
      "max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt " +
      "prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store " +
      "stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user"
    ).split(" "),
  ),
  "/v1/chat/completions": new Set(
    (
      "messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens " +
      "max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key " +
      "prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed " +
      "service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity " +
      "web_search_options"
    ).split(" "),
  ),
  "/v1/embeddings": new Set("input model dimensions encoding_format user".split(" ")),
};
const prompts: Readonly<Record<Endpoint, string>> = {
  "/v1/responses": "input",
  "/v1/chat/completions": "messages",
  "/v1/embeddings": "input",
};
const leastOutput = 16;

export function isEndpoint(value: unknown): value is Endpoint {
  return endpoints.some((endpoint) => endpoint === value);
}

/** The first thing that is wrong with a request's body, if anything. */
export function checkBody(endpoint: Endpoint, body: JsonObject, inBatch: boolean): ApiError | undefined {
  for (const name of ["model", prompts[endpoint]]) {
    if (body[name] === undefined) {
      return invalid(`Missing required parameter: '${name}'.`, name, "missing_required_parameter");
    }
  }
  const extra = Object.keys(body).find((name) => !known[endpoint].has(name));
  if (extra !== undefined) return invalid(`Unknown parameter: '${extra}'.`, extra, "unknown_parameter");
  const model = body["model"];
  if (typeof model !== "string" || !serves(model, endpoint)) {
    const message = `The model '${String(model)}' does not exist or you do not have access to it.`;
    return notFound(message, null, "model_not_found");
  }
  if (inBatch && body["stream"] === true) {
    return invalid("Streaming is not supported in batch requests.", "stream", "unsupported_value");
  }
  return checkPrompt(endpoint, body) ?? checkLimit(body);
}

function checkPrompt(endpoint: Endpoint, body: JsonObject): ApiError | undefined {
  const name = prompts[endpoint];
  const value = body[name];
  if (Array.isArray(value) && value.length === 0) {
    return invalid(
      `Invalid '${name}': empty array. Expected an array with minimum length 1.`,
      name,
      "empty_array",
    );
  }
  const ok = Array.isArray(value) || (name === "input" && typeof value === "string");
  if (!ok) return invalid(`Invalid type for '${name}'.`, name, "invalid_type");
  if (name !== "messages") return undefined;
  const odd = (value as unknown[]).findIndex(
    (message) => !isObject(message) || message["role"] === undefined,
  );
  if (odd < 0) return undefined;
  const param = `messages[${odd}].role`;
  return invalid(`Missing required parameter: '${param}'.`, param, "missing_required_parameter");
}

function checkLimit(body: JsonObject): ApiError | undefined {
  const most = body["max_output_tokens"];
  if (typeof most !== "number" || most >= leastOutput) return undefined;
  const message = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${leastOutput}, but got ${most} instead.`;
  return invalid(message, "max_output_tokens", "integer_below_min_value");
}
