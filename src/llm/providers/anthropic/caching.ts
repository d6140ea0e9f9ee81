import { isRecord } from "../../prepare.ts";
import type { PreparedRequest } from "../../provider.ts";
import { utf8Bytes } from "../../text.ts";
import { claudeModel } from "./models.ts";

/** Where the provider has not said how short a prefix may be. */
const USUAL_MINIMUM = 4_096;
/** Bytes of a token in ordinary text, rather more than fewer: a prefix that is too short for the cache is only not cached. */
const BYTES_PER_TOKEN = 4;

export type Ttl = "5m" | "1h";

/**
 * The request with a cache breakpoint after its system prompt, or after its tools where there is none, so that requests
 * that begin alike share that part. One that sets breakpoints itself, or whose prefix is too short to be cached, stays as it is.
 */
export function cachedAnthropic<Request extends PreparedRequest>(request: Request, ttl: Ttl): Request {
  const { params, model } = request;
  if (prefixTokens(params) < (claudeModel(model)?.minCacheTokens ?? USUAL_MINIMUM)) return request;
  if (JSON.stringify(params).includes('"cache_control"')) return request;
  const mark = { cache_control: ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl } };
  const { system, tools } = params;
  if (typeof system === "string")
    return { ...request, params: { ...params, system: [{ type: "text", text: system, ...mark }] } };
  if (Array.isArray(system)) return { ...request, params: { ...params, system: marked(system, mark) } };
  return Array.isArray(tools) ? { ...request, params: { ...params, tools: marked(tools, mark) } } : request;
}

/** About how many tokens come before the messages. */
export function prefixTokens({ tools, system }: Readonly<Record<string, unknown>>): number {
  const parts = [tools, system].filter((part) => part !== undefined);
  return parts.reduce<number>((sum, part) => sum + utf8Bytes(JSON.stringify(part)) / BYTES_PER_TOKEN, 0);
}

function marked(blocks: readonly unknown[], mark: Readonly<Record<string, unknown>>): readonly unknown[] {
  const last = blocks.at(-1);
  return isRecord(last) ? [...blocks.slice(0, -1), { ...last, ...mark }] : blocks;
}
