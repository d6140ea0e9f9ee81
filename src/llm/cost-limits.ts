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

/** The detail of batches that a person let pass the limit per day as well, when they were formed. */
export const overDayAllowed = { ...costAllowed, overDayAllowed: true };

export const isOverDayAllowed = (detail: unknown): boolean =>
  isRecord(detail) && detail["overDayAllowed"] === true;

const MICRO = 1_000_000;

/** US dollars of a setting as picodollars. A limit that is too small to be told from none is the smallest there is. */
export function picoOf(usd: number): bigint {
  if (usd <= 0) return 0n;
  return BigInt(Math.min(Number.MAX_SAFE_INTEGER, Math.max(1, Math.round(usd * MICRO)))) * BigInt(MICRO);
}
