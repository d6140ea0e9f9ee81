import { createHash } from "node:crypto";
import type { JsonObject } from "../http.ts";
import type { Model } from "./models.ts";
import { promptBlocks } from "./prompt.ts";

/** Tokens of a prompt by what they cost. */
export interface PromptTokens {
  readonly uncached: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly read: number;
}

interface Breakpoint {
  readonly tokens: number;
  readonly hash: string;
  readonly ttl: "5m" | "1h";
}

interface Measured {
  readonly total: number;
  readonly breakpoints: readonly Breakpoint[];
}

const lifetimes = { "5m": 300_000, "1h": 3_600_000 };
const overhead = 8;

export function tokensOf(text: string, model: Model): number {
  return Math.ceil(Buffer.byteLength(text) / model.bytesPerToken);
}

/** All tokens of a prompt, cached or not. */
export function promptLength(params: JsonObject, model: Model): number {
  return measure(params, model).total;
}

/** The prefixes that were written, each until its time is over. Batches and single calls have one each. */
export class PromptCache {
  private readonly until = new Map<string, number>();

  /** How many of the prompt's breakpoints are read; writes the others for those who come later. */
  touch(params: JsonObject, model: Model, now: number): number {
    const { breakpoints } = measure(params, model);
    const hits = breakpoints.findLastIndex(({ hash }) => (this.until.get(hash) ?? 0) > now) + 1;
    for (const { hash, ttl } of breakpoints) this.until.set(hash, now + lifetimes[ttl]);
    return hits;
  }
}

/** Splits a prompt's tokens, given that its first `hits` breakpoints were read from the cache. */
export function promptTokens(params: JsonObject, model: Model, hits: number): PromptTokens {
  const { total, breakpoints } = measure(params, model);
  const read = hits === 0 ? 0 : (breakpoints[hits - 1]?.tokens ?? 0);
  const written = { "5m": 0, "1h": 0 };
  let start = read;
  for (const point of breakpoints.slice(hits)) {
    written[point.ttl] += point.tokens - start;
    start = point.tokens;
  }
  return { uncached: total - start, written5m: written["5m"], written1h: written["1h"], read };
}

function measure(params: JsonObject, model: Model): Measured {
  const hash = createHash("sha256").update(model.id);
  const breakpoints: Breakpoint[] = [];
  let total = overhead;
  for (const block of promptBlocks(params)) {
    total += tokensOf(block.json, model);
    hash.update("\0").update(block.json);
    if (block.cache !== undefined && total >= model.minimumCacheTokens) {
      breakpoints.push({ tokens: total, hash: hash.copy().digest("base64"), ttl: block.cache });
    }
  }
  return { total, breakpoints };
}
