import { VirtualClock } from "./clock.ts";
import type { OutcomeRule } from "./outcome.ts";
import { inOrder } from "./items.ts";
import { shuffledIndexes } from "./random.ts";

export interface SimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Milliseconds until a batch ends by itself; null leaves it running until it is ended by hand. 300 when absent. */
  readonly autoEndMs?: number | null;
  /** Which workspace (or project) a key belongs to; keys that are not named belong to `default`. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Keys that are refused. Every other non-empty key is accepted. */
  readonly badKeys?: readonly string[];
  /** Rate and queue limits of the account; `scale` when absent. */
  readonly tier?: Tier;
  /** Batch items that may wait at the same time, instead of the tier's. */
  readonly queueLimit?: number;
  /** Calls of the batch endpoints per minute, instead of the tier's. */
  readonly requestsPerMinute?: number;
  /** OpenAI: prompt tokens that may be enqueued per model; no limit when absent. */
  readonly enqueuedTokenLimit?: number;
  readonly maxBatchBytes?: number;
  /** The order of result lines; `shuffled` when absent, always the same for the same seed. */
  readonly order?: "shuffled" | "submitted" | "reversed";
  /** Which share of its items a batch has finished when it is canceled or expires; 0.5 when absent. */
  readonly finishedShare?: number;
  /** How probable it is that a cached prefix is found again within batches; 1 when absent. */
  readonly cacheHitRate?: number;
  readonly seed?: string;
}

export type Tier = "start" | "build" | "scale";

/** Limits of the Anthropic batch endpoints per tier, as the vendor's rate-limit page gives them. */
const tiers: Readonly<Record<Tier, { readonly perMinute: number; readonly queued: number }>> = {
  start: { perMinute: 1000, queued: 200_000 },
  build: { perMinute: 2000, queued: 300_000 },
  scale: { perMinute: 4000, queued: 500_000 },
};

/** What both APIs share: the settings, the clock and what tests have ordered. */
export class World {
  readonly clock = new VirtualClock();
  readonly outcomes: OutcomeRule[] = [];
  /** Batches that `list` does not show. */
  readonly hidden = new Set<string>();
  /** Where big request bodies are kept. */
  readonly folder: string;
  readonly seed: string;
  readonly autoEndMs: number | null;
  readonly queueLimit: number;
  readonly requestsPerMinute: number;
  readonly enqueuedTokenLimit: number;
  readonly finishedShare: number;
  readonly cacheHitRate: number;
  private readonly options: SimulatorOptions;
  private serial = 0;

  constructor(options: SimulatorOptions, folder: string) {
    const tier = tiers[options.tier ?? "scale"];
    this.options = options;
    this.folder = folder;
    this.seed = options.seed ?? "seed";
    this.autoEndMs = options.autoEndMs === undefined ? 300 : options.autoEndMs;
    this.queueLimit = options.queueLimit ?? tier.queued;
    this.requestsPerMinute = options.requestsPerMinute ?? tier.perMinute;
    this.enqueuedTokenLimit = options.enqueuedTokenLimit ?? Number.POSITIVE_INFINITY;
    this.finishedShare = options.finishedShare ?? 0.5;
    this.cacheHitRate = options.cacheHitRate ?? 1;
  }

  /** The vendor's own limit where tests set no smaller one. */
  batchBytes(usual: number): number {
    return Math.min(usual, this.options.maxBatchBytes ?? usual);
  }

  /** Undefined when the key is refused. */
  workspaceOf(key: string): string | undefined {
    return this.options.badKeys?.includes(key) === true ? undefined : (this.options.keys?.[key] ?? "default");
  }

  /** The order of result lines, for {@link readItems}. */
  order(seed: string): (count: number) => Iterable<number> {
    switch (this.options.order ?? "shuffled") {
      case "submitted":
        return inOrder;
      case "reversed":
        return (count) => Array.from({ length: count }, (_, index) => count - 1 - index);
      case "shuffled":
        return (count) => shuffledIndexes(count, `${this.seed}:${seed}`);
    }
  }

  next(): number {
    this.serial += 1;
    return this.serial;
  }
}
