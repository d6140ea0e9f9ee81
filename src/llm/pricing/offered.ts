import { claudeModel } from "../providers/anthropic/models.ts";
import type { LlmSettings } from "../settings.ts";
import { priceOf } from "./pricer.ts";
import { batchUsdPerMillion } from "./rates.ts";
import { priceRows } from "./table.ts";

/** A model that can be named in a request. */
export interface OfferedModel {
  readonly model: string;
  /** US dollars per million tokens in a batch. */
  readonly input: number;
  readonly output: number;
}

/**
 * The models of known price that the provider still takes at a time (milliseconds since 1970), those of the user's own
 * price list first.
 */
export async function offeredModels(
  prices: LlmSettings["prices"],
  at: number,
): Promise<readonly OfferedModel[]> {
  // A dated id is the same model as the one without a date.
  const known = priceRows.flatMap(({ models }) => models).filter((model) => !/-\d{8}$/.test(model));
  const taken = known.filter((model) => {
    const { retired } = claudeModel(model) ?? {};
    return retired === undefined || at < Date.parse(retired);
  });
  const offers = [...new Set([...Object.keys(prices), ...taken])].map(async (model) => {
    const price = await priceOf("anthropic", model, at, prices);
    if (price === undefined) return [];
    const { input, output } = price.rates;
    return [{ model, input: batchUsdPerMillion(input, price), output: batchUsdPerMillion(output, price) }];
  });
  return (await Promise.all(offers)).flat();
}
