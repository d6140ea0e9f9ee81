import { createHash } from "node:crypto";
import type { AcceptContext, Acceptor, Draft } from "../core/acceptor.ts";
import { InputError } from "../core/errors.ts";
import type { StoredOperation } from "../core/operation.ts";
import type { Clock } from "../core/ports.ts";
import type { LlmRequestInput } from "../core/schema/inputs.ts";
import { llmRequestInput, parseInput } from "../core/schema/inputs.ts";
import { groupOf, laneOf } from "./group.ts";
import type { StoredRequest } from "./payload.ts";
import { readPayload } from "./payload.ts";
import { defined, isRecord } from "./prepare.ts";
import type { LlmProvider, Prepared, ProviderName } from "./provider.ts";
import type { LlmSettings } from "./settings.ts";
import { canonicalJson, firstWords, refuseLoneSurrogates } from "./text.ts";

export interface LlmAcceptorDeps {
  readonly settings: () => Pick<LlmSettings, "provider">;
  readonly clock: Clock;
  readonly provider: (name: ProviderName) => Pick<LlmProvider, "prepare" | "restore">;
}

/** What a person sees when opening a queued request. */
export interface RequestDetail {
  readonly provider: ProviderName;
  readonly type: string;
  readonly model: string;
  readonly urgency?: string;
  readonly warnings?: readonly string[];
}

/** Turns inputs into requests as the provider takes them, and refuses at once what it would refuse a day later. */
export class LlmAcceptor implements Acceptor<LlmRequestInput> {
  readonly #deps: LlmAcceptorDeps;

  constructor(deps: LlmAcceptorDeps) {
    this.#deps = deps;
  }

  accept(input: LlmRequestInput, _context?: AcceptContext): Promise<Draft> {
    return Promise.resolve().then(() => this.#accept(parseInput(llmRequestInput, input)));
  }

  again(
    operation: StoredOperation,
    context: AcceptContext,
    patch: Readonly<Record<string, unknown>> = {},
  ): Promise<Draft> {
    return Promise.resolve().then(() => {
      const input: Record<string, unknown> = { ...this.inputOf(operation), ...patch };
      // A new prompt replaces old messages, and the other way round.
      if (patch["prompt"] !== undefined && patch["messages"] === undefined) delete input["messages"];
      if (patch["messages"] !== undefined && patch["prompt"] === undefined) delete input["prompt"];
      return this.accept(input as LlmRequestInput, context);
    });
  }

  /** Nothing is pinned outside the payload. */
  discard(): Promise<void> {
    return Promise.resolve();
  }

  /** The input that a stored request was made of. */
  inputOf(operation: Pick<StoredOperation, "payload">): LlmRequestInput & Readonly<Record<string, unknown>> {
    const stored = readPayload(operation);
    return inputOf(stored, this.#deps.provider(stored.provider));
  }

  #accept(input: LlmRequestInput): Draft {
    const name = input.provider ?? this.#deps.settings().provider;
    checkJson(input);
    const prepared = this.#deps.provider(name).prepare(input, this.#deps.clock.now());
    const stored = storedOf(input, name, prepared);
    return {
      kind: "request",
      group: groupOf(stored),
      lane: laneOf(name),
      label: labelOf(input),
      payload: stored,
      detail: detailOf(stored, prepared.warnings),
      ...(input.idempotencyKey === undefined ? {} : { idempotencyKey: input.idempotencyKey }),
      fingerprint: createHash("sha256").update(canonicalJson(stored)).digest("hex"),
      ...(input.urgency === "now" ? { immediate: true } : {}),
    };
  }
}

/** JSON writes half of a surrogate pair as an escape, so only a text with such an escape needs the slow search. */
const mayHoldSurrogate = /\\u[dD][89a-fA-F]/u;

function checkJson(input: LlmRequestInput): void {
  let text: string;
  try {
    text = JSON.stringify(input);
  } catch (error) {
    throw new InputError(
      "argument",
      `is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!mayHoldSurrogate.test(text)) return;
  for (const [field, value] of Object.entries(input)) refuseLoneSurrogates(value, field);
}

function storedOf(input: LlmRequestInput, provider: ProviderName, prepared: Prepared): StoredRequest {
  const {
    prompt,
    messages: _messages,
    system: _system,
    params: _params,
    betas: _betas,
    model,
    idempotencyKey: _key,
    ...rest
  } = input;
  return {
    provider,
    model,
    endpoint: prepared.endpoint,
    betas: [...prepared.betas],
    params: { ...prepared.params },
    fromPrompt: prompt !== undefined,
    rest: defined(rest),
  };
}

/** The input that `stored` was made of, whatever the settings are by now. */
export function inputOf(stored: StoredRequest, provider: Pick<LlmProvider, "restore">): LlmRequestInput {
  const { betas, model, rest } = stored;
  // The limit that was sent may be the usual one; only `rest` knows whether the input had it.
  const { maxTokens: _sent, ...restored } = provider.restore(stored);
  const input = {
    ...rest,
    model,
    provider: stored.provider,
    ...restored,
    betas: betas.length > 0 ? betas : undefined,
  };
  return parseInput(llmRequestInput, defined(input));
}

function detailOf(stored: StoredRequest, warnings: readonly string[]): RequestDetail {
  const { provider, model, rest } = stored;
  return {
    provider,
    type: rest.type,
    model,
    ...(rest.urgency === undefined ? {} : { urgency: rest.urgency }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function labelOf(input: LlmRequestInput): string {
  if (input.id !== undefined && input.id.trim() !== "") return firstWords(input.id, 120);
  if (input.prompt !== undefined) return firstWords(input.prompt);
  return firstWords(textOf(input.messages?.at(-1))) || input.type;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(" ");
  return isRecord(value) ? textOf(value["text"] ?? value["content"]) : "";
}
