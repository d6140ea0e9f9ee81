import type { Settlement } from "../../core/journal.ts";
import type { Result, Usage } from "../../core/result.ts";
import { usd } from "../../core/stats.ts";
import type { StatsDelta } from "../../core/stats.ts";
import type { ModelPrice } from "../pricing/rates.ts";
import { costOf } from "../pricing/rates.ts";
import type { ItemOutcome, TokenUsage } from "../provider.ts";

type Sums = Record<
  | "llm.inputTokens"
  | "llm.outputTokens"
  | "llm.cacheReadTokens"
  | "llm.cacheWriteTokens"
  | "llm.costPico"
  | "llm.standardCostPico"
  | "llm.unpricedRequests",
  bigint
>;

const zero = (): Sums => ({
  "llm.inputTokens": 0n,
  "llm.outputTokens": 0n,
  "llm.cacheReadTokens": 0n,
  "llm.cacheWriteTokens": 0n,
  "llm.costPico": 0n,
  "llm.standardCostPico": 0n,
  "llm.unpricedRequests": 0n,
});

export interface Billing {
  /** `undefined`: the price is unknown. */
  readonly price: ModelPrice | undefined;
  /** At the price of the batch endpoint. */
  readonly batch: boolean;
}

/** Adds up tokens and money exactly, and makes results of outcomes. */
export class Tally {
  readonly #billing: Billing;
  #sums = zero();

  constructor(billing: Billing) {
    this.#billing = billing;
  }

  /** The sums since the last time. */
  take(): StatsDelta {
    const sums = this.#sums;
    this.#sums = zero();
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
  }

  /** Counts tokens and their cost; the cost in picodollars, `undefined` when unknown. */
  count(usage: TokenUsage): bigint | undefined {
    const sums = this.#sums;
    sums["llm.inputTokens"] += BigInt(usage.input);
    sums["llm.outputTokens"] += BigInt(usage.output);
    sums["llm.cacheReadTokens"] += BigInt(usage.cacheRead);
    sums["llm.cacheWriteTokens"] += BigInt(usage.cacheWrite5m + usage.cacheWrite1h);
    const { price, batch } = this.#billing;
    if (price === undefined) {
      sums["llm.unpricedRequests"] += 1n;
      return undefined;
    }
    const { paid, standard } = costOf(usage, price, batch);
    sums["llm.costPico"] += paid;
    sums["llm.standardCostPico"] += standard;
    return paid;
  }

  /** The outcome of one request as its result; counts what it used. */
  settle(id: string, outcome: ItemOutcome, durationMs: number | undefined): Settlement {
    const duration = durationMs === undefined ? {} : { durationMs };
    return { result: { ...this.#result(id, outcome), ...duration } };
  }

  #result(id: string, outcome: ItemOutcome): Result {
    switch (outcome.kind) {
      case "succeeded": {
        const { text, message, usage, note } = outcome;
        const cost = this.count(usage);
        return {
          id,
          status: "succeeded",
          text,
          message,
          usage: usageOf(usage),
          costUsd: cost === undefined ? null : usd(cost),
          ...(note === undefined ? {} : { reason: note.reason }),
        };
      }
      case "errored": {
        const { failure, message } = outcome;
        return {
          id,
          status: "failed",
          error: failure.message,
          reason: failure.reason,
          ...(message === undefined ? {} : { message }),
        };
      }
      case "cancelled":
        return {
          id,
          status: "cancelled",
          reason: "cancelled",
          error: "Cancelled before the provider got to it; not billed.",
        };
      case "expired":
        return {
          id,
          status: "expired",
          reason: "expired",
          error: "The provider did not get to it within 24 hours; not billed. Retry sends it again.",
        };
    }
  }
}

const usageOf = (usage: TokenUsage): Usage => ({
  inputTokens: usage.input,
  outputTokens: usage.output,
  cacheReadTokens: usage.cacheRead,
  cacheWriteTokens: usage.cacheWrite5m + usage.cacheWrite1h,
});
