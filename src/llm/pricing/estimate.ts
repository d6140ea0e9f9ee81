import type { StoredOperation } from "../../core/operation.ts";
import { usd } from "../../core/stats.ts";
import type { StoredRequest } from "../payload.ts";
import { readPayload } from "../payload.ts";
import type { LlmProvider, ProviderName } from "../provider.ts";
import type { LlmSettings } from "../settings.ts";
import { utf8Bytes } from "../text.ts";
import { urgencyOfGroup } from "../group.ts";
import { badPrices } from "./override.ts";
import type { BadPrice } from "./override.ts";
import { priceOf } from "./pricer.ts";
import type { ModelPrice } from "./rates.ts";
import { costOf } from "./rates.ts";

/** Tokens of requests before they were sent. */
export interface EstimatedTokens {
  /** About; counted by the provider where it was asked. */
  readonly input: number;
  /** At most. */
  readonly output: number;
}

/** Models since Claude Opus 4.7 count about 30 % more tokens for the same text than those before. */
const BYTES_PER_TOKEN = 4;
const BYTES_PER_TOKEN_5 = 3;
const newTokenizer = /^claude-(?:[a-z]+-5|opus-4-[78])/u;

export function estimateTokens({ model, params }: Pick<StoredRequest, "model" | "params">): EstimatedTokens {
  const bytes = utf8Bytes(JSON.stringify(params));
  const limit = params["max_tokens"] ?? params["max_output_tokens"] ?? params["max_completion_tokens"];
  return {
    input: Math.ceil(bytes / (newTokenizer.test(model) ? BYTES_PER_TOKEN_5 : BYTES_PER_TOKEN)),
    output: typeof limit === "number" ? limit : 0,
  };
}

/** What requests may cost, picodollars: their input alone, and with every answer as long as it may be. */
export interface EstimatedCost {
  readonly least: bigint;
  readonly most: bigint;
}

export function estimateCost(
  { input, output }: EstimatedTokens,
  price: ModelPrice,
  batch: boolean,
): EstimatedCost {
  const usage = { input, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, usOnly: false };
  return { least: costOf(usage, price, batch).paid, most: costOf({ ...usage, output }, price, batch).paid };
}

export interface CostPreview {
  readonly requests: number;
  /** Of all requests, priced or not. */
  readonly tokens: EstimatedTokens;
  /** US dollars for the input alone, as far as prices are known. */
  readonly leastUsd: number;
  /** US dollars if every answer is as long as it may be; what a limit is compared with. */
  readonly mostUsd: number;
  /** Requests whose price is unknown; they are in neither figure. */
  readonly unpriced: number;
  /** How the tokens were found. */
  readonly basis: "counted by the provider" | "estimated from the length of the text";
  /** Prices in the settings for models of these requests that cannot be used; absent where there are none. */
  readonly badPrices?: readonly BadPrice[];
}

export interface PreviewDeps {
  /** Left out, no text leaves the machine: tokens are estimated from its length. */
  readonly provider?: (name: ProviderName) => LlmProvider;
  readonly settings: () => Pick<LlmSettings, "prices">;
  readonly now: () => number;
}

/** More are not counted one by one before a flush. */
const MOST_COUNTED = 20;

/** What these requests may cost. Asks the provider, where there is one, for the tokens of a few; changes nothing. */
export async function previewCost(
  operations:
    | AsyncIterable<Pick<StoredOperation, "payload" | "group">>
    | Iterable<Pick<StoredOperation, "payload" | "group">>,
  deps: PreviewDeps,
): Promise<CostPreview> {
  let [requests, least, most, unpriced] = [0, 0n, 0n, 0];
  const tokens = { input: 0, output: 0 };
  const models = new Set<string>();
  let counted = deps.provider !== undefined;
  for await (const operation of operations) {
    requests += 1;
    const stored = readPayload(operation);
    models.add(stored.model);
    const price = await priceOf(stored.provider, stored.model, deps.now(), deps.settings().prices);
    const estimated = estimateTokens(stored);
    const exact: number | undefined =
      price !== undefined && counted && requests <= MOST_COUNTED && deps.provider
        ? await countTokens(stored, deps.provider(stored.provider))
        : undefined;
    const about = { ...estimated, input: exact ?? estimated.input };
    tokens.input += about.input;
    tokens.output += about.output;
    if (price === undefined) {
      unpriced += 1;
      continue;
    }
    counted = exact !== undefined;
    const cost = estimateCost(about, price, urgencyOfGroup(operation.group) === "batch");
    least += cost.least;
    most += cost.most;
  }
  const basis =
    counted && requests > unpriced ? "counted by the provider" : "estimated from the length of the text";
  const bad = badPrices(deps.settings().prices).filter(({ model }) => models.has(model));
  return {
    requests,
    tokens,
    leastUsd: usd(least),
    mostUsd: usd(most),
    unpriced,
    basis,
    ...(bad.length === 0 ? {} : { badPrices: bad }),
  };
}

async function countTokens(stored: StoredRequest, provider: LlmProvider): Promise<number | undefined> {
  const answer = await provider.countTokens(stored, { meter: { httpRequests: 0 } });
  return answer.kind === "ok" ? answer.value : undefined;
}
