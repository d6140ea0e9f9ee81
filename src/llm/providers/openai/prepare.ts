import { InputError } from "../../../core/errors.ts";
import type { LlmRequestInput } from "../../../core/schema/inputs.ts";
import { defaultEndpoints } from "../../group.ts";
import {
  DEFAULT_MAX_TOKENS,
  IMPORTED,
  defined,
  isRecord,
  refuseBlankPrompt,
  refuseOversize,
  refuseParams,
  refuseRepeats,
} from "../../prepare.ts";
import type { Prepared, Restored, StoredParams } from "../../provider.ts";
import { utf8Bytes } from "../../text.ts";
import type { Endpoint } from "./endpoints.ts";
import { endpoints } from "./endpoints.ts";
import { openaiModel } from "./models.ts";

/** A single request may fill the file of a batch, but no more. */
const MAX_ITEM_BYTES = 199_000_000;
const BYTES_PER_TOKEN = 4;
const refused = {
  extra_body: "is not known to the API; put its fields into params",
  extra_headers: "is not known to the API",
  betas: "is not known to the API",
};

/** The input as OpenAI takes it at its endpoint. */
export function prepareOpenai(input: LlmRequestInput): Prepared {
  const path = input.endpoint ?? defaultEndpoints.openai;
  const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
  if (endpoint === undefined)
    throw new InputError("endpoint", `must be one of ${Object.keys(endpoints).join(", ")}`);
  if (input.model.startsWith("claude-")) {
    throw new InputError(
      "provider",
      `is openai, but ${input.model} is a model of anthropic; set provider to "anthropic"`,
    );
  }
  if (input.betas !== undefined && input.betas.length > 0)
    throw new InputError("betas", "are not known to OpenAI; leave them out");
  const params = input.params ?? {};
  refuseBlankPrompt(input);
  refuseRepeats(params, namesOf(endpoint));
  refuseParams(params, refused);
  if (params["stream"] === true) {
    throw new InputError(
      "params.stream",
      "cannot be true; answers are streamed where that is of use",
      "parameter-refused",
    );
  }
  const unknown = Object.keys(params).find((name) => endpoint.known?.has(name) === false);
  if (unknown !== undefined)
    throw new InputError(`params.${unknown}`, `is not known to ${path}, which refuses such a request`);
  const made = defined({
    model: input.model,
    ...contentOf(input, endpoint, path),
    ...limitOf(input, endpoint),
    ...params,
  });
  const bytes = utf8Bytes(JSON.stringify(made));
  refuseOversize(bytes, MAX_ITEM_BYTES, input.prompt === undefined ? "messages" : "prompt");
  return { model: input.model, endpoint: path, betas: [], params: made, warnings: warningsOf(input, bytes) };
}

/** What the provider may refuse; only it can count the tokens. */
function warningsOf({ model }: LlmRequestInput, bytes: number): readonly string[] {
  const { contextTokens = Number.POSITIVE_INFINITY } = openaiModel(model) ?? {};
  const tokens = Math.round(bytes / BYTES_PER_TOKEN);
  return tokens > contextTokens ? [`about ${tokens} tokens may not fit the model's ${contextTokens}`] : [];
}

/** The named fields of the input that these parameters stand for. */
export function restoreOpenai({ endpoint: path, params, fromPrompt }: StoredParams): Restored {
  const endpoint = endpoints[path] ?? { content: "input" };
  const { maxTokens = "" } = endpoint;
  const { model: _model, [endpoint.content]: content, [maxTokens]: limit, instructions, ...others } = params;
  const named = endpoint.system === "instructions" ? { system: instructions } : {};
  const rest =
    endpoint.system === "instructions" || instructions === undefined ? others : { ...others, instructions };
  return defined({
    ...named,
    ...inputContent(content, endpoint, fromPrompt),
    maxTokens: typeof limit === "number" ? limit : undefined,
    params: Object.keys(rest).length > 0 ? rest : undefined,
  });
}

const namesOf = ({ content, system, maxTokens }: Endpoint): Readonly<Record<string, string>> => ({
  model: "model",
  [content === "messages" ? "messages" : "prompt or messages"]: content,
  ...(system === "instructions" ? { system } : {}),
  ...(maxTokens === undefined ? {} : { maxTokens }),
});

function contentOf(
  input: LlmRequestInput,
  endpoint: Endpoint,
  path: string,
): Readonly<Record<string, unknown>> {
  const { prompt, messages, system } = input;
  if (system !== undefined && endpoint.system === undefined)
    throw new InputError("system", `is not known to ${path}; leave it out`);
  if (endpoint.content !== "messages") {
    const instructions =
      endpoint.system === "instructions" && system !== undefined ? { instructions: system } : {};
    return { ...instructions, [endpoint.content]: prompt ?? messages };
  }
  (messages ?? []).forEach((message, index) => {
    if (!isRecord(message) || typeof message["role"] !== "string") {
      throw new InputError(`messages.${index}.role`, "is missing; each message needs a role and content");
    }
  });
  const first = system === undefined ? [] : [{ role: "system", content: system }];
  return { messages: [...first, ...(messages ?? [{ role: "user", content: prompt }])] };
}

/** An imported line goes as it is; to others the usual limit is added. */
function limitOf(
  { model, maxTokens, type, params }: LlmRequestInput,
  endpoint: Endpoint,
): Readonly<Record<string, unknown>> {
  const { maxTokens: name, leastTokens = 1 } = endpoint;
  if (maxTokens !== undefined && name === undefined)
    throw new InputError("maxTokens", "is not known to this endpoint; leave it out");
  if (maxTokens !== undefined && maxTokens < leastTokens)
    throw new InputError("maxTokens", `must be at least ${leastTokens} here`);
  const most = openaiModel(model)?.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  if (maxTokens !== undefined && maxTokens > most)
    throw new InputError(
      "maxTokens",
      `is ${maxTokens}; ${model} answers with at most ${most}`,
      "max-tokens-too-large",
    );
  const given =
    maxTokens ?? (type === IMPORTED || params?.["max_tokens"] !== undefined ? undefined : DEFAULT_MAX_TOKENS);
  return name === undefined || given === undefined ? {} : { [name]: given };
}

function inputContent(
  content: unknown,
  endpoint: Endpoint,
  fromPrompt: boolean,
): Pick<Restored, "prompt" | "messages" | "system"> {
  if (typeof content === "string") return { prompt: content };
  const all: readonly unknown[] = Array.isArray(content) ? content : [];
  const [first, ...others] = all;
  const isSystem =
    endpoint.system === "message" &&
    others.length > 0 &&
    isRecord(first) &&
    first["role"] === "system" &&
    Object.keys(first).length === 2;
  const messages = isSystem ? others : all;
  const system = isSystem ? { system: first["content"] } : {};
  const [only] = messages;
  return fromPrompt && isRecord(only)
    ? { ...system, prompt: String(only["content"]) }
    : { ...system, messages };
}
