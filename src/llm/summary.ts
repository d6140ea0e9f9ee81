import { usd } from "../core/stats.ts";
import { estimateCost } from "./pricing/estimate.ts";
import type { EstimatedTokens } from "./pricing/estimate.ts";
import type { TokenUsage } from "./provider.ts";
import type { ModelPrice } from "./pricing/rates.ts";
import { costOf } from "./pricing/rates.ts";
import type { Billing } from "./settlement.ts";

/** Adds up what the answers of one batch cost, for a person to read. */
export class Summary {
  readonly #billing: Billing;
  #answers = 0;
  #paid = 0n;
  #standard = 0n;
  /** What the answers had cost without caching. */
  #uncached = 0n;
  #read = 0;
  #written = 0;

  constructor(billing: Billing) {
    this.#billing = billing;
  }

  add(usage: TokenUsage): void {
    this.#answers += 1;
    this.#read += usage.cacheRead;
    this.#written += usage.cacheWrite5m + usage.cacheWrite1h;
    const { price, batch } = this.#billing;
    if (price === undefined) return;
    const { paid, standard } = costOf(usage, price, batch);
    const input = usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
    const plain = { ...usage, input, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    this.#paid += paid;
    this.#standard += standard;
    this.#uncached += costOf(plain, price, batch).paid;
  }

  /** As part of a batch's detail. Costs are US dollars, `null` where the price is unknown. */
  detail(estimate: EstimatedTokens): Readonly<Record<string, unknown>> {
    if (this.#answers === 0) return {};
    const { price } = this.#billing;
    const money =
      price === undefined
        ? { costUsd: null, priceSource: null }
        : {
            costUsd: usd(this.#paid),
            standardCostUsd: usd(this.#standard),
            savedUsd: usd(this.#standard - this.#paid),
            estimatedUsd: this.#estimated(estimate, price),
            priceSource: price.source,
          };
    return { ...money, ...this.#cache() };
  }

  #estimated(estimate: EstimatedTokens, price: ModelPrice): Readonly<Record<string, number>> {
    const { least, most } = estimateCost(estimate, price, this.#billing.batch);
    return { least: usd(least), most: usd(most) };
  }

  /** Share of cached tokens that were read and not written; `undefined` where nothing was cached. */
  get hitRate(): number | undefined {
    const cached = this.#read + this.#written;
    return cached === 0 ? undefined : this.#read / cached;
  }

  #cache(): Readonly<Record<string, unknown>> {
    const { hitRate } = this;
    if (hitRate === undefined) return {};
    if (this.#billing.price === undefined) return { cache: { hitRate } };
    const saved = this.#uncached - this.#paid;
    const verdict = saved >= 0n ? "Caching saved money." : "Caching cost more than it saved.";
    return { cache: { hitRate, savedUsd: usd(saved), verdict } };
  }
}
