import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import { invalid, notFound } from "./errors.ts";
import type { ApiError } from "./errors.ts";
import { findModel } from "./models.ts";
import type { Model } from "./models.ts";
import { checkMessages } from "./params-messages.ts";

/** Under which circumstances the parameters of a message are judged. */
export interface ParamsContext {
  readonly version: string;
  readonly betas: readonly string[];
  readonly inBatch: boolean;
  readonly now: number;
}

const known = new Set(
  (
    "model messages max_tokens cache_control container diagnostics inference_geo metadata output_config " +
    "service_tier speed stop_sequences stream system thinking tool_choice tools user_profile_id temperature top_p top_k"
  ).split(" "),
);
const knownToBeta = new Set(
  "billing_policy compaction context_management fallback_credit_token fallbacks mcp_servers output_format".split(
    " ",
  ),
);
const sampling = ["temperature", "top_p", "top_k"];
/** The API version from which on sampling parameters are refused. */
const withoutSampling = "2026-10-21";
const longOutput = "output-300k-2026-03-24";

/** The first thing that is wrong with the parameters of a message, as the API words it; undefined when nothing is. */
export function checkParams(params: JsonObject, context: ParamsContext): ApiError | undefined {
  return (
    checkFields(params, context) ??
    checkSampling(params, context) ??
    checkBatchOnly(params, context) ??
    checkMessages(params["messages"], context.version) ??
    checkModel(params, context) ??
    checkOutput(params)
  );
}

function checkFields(params: JsonObject, context: ParamsContext): ApiError | undefined {
  for (const name of ["model", "max_tokens", "messages"]) {
    if (!(name in params)) return invalid(`${name}: Field required`);
  }
  const extra = Object.keys(params).find(
    (name) => !known.has(name) && !(context.betas.length > 0 && knownToBeta.has(name)),
  );
  if (extra !== undefined) return invalid(`${extra}: Extra inputs are not permitted`);
  if (typeof params["model"] !== "string") return invalid("model: Input should be a valid string");
  const most = params["max_tokens"];
  if (typeof most !== "number" || !Number.isInteger(most)) {
    return invalid("max_tokens: Input should be a valid integer");
  }
  const least = context.inBatch ? 1 : 0;
  if (most < least) return invalid(`max_tokens: Input should be greater than or equal to ${least}`);
  return undefined;
}

function checkSampling(params: JsonObject, context: ParamsContext): ApiError | undefined {
  if (context.version < withoutSampling) return undefined;
  const used = sampling.find((name) => name in params);
  return used === undefined
    ? undefined
    : invalid(`${used}: not supported in anthropic-version ${context.version}`);
}

function checkBatchOnly(params: JsonObject, context: ParamsContext): ApiError | undefined {
  if (!context.inBatch) return undefined;
  if (params["stream"] === true) return invalid("stream: streaming is not supported in batch requests");
  if (params["speed"] === "fast") return invalid("speed: fast mode is not supported in batch requests");
  return undefined;
}

function checkModel(params: JsonObject, context: ParamsContext): ApiError | undefined {
  const id = String(params["model"]);
  const model = findModel(id, context.now);
  if (model === undefined) return notFound(`model: ${id}`);
  return (
    checkMaxTokens(params, model, context) ?? checkToolChoice(params, model) ?? checkThinking(params, model)
  );
}

function checkMaxTokens(params: JsonObject, model: Model, context: ParamsContext): ApiError | undefined {
  const long = context.inBatch && context.betas.includes(longOutput);
  const limit = long ? model.extendedMaxTokens : model.maxTokens;
  const asked = Number(params["max_tokens"]);
  if (asked <= limit) return undefined;
  return invalid(
    `max_tokens: ${asked} > ${limit}, which is the maximum allowed number of output tokens for ${model.id}`,
  );
}

function checkToolChoice(params: JsonObject, model: Model): ApiError | undefined {
  const choice = params["tool_choice"];
  const type = isObject(choice) ? choice["type"] : undefined;
  if (type !== "any" && type !== "tool") return undefined;
  if (model.forcedToolsRefused) {
    return invalid(`tool_choice: forced tool use ("${type}") is not supported by ${model.id}`);
  }
  const tools = Array.isArray(params["tools"]) ? (params["tools"] as unknown[]).filter(isObject) : [];
  if (tools.length === 0) return invalid("tool_choice: tools must be provided when tool_choice is set");
  const name = isObject(choice) ? choice["name"] : undefined;
  if (type === "tool" && !tools.some((tool) => tool["name"] === name)) {
    return invalid(`tool_choice: Tool '${String(name)}' not found in provided tools`);
  }
  return undefined;
}

function checkThinking(params: JsonObject, model: Model): ApiError | undefined {
  const thinking = params["thinking"];
  const type = isObject(thinking) ? thinking["type"] : undefined;
  if (type === "disabled" && model.thinkingAlwaysOn) {
    return invalid(`thinking.type: "disabled" is not supported by ${model.id}`);
  }
  if (type === "enabled" && !model.manualThinking) {
    return invalid(`thinking.type: "enabled" is not supported by ${model.id}; use "adaptive"`);
  }
  return undefined;
}

function checkOutput(params: JsonObject): ApiError | undefined {
  const config = params["output_config"];
  if (config === undefined) return undefined;
  if (!isObject(config)) return invalid("output_config: Input should be a valid dictionary");
  const format = config["format"];
  if (format === undefined || format === null) return undefined;
  if (!isObject(format) || format["type"] !== "json_schema") {
    return invalid("output_config.format.type: Input should be 'json_schema'");
  }
  if (!isObject(format["schema"])) return invalid("output_config.format.schema: Field required");
  return undefined;
}
