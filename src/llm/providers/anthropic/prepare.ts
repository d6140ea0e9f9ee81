import { InputError } from "../../../core/errors.ts";
import type { LlmRequestInput } from "../../../core/schema/inputs.ts";
import { defaultEndpoints } from "../../group.ts";
import {
  DEFAULT_MAX_TOKENS,
  checkRetirement,
  defined,
  isRecord,
  messagesOf,
  refuseBlankPrompt,
  refuseOversize,
  refuseParams,
  refuseRepeats,
} from "../../prepare.ts";
import type { Prepared, Restored, StoredParams } from "../../provider.ts";
import { utf8Bytes } from "../../text.ts";
import { checkMessages, checkSystem } from "./messages.ts";
import type { ClaudeModel } from "./models.ts";
import { LONG_OUTPUT_BETA, LONG_OUTPUT_TOKENS, claudeModel } from "./models.ts";

const ENDPOINT = defaultEndpoints.anthropic;
/** One request of the Messages API is at most 32 MB; nothing larger is said of items of a batch. */
const MAX_ITEM_BYTES = 32_000_000;
/** Characters of a token, at the very least, in ordinary text; only a prompt beyond the context even so gets a warning. */
const CHARACTERS_PER_TOKEN = 5;

const named = { model: "model", messages: "messages", system: "system", maxTokens: "max_tokens" };
const since2026 = "is refused by the API since version 2026-10-21; leave it out";
const inBatch = "is not allowed in a batch; leave it out";
const always = {
  temperature: since2026,
  top_p: since2026,
  top_k: since2026,
  betas: "is no parameter of a request; give it as betas",
  extra_body: "is not known to the API; put its fields into params",
  extra_headers: "is not known to the API; beta names go into betas",
  workspace_id: "belongs to the credential and cannot be set per request",
};
const onlyDirect = {
  speed: inBatch,
  store: inBatch,
  previous_thread_event_id: inBatch,
  cache_hint: inBatch,
  context_hint: inBatch,
};
/** Parameters of the Messages API, from the types of @anthropic-ai/sdk 1.14.0. Others need a beta. */
const known = new Set(
  (
    "cache_control container diagnostics inference_geo metadata output_config service_tier speed stop_sequences stream thinking tool_choice tools " +
    "user_profile_id"
  ).split(" "),
);

/** The input as the Messages API takes it. Sources of the rules: https://platform.claude.com/docs/en/api/migration-2026-10-21.md and the model pages. */
export function prepareAnthropic(input: LlmRequestInput, now: number): Prepared {
  const params = input.params ?? {};
  const betas = input.betas ?? [];
  const model = claudeModel(input.model);
  const warnings: string[] = [];
  if (input.endpoint !== undefined && input.endpoint !== ENDPOINT) {
    throw new InputError("endpoint", `can only be ${ENDPOINT} at Anthropic`);
  }
  if (/^(gpt|o\d|text-embedding)-/u.test(input.model)) {
    throw new InputError(
      "provider",
      `is anthropic, but ${input.model} is a model of openai; set provider to "openai"`,
    );
  }
  refuseBlankPrompt(input);
  refuseRepeats(params, named);
  refuseParams(params, always);
  if ((input.urgency ?? "batch") === "batch") refuseParams(params, onlyDirect);
  if (params["stream"] === true)
    throw new InputError("params.stream", "cannot be true; answers are streamed where that is of use");
  const unknown = Object.keys(params).find((name) => !known.has(name));
  if (unknown !== undefined && betas.length === 0) {
    throw new InputError(
      `params.${unknown}`,
      "is not known to the API, which refuses such a request; a beta field needs its name in betas",
    );
  }
  if (unknown !== undefined)
    warnings.push(`params.${unknown} is not known here; it is sent because betas are named`);
  if (model === undefined)
    warnings.push(`${input.model} is not known here; it is sent as it is and its price may be unknown`);
  const retiring = checkRetirement(input.model, model?.retired, now);
  if (retiring !== undefined) warnings.push(retiring);
  const maxTokens = maxTokensOf(input, model, betas);
  if (model !== undefined) checkModelRules(params, model, input);
  const messages = messagesOf(input);
  checkMessages(messages);
  checkSystem(input.system);
  const made = defined({
    model: input.model,
    max_tokens: maxTokens,
    system: input.system,
    messages,
    ...params,
  });
  const bytes = utf8Bytes(JSON.stringify(made));
  refuseOversize(bytes, MAX_ITEM_BYTES, input.prompt === undefined ? "messages" : "prompt");
  const context = model?.contextTokens ?? Number.POSITIVE_INFINITY;
  if (bytes / CHARACTERS_PER_TOKEN > context)
    warnings.push(
      `about ${Math.round(bytes / CHARACTERS_PER_TOKEN)} tokens may not fit the model's ${context}`,
    );
  return { model: input.model, endpoint: ENDPOINT, betas: [...betas].sort(), params: made, warnings };
}

/** The named fields of the input that these parameters stand for. */
export function restoreAnthropic({ params, fromPrompt }: StoredParams): Restored {
  const { model: _model, messages, system, max_tokens: maxTokens, ...others } = params;
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const [first] = all;
  return defined({
    ...(fromPrompt && isRecord(first) ? { prompt: String(first["content"]) } : { messages: all }),
    system,
    maxTokens: typeof maxTokens === "number" ? maxTokens : undefined,
    params: Object.keys(others).length > 0 ? others : undefined,
  });
}

function maxTokensOf(
  input: LlmRequestInput,
  model: ClaudeModel | undefined,
  betas: readonly string[],
): number {
  const direct = model?.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const long =
    model?.longOutput === true && betas.includes(LONG_OUTPUT_BETA) && (input.urgency ?? "batch") === "batch";
  const most = long ? LONG_OUTPUT_TOKENS : direct;
  if (input.maxTokens === undefined) return Math.min(DEFAULT_MAX_TOKENS, most);
  if (input.maxTokens > most) {
    const hint =
      model?.longOutput === true && !long
        ? `; up to ${LONG_OUTPUT_TOKENS} in a batch with the beta ${LONG_OUTPUT_BETA}`
        : "";
    throw new InputError(
      "maxTokens",
      `is ${input.maxTokens}; ${input.model} answers with at most ${most}${hint}`,
      "max-tokens-too-large",
    );
  }
  return input.maxTokens;
}

function checkModelRules(
  params: Readonly<Record<string, unknown>>,
  model: ClaudeModel,
  input: LlmRequestInput,
): void {
  const thinking = isRecord(params["thinking"]) ? params["thinking"]["type"] : undefined;
  const choice = isRecord(params["tool_choice"]) ? params["tool_choice"]["type"] : undefined;
  if (thinking === "enabled" && model.noThinkingBudget === true) {
    throw new InputError(
      "params.thinking",
      `cannot set a budget on ${input.model}; use { type: "adaptive" } or leave it out`,
      "parameter-refused",
    );
  }
  if (thinking === "disabled" && model.alwaysThinks === true) {
    throw new InputError(
      "params.thinking",
      `cannot be switched off on ${input.model}; leave it out`,
      "parameter-refused",
    );
  }
  if ((choice === "any" || choice === "tool") && model.noForcedTool === true) {
    throw new InputError(
      "params.tool_choice",
      `cannot force a tool on ${input.model}; use { type: "auto" } or output_config.format`,
      "parameter-refused",
    );
  }
  const last = input.messages?.at(-1);
  if (model.noPrefill === true && isRecord(last) && last["role"] === "assistant") {
    throw new InputError(
      "messages",
      `cannot end with the assistant on ${input.model}; end with a message of the user`,
      "parameter-refused",
    );
  }
}
