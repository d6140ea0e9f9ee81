import { setImmediate } from "node:timers/promises";
import type { ModelPrice } from "../pricing/rates.ts";
import type { CachePoint, PreparedRequest } from "../provider.ts";
import type { Job } from "./job.ts";
import type { Part } from "./parts.ts";
import { sentOf } from "./sent.ts";

/** Batches outlast five minutes. */
const TTL = "1h";
/** Before anything was measured: providers report 30 to 98 % of hits within batches. */
const FIRST_GUESS = 0.6;
/** How much a new measurement weighs. */
const WEIGHT = 0.3;
/** Bytes that breakpoints add to a request, at most. */
const MARK_BYTES = 240;
/** A group is not read to its end where none of its first requests could be cached. */
const LOOKED_AT = 20;

const keyOf = (job: Job): string => `llm.cacheHitRate.${job.provider.name}`;

/** What to do to each request on its way into the body. */
export type Marking = (request: PreparedRequest) => PreparedRequest;
const unmarked: Marking = (request) => request;

/**
 * Sets cache breakpoints on requests that begin alike, where that is likely to pay: writing a prefix for an hour costs
 * more than sending it plainly, so enough of those after the first must find it.
 */
export async function cachePlan(job: Job, part: Part): Promise<Marking> {
  if (job.batch.bytes + MARK_BYTES * part.count > job.provider.limits.maxBytes) return unmarked;
  const { price } = await job.billing(job.deps.clock.now());
  if (price === undefined) return unmarked;
  const alike = new Map<string, number>();
  let looked = 0;
  for await (const { stored } of sentOf(part, job.context.operations())) {
    for (const { key } of job.provider.cachePoints(stored)) alike.set(key, (alike.get(key) ?? 0) + 1);
    looked += 1;
    if (alike.size === 0 && looked >= LOOKED_AT) return unmarked;
    if (looked % LOOKED_AT === 0) await setImmediate();
  }
  const needed = breakEven(price);
  const expected = await expectedHitRate(job);
  const pays = (count: number): boolean => count > 1 && (expected * (count - 1)) / count > needed;
  return (request) => {
    const points = job.provider.cachePoints(request).filter(({ key }) => pays(alike.get(key) ?? 0));
    return job.provider.cached(request, TTL, depthsOf(points));
  };
}

/** The tools and system prompt, and the last block of what is shared: what lies between is in both. */
export function depthsOf(points: readonly CachePoint[]): readonly number[] {
  const depths = points.map(({ depth }) => depth);
  return [...new Set([...depths.filter((depth) => depth === 0), ...depths.slice(-1)])];
}

/** Share of requests that must find the prefix so that writing it for an hour pays. */
export function breakEven({ rates }: ModelPrice): number {
  const [write, read, input] = [rates.cacheWrite1h, rates.cacheRead, rates.input].map(Number) as [
    number,
    number,
    number,
  ];
  return (write - input) / (write - read);
}

async function expectedHitRate(job: Job): Promise<number> {
  const measured = Number((await job.deps.recall(keyOf(job))) ?? Number.NaN);
  return Number.isFinite(measured) ? measured : FIRST_GUESS;
}

/** Keeps what was measured for the next decision. */
export async function noteHitRate(job: Job, hitRate: number | undefined): Promise<void> {
  if (hitRate === undefined) return;
  const before = await expectedHitRate(job);
  await job.deps.remember(keyOf(job), String(before * (1 - WEIGHT) + hitRate * WEIGHT));
}
