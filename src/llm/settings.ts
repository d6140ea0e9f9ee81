import type { ProviderName } from "./provider.ts";

/** US dollars per million tokens. Cache prices left out follow the usual multiples of the input price: 0.1, 1.25 and 2. */
export interface PriceOverride {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
  /** What the provider's batch endpoint charges of it; 0.5 where left out. */
  readonly batchMultiplier?: number;
}

/** The `batchControl.llm.*` settings that this room reads, as they are now. */
export interface LlmSettings {
  readonly provider: ProviderName;
  readonly anthropicBaseUrl: string;
  readonly openaiBaseUrl: string;
  /** Seconds. */
  readonly pollInterval: number;
  /** Seconds. */
  readonly unknownOutcomeWait: number;
  /** US dollars; 0 means no limit. */
  readonly maxCostPerFlush: number;
  /** US dollars; 0 means no limit. */
  readonly maxCostPerDay: number;
  /** By exact model id; each entry as it was written, which may be no `PriceOverride`. */
  readonly prices: Readonly<Record<string, unknown>>;
  readonly packing: boolean;
}
