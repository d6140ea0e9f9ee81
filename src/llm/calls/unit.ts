import type { Settlement } from "../../core/journal.ts";
import type { StatsDelta } from "../../core/stats.ts";
import type { StoredRequest } from "../payload.ts";
import type { ItemOutcome, TokenUsage } from "../provider.ts";
import type { Billing } from "../settlement.ts";
import { settlementOf, wastedStats } from "../settlement.ts";
import { readPacked } from "./pack.ts";

/** What goes out in one call: one request, or several packed ones. */
export type Unit = readonly { readonly id: string; readonly stored: StoredRequest }[];

export interface UnitOutcome {
  readonly settled: readonly Settlement[];
  /** To be sent alone. */
  readonly alone: Unit;
  /** What a call used whose answer was of no use. */
  readonly wasted: StatsDelta;
}

/**
 * The answer to a unit. With packed requests, what is missing, blank or answers another item is not taken over but left to
 * be sent alone, and what the call used is shared out by the length of the answers, to the last token.
 */
export function outcomesOf(
  unit: Unit,
  outcome: ItemOutcome,
  billing: Billing,
  durationMs: number,
): UnitOutcome {
  const [first, ...others] = unit;
  if (first !== undefined && others.length === 0) {
    return { settled: [settlementOf(first.id, outcome, billing, durationMs)], alone: [], wasted: {} };
  }
  if (outcome.kind !== "succeeded") return { settled: [], alone: unit, wasted: {} };
  const { usage, message } = outcome;
  const answers = readPacked(unit, outcome.text);
  const good = unit.flatMap(({ id }) => {
    const text = answers.get(id);
    return text === undefined ? [] : [{ id, text }];
  });
  const shares = shareOut(
    usage,
    good.map(({ text }) => text.length),
  );
  const settled = good.map(({ id, text }, index) =>
    settlementOf(
      id,
      { kind: "succeeded", text, message, usage: shares[index] ?? usage },
      billing,
      durationMs,
    ),
  );
  const alone = unit.filter(({ id }) => !answers.has(id));
  return { settled, alone, wasted: good.length > 0 ? {} : wastedStats(usage, billing) };
}

/** Divides every figure of a usage by weight; the shares add up to the whole. */
export function shareOut(usage: TokenUsage, weights: readonly number[]): readonly TokenUsage[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return weights.map((weight) => {
    const share = (tokens: number): number =>
      Math.round((tokens * (before + weight)) / total) - Math.round((tokens * before) / total);
    const part: TokenUsage = {
      input: share(usage.input),
      output: share(usage.output),
      cacheRead: share(usage.cacheRead),
      cacheWrite5m: share(usage.cacheWrite5m),
      cacheWrite1h: share(usage.cacheWrite1h),
      webSearches: share(usage.webSearches ?? 0),
      usOnly: usage.usOnly,
    };
    before += weight;
    return part;
  });
}
