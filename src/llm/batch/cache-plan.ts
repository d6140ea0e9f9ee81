import { prefixOf } from "../calls/prefix.ts";
import type { ModelPrice } from "../pricing/rates.ts";
import type { PreparedRequest } from "../provider.ts";
import type { Job } from "./job.ts";
import type { Part } from "./parts.ts";
import { sentOf } from "./sent.ts";

/** Batches outlast five minutes. */
const TTL = "1h";
/** Before anything was measured: providers report 30 to 98 % of hits within batches. */
const FIRST_GUESS = 0.6;
/** How much a new measurement weighs. */
const WEIGHT = 0.3;
/** Bytes that a breakpoint adds to a request, at most. */
const MARK_BYTES = 120;

const keyOf = (job: Job): string => `llm.cacheHitRate.${job.provider.name}`;

/** What to do to each request on its way into the body. */
export type Marking = (request: PreparedRequest) => PreparedRequest;
const unmarked: Marking = (request) => request;

/**
 * Sets cache breakpoints on requests that begin alike, where that is likely to pay: writing a prefix for an hour costs
 * more than sending it plainly, so enough of those after the first must find it.
 */
export async function cachePlan(job: Job, part: Part): Promise<Marking> {
  const first = await job.first();
  if (first === undefined || job.batch.bytes + MARK_BYTES * part.count > job.provider.limits.maxBytes)
    return unmarked;
  const cached: Marking = (request) => job.provider.cached(request, TTL);
  const counts = new Map<string, number>();
  for await (const { stored } of sentOf(part, job.context.operations())) {
    // A group whose first request is not worth it is not read to its end.
    if (counts.size === 0 && cached(stored) === stored) return unmarked;
    const prefix = prefixOf(stored.params);
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const { price } = await job.billing(job.deps.clock.now());
  if (price === undefined) return unmarked;
  const needed = breakEven(price);
  const expected = await expectedHitRate(job);
  return (request) => {
    const alike = counts.get(prefixOf(request.params)) ?? 0;
    return alike > 1 && (expected * (alike - 1)) / alike > needed ? cached(request) : request;
  };
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
