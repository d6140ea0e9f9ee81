import type { ModelPrice, Rates } from "./rates.ts";
import { half, perToken } from "./rates.ts";

/** US dollars per million tokens, as the provider writes them: input, output, cache write 5 min, cache write 1 h, cache read. */
type Figures = readonly [input: string, output: string, write5m: string, write1h: string, read: string];

export interface PriceRow {
  readonly models: readonly string[];
  /** First day on which the row holds, UTC; the latest such row wins. */
  readonly from: string;
  readonly figures: Figures;
  /** Prompts above so many tokens cost these figures, the whole request. */
  readonly long?: { readonly above: number; readonly figures: Figures };
  readonly source: string;
  /** Day on which the source was read. */
  readonly checked: string;
}

const CHECKED = "2026-11-29";
const overview = (model: string): string => `https://platform.claude.com/docs/en/models/${model}/overview`;
const claude = (from: string, models: string, source: string, ...figures: Figures): PriceRow => ({
  models: models.split(" "),
  from,
  figures,
  source,
  checked: CHECKED,
});

/** OpenAI bills a cache write as input, and prompts above 272,000 tokens at twice the input and one and a half times the output. */
const openai = (model: string, input: string, output: string, read: string): PriceRow => ({
  models: [model],
  from: "2025-01-01",
  figures: [input, output, input, input, read],
  source: "https://developers.openai.com/api/docs/pricing",
  checked: CHECKED,
});
const openaiTiered = (model: string, input: string, output: string, read: string): PriceRow => ({
  ...openai(model, input, output, read),
  long: {
    above: 272_000,
    figures: [scaled(input, 2), scaled(output, 1.5), scaled(input, 2), scaled(input, 2), scaled(read, 2)],
  },
});
const scaled = (figure: string, factor: number): string => (Number(figure) * factor).toFixed(6);

const fable5 = overview("fable-5-1");
const opus5 = "https://platform.claude.com/docs/about-claude/models/whats-new-opus-5";
const sonnet55 = overview("sonnet-5-5");
const pricing = "https://platform.claude.com/docs/en/about-claude/pricing";

/** Exact ids only: a model that is not here has no price here, whatever its name resembles. */
export const priceRows: readonly PriceRow[] = [
  claude(
    "2026-01-01",
    "claude-fable-5-2",
    "https://github.com/archid21/rightsize/releases/tag/v0.10.2",
    "8",
    "40",
    "10",
    "16",
    "0.20",
  ),
  claude("2026-01-01", "claude-fable-5-1 claude-mythos-5-1", fable5, "10", "50", "12.5", "20", "0.25"),
  claude("2026-01-01", "claude-fable-5 claude-mythos-5", fable5, "10", "50", "12.5", "20", "1.00"),
  claude("2026-01-01", "claude-opus-5-5", pricing, "4", "20", "5", "8", "0.20"),
  claude(
    "2025-11-01",
    "claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5 claude-opus-4-5-20251101",
    opus5,
    "5",
    "25",
    "6.25",
    "10",
    "0.50",
  ),
  claude("2026-01-01", "claude-sonnet-5-5", sonnet55, "2", "10", "2.50", "4", "0.20"),
  claude("2026-10-07", "claude-sonnet-5-5", sonnet55, "2", "10", "2.50", "4", "0.10"),
  claude("2026-01-01", "claude-sonnet-5", sonnet55, "2", "10", "2.50", "4", "0.20"),
  claude(
    "2025-09-01",
    "claude-sonnet-4-6 claude-sonnet-4-5 claude-sonnet-4-5-20250929",
    pricing,
    "3",
    "15",
    "3.75",
    "6",
    "0.30",
  ),
  {
    ...claude(
      "2026-01-01",
      "claude-haiku-5-5",
      overview("haiku-5-5"),
      "0.10",
      "0.50",
      "0.125",
      "0.20",
      "0.01",
    ),
    long: { above: 100_000, figures: ["0.50", "2.50", "0.625", "1", "0.05"] },
  },
  claude("2025-10-01", "claude-haiku-4-5 claude-haiku-4-5-20251001", pricing, "1", "5", "1.25", "2", "0.10"),
  openaiTiered("gpt-6.2-astra", "8", "40", "0.40"),
  openaiTiered("gpt-6-astra", "10", "50", "1"),
  openaiTiered("gpt-6.2-sol", "2", "10", "0.10"),
  openaiTiered("gpt-6.1-sol", "2", "10", "0.10"),
  openaiTiered("gpt-6-sol", "2", "10", "0.20"),
  openaiTiered("gpt-6.1-terra", "1", "5", "0.05"),
  openaiTiered("gpt-6-luna", "0.10", "0.50", "0.01"),
  openaiTiered("gpt-5.6-sol", "4", "20", "0.40"),
  openaiTiered("gpt-5.6-terra", "2", "12", "0.20"),
  openaiTiered("gpt-5.6-luna", "0.20", "1.20", "0.02"),
  openaiTiered("gpt-5.5", "5", "30", "0.50"),
  openaiTiered("gpt-5.4", "2.5", "15", "0.25"),
  openai("gpt-5", "1.25", "10", "0.125"),
  openai("gpt-5-mini", "0.25", "2", "0.025"),
];

/** The price of exactly this model at a time (milliseconds since 1970), or `undefined`. */
export function tablePrice(model: string, at: number): ModelPrice | undefined {
  const row = priceRows.findLast(({ models, from }) => models.includes(model) && Date.parse(from) <= at);
  if (row === undefined) return undefined;
  return {
    rates: ratesOf(row.figures),
    ...(row.long === undefined ? {} : { long: { above: row.long.above, rates: ratesOf(row.long.figures) } }),
    batch: half,
    source: `${row.source} (read ${row.checked})`,
  };
}

const ratesOf = ([input, output, write5m, write1h, read]: Figures): Rates => ({
  input: perToken(input),
  output: perToken(output),
  cacheWrite5m: perToken(write5m),
  cacheWrite1h: perToken(write1h),
  cacheRead: perToken(read),
});
