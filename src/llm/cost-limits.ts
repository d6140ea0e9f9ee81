import { isRecord } from "./prepare.ts";

/** What a limit on money can hold requests for. Each is a hold's reason. */
export const limitReasons = [
  "flush-cost-limit",
  "flush-cost-unknown",
  "daily-cost-limit",
  "cost-unknown",
] as const;
export type LimitReason = (typeof limitReasons)[number];

/** The detail of batches that were checked against `llm.maxCostPerFlush` when they were formed, or that a person let pass. */
export const costAllowed = { costAllowed: true };

export const isCostAllowed = (detail: unknown): boolean => isRecord(detail) && detail["costAllowed"] === true;

/** US dollars of a setting as picodollars. */
export const picoOf = (usd: number): bigint => BigInt(Math.round(usd * 1e6)) * 1_000_000n;
