import type { ProviderName } from "../provider.ts";
import type { LlmSettings, PriceOverride } from "../settings.ts";
import { fallbackPrice } from "./fallback.ts";
import { readOverride } from "./override.ts";
import type { ModelPrice } from "./rates.ts";
import { half, perToken } from "./rates.ts";
import { tablePrice } from "./table.ts";

const CACHE_READ = 0.1;
const CACHE_WRITE_5M = 1.25;
const CACHE_WRITE_1H = 2;
const BATCH_SCALE = 1_000_000;

/**
 * The price of a model at a time (milliseconds since 1970): the user's own, else our table's, else the package's.
 * `undefined` means unknown, which is never taken for free; so does an entry of the user's own that cannot be used.
 */
export async function priceOf(
  provider: ProviderName,
  model: string,
  at: number,
  overrides: LlmSettings["prices"],
): Promise<ModelPrice | undefined> {
  if (Object.hasOwn(overrides, model)) {
    const override = readOverride(overrides[model]);
    return override === undefined ? undefined : overridden(override);
  }
  return tablePrice(model, at) ?? (await fallbackPrice(provider, model, at));
}

function overridden(price: PriceOverride): ModelPrice {
  const batch = price.batchMultiplier;
  return {
    rates: {
      input: perToken(price.input),
      output: perToken(price.output),
      cacheRead: perToken(price.cacheRead ?? price.input * CACHE_READ),
      cacheWrite5m: perToken(price.cacheWrite5m ?? price.input * CACHE_WRITE_5M),
      cacheWrite1h: perToken(price.cacheWrite1h ?? price.input * CACHE_WRITE_1H),
    },
    batch:
      batch === undefined
        ? half
        : { numerator: BigInt(Math.round(batch * BATCH_SCALE)), denominator: BigInt(BATCH_SCALE) },
    source: "the setting batchControl.llm.prices",
  };
}
