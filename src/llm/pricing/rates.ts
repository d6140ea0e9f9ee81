import type { TokenUsage } from "../provider.ts";

/** Picodollars per token. One US dollar per million tokens is 1,000,000 picodollars per token. */
export interface Rates {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
}

/** The prices of one model at one time. */
export interface ModelPrice {
  readonly rates: Rates;
  /** From this many prompt tokens on (cached ones included), the whole request costs `rates`. */
  readonly long?: { readonly above: number; readonly rates: Rates };
  /** What the batch endpoint charges of each rate, as numerator and denominator. */
  readonly batch: Fraction;
  /** Where the figure comes from and when it was read. */
  readonly source: string;
}

export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const half: Fraction = { numerator: 1n, denominator: 2n };
/** Surcharge for inference in the United States only: https://platform.claude.com/docs/en/about-claude/pricing */
const usSurcharge: Fraction = { numerator: 11n, denominator: 10n };
/**
 * Picodollars for one search of the web, 10 US dollars for a thousand; no other price is published for batches:
 * https://platform.claude.com/docs/en/about-claude/pricing
 */
const WEB_SEARCH = 10_000_000_000n;
const SCALE = 6;

/** Picodollars per token of a price in US dollars per million tokens, given as written, such as `"0.125"`; exact. */
export function perToken(usdPerMillion: string | number): bigint {
  const [whole = "", fraction = ""] = decimal(usdPerMillion).split(".");
  return BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, "0"));
}

/** US dollars per million tokens that a batch costs, for showing. */
export const batchUsdPerMillion = (rate: bigint, { batch }: ModelPrice): number =>
  Number(times(rate, batch)) / 10 ** SCALE;

/** A number as plain decimal digits; numbers below 1e-6 are written without an exponent. */
const decimal = (value: string | number): string =>
  typeof value === "string" ? value : value.toFixed(SCALE);

const promptTokens = (usage: TokenUsage): number =>
  usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;

export interface Cost {
  /** What the provider charges, picodollars. */
  readonly paid: bigint;
  /** The same tokens at the base rates, without batch and without cache, picodollars. */
  readonly standard: bigint;
}

/** Exact to the picodollar; a half is rounded up once per request. */
export function costOf(usage: TokenUsage, price: ModelPrice, batch: boolean): Cost {
  const prompt = promptTokens(usage);
  const rates = price.long !== undefined && prompt > price.long.above ? price.long.rates : price.rates;
  const paid =
    BigInt(usage.input) * rates.input +
    BigInt(usage.output) * rates.output +
    BigInt(usage.cacheRead) * rates.cacheRead +
    BigInt(usage.cacheWrite5m) * rates.cacheWrite5m +
    BigInt(usage.cacheWrite1h) * rates.cacheWrite1h;
  const standard = BigInt(prompt) * rates.input + BigInt(usage.output) * rates.output;
  const place = (amount: bigint): bigint => (usage.usOnly ? times(amount, usSurcharge) : amount);
  const searches = BigInt(usage.webSearches ?? 0) * WEB_SEARCH;
  return {
    paid: place(batch ? times(paid, price.batch) : paid) + searches,
    standard: place(standard) + searches,
  };
}

const times = (amount: bigint, { numerator, denominator }: Fraction): bigint =>
  (2n * amount * numerator + denominator) / (2n * denominator);
