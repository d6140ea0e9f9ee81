import type { Settlement } from "../core/journal.ts";
import type { Result, Usage } from "../core/result.ts";
import type { StatsDelta } from "../core/stats.ts";
import { usd } from "../core/stats.ts";
import type { Cost, ModelPrice } from "./pricing/rates.ts";
import { costOf } from "./pricing/rates.ts";
import type { ItemOutcome, TokenUsage } from "./provider.ts";

export interface Billing {
  /** `undefined`: the price is unknown. */
  readonly price: ModelPrice | undefined;
  /** At the price of the batch endpoint. */
  readonly batch: boolean;
}

/** The outcome of one request as it is written down, with what it adds to the statistics. */
export function settlementOf(
  id: string,
  outcome: ItemOutcome,
  billing: Billing,
  durationMs?: number,
): Settlement {
  const duration = durationMs === undefined ? {} : { durationMs };
  if (outcome.kind !== "succeeded") return { result: { id, ...failed(outcome), ...duration } };
  const { text, message, usage, note } = outcome;
  const cost = billing.price === undefined ? undefined : costOf(usage, billing.price, billing.batch);
  return {
    result: {
      id,
      status: "succeeded",
      text,
      message,
      usage: usageOf(usage),
      costUsd: cost === undefined ? null : usd(cost.paid),
      ...(note === undefined ? {} : { reason: note.reason, error: note.message }),
      ...duration,
    },
    stats: statsOf(usage, cost),
  };
}

/** What an answer adds: tokens as counted by the provider, and money where the price is known. */
const statsOf = (usage: TokenUsage, cost: Cost | undefined): StatsDelta => ({
  "llm.inputTokens": usage.input,
  "llm.outputTokens": usage.output,
  "llm.cacheReadTokens": usage.cacheRead,
  "llm.cacheWriteTokens": usage.cacheWrite5m + usage.cacheWrite1h,
  ...(cost === undefined
    ? { "llm.unpricedRequests": 1 }
    : { "llm.costPico": cost.paid, "llm.standardCostPico": cost.standard }),
});

/** Tokens that were paid for nothing: they cost, but no request would have been charged for them otherwise. */
export function wastedStats(usage: TokenUsage, { price, batch }: Billing): StatsDelta {
  const cost = price === undefined ? undefined : costOf(usage, price, batch);
  return { ...statsOf(usage, cost), "llm.standardCostPico": 0n };
}

function failed(outcome: Exclude<ItemOutcome, { readonly kind: "succeeded" }>): Omit<Result, "id"> {
  switch (outcome.kind) {
    case "errored": {
      const { failure, message } = outcome;
      const raw = message === undefined ? {} : { message };
      return { status: "failed", error: failure.message, reason: failure.reason, ...raw };
    }
    case "cancelled":
      return {
        status: "cancelled",
        reason: "cancelled",
        error: "Cancelled before the provider got to it; not billed.",
      };
    case "expired":
      return {
        status: "expired",
        reason: "expired",
        error: "The provider did not get to it within 24 hours; not billed. Retry sends it again.",
      };
  }
}

const usageOf = (usage: TokenUsage): Usage => ({
  inputTokens: usage.input,
  outputTokens: usage.output,
  cacheReadTokens: usage.cacheRead,
  cacheWriteTokens: usage.cacheWrite5m + usage.cacheWrite1h,
});
