import type { MatchLogic, ModelPrice as Figures } from "@pydantic/genai-prices";
import type { ProviderName } from "../provider.ts";
import type { ModelPrice, Rates } from "./rates.ts";
import { half, perToken } from "./rates.ts";

/**
 * The price in `@pydantic/genai-prices` of exactly this model at a time. That package also matches by prefix and pattern,
 * which would give a newer model its relative's price, so such a match counts as unknown.
 */
export async function fallbackPrice(
  provider: ProviderName,
  model: string,
  at: number,
): Promise<ModelPrice | undefined> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, model, {
    providerId: provider,
    timestamp: new Date(at),
  });
  if (found === null || !(found.model.id === model || matchesExactly(found.model.match, model)))
    return undefined;
  const rates = ratesOf(found.model_price, baseOf);
  if (rates === undefined) return undefined;
  const above = firstTier(found.model_price);
  const long = above === undefined ? undefined : ratesOf(found.model_price, tierOf);
  return {
    rates,
    ...(above === undefined || long === undefined ? {} : { long: { above, rates: long } }),
    batch: half,
    source: "@pydantic/genai-prices 0.1.8",
  };
}

function matchesExactly(match: MatchLogic, model: string): boolean {
  if ("equals" in match) return match.equals === model;
  return "or" in match && match.or.some((one) => matchesExactly(one, model));
}

type Read = (figure: Figures[string]) => number | undefined;
const baseOf: Read = (figure) => (typeof figure === "object" ? figure.base : figure);
const tierOf: Read = (figure) => (typeof figure === "object" ? figure.tiers[0]?.price : figure);

const firstTier = (figures: Figures): number | undefined => {
  const input = figures["input_mtok"];
  return typeof input === "object" ? input.tiers[0]?.start : undefined;
};

function ratesOf(figures: Figures, read: Read): Rates | undefined {
  const input = read(figures["input_mtok"]);
  const output = read(figures["output_mtok"]);
  if (input === undefined || output === undefined) return undefined;
  const write = read(figures["cache_write_mtok"]) ?? input;
  return {
    input: perToken(input),
    output: perToken(output),
    cacheRead: perToken(read(figures["cache_read_mtok"]) ?? input),
    cacheWrite5m: perToken(write),
    cacheWrite1h: perToken(read(figures["cache_write_1h_mtok"]) ?? write),
  };
}
