import * as v from "valibot";
import type { PriceOverride } from "../settings.ts";

/** A dollar for each token; what is more is a slip. */
const MOST = 1_000_000;
const MOST_MULTIPLIER = 100;
const rate = v.pipe(v.number(), v.minValue(0), v.maxValue(MOST));
const override = v.object({
  input: rate,
  output: rate,
  cacheRead: v.optional(rate),
  cacheWrite5m: v.optional(rate),
  cacheWrite1h: v.optional(rate),
  batchMultiplier: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_MULTIPLIER))),
});

/** An entry of `llm.prices` that cannot be used. */
export interface BadPrice {
  readonly model: string;
  /** The first field that is wrong or missing; empty where the entry is no object. */
  readonly field: string;
}

/** An entry of the setting, which a hand-edited file may hold anything in; `undefined`: it cannot be used, so the price is unknown. */
export function readOverride(entry: unknown): PriceOverride | undefined {
  const checked = v.safeParse(override, entry);
  return checked.success ? (checked.output as PriceOverride) : undefined;
}

/** The entries that cannot be used. */
export function badPrices(prices: Readonly<Record<string, unknown>>): readonly BadPrice[] {
  return Object.entries(prices).flatMap(([model, entry]) => {
    const checked = v.safeParse(override, entry);
    return checked.success ? [] : [{ model, field: v.getDotPath(checked.issues[0]) ?? "" }];
  });
}

/** What is wrong with an entry, for a person to read. */
export function badPriceText({ model, field }: BadPrice): string {
  const most = field === "batchMultiplier" ? MOST_MULTIPLIER : MOST;
  const what =
    field === ""
      ? "is not an object with input and output"
      : `has a ${field} that is not a number from 0 to ${most}`;
  return `batchControl.llm.prices: the entry for ${model} ${what}, so its price counts as unknown.`;
}
