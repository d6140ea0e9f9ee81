import { createHash } from "node:crypto";
import { isRecord } from "../../prepare.ts";
import type { CachePoint, PreparedRequest } from "../../provider.ts";
import { utf8Bytes } from "../../text.ts";
import { claudeModel } from "./models.ts";

/** Where the provider has not said how short a prefix may be. */
const USUAL_MINIMUM = 4_096;
/** Bytes of a token in ordinary text, rather more than fewer: a prefix that is too short for the cache is only not cached. */
const BYTES_PER_TOKEN = 4;
/** Blocks of messages that are looked at; what is shared stands at the beginning. */
const MOST_BLOCKS = 64;
/** Blocks that can be cached but hold no breakpoint of their own. */
const unmarkable: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);

type Params = Readonly<Record<string, unknown>>;
type Mark = Readonly<{ cache_control: { type: "ephemeral"; ttl?: "1h" } }>;

/**
 * Where a breakpoint could stand: after the tools and system prompt, and after each block of the messages but the last, as far
 * as what is before it is long enough to be cached. None in a request that sets breakpoints itself.
 */
export function cachePointsAnthropic({ params, model }: PreparedRequest): readonly CachePoint[] {
  if (setsBreakpoints(params)) return [];
  const least = (claudeModel(model)?.minCacheTokens ?? USUAL_MINIMUM) * BYTES_PER_TOKEN;
  const { tools, system, messages, max_tokens: _limit, metadata: _metadata, ...others } = params;
  const hash = createHash("sha256");
  const points: CachePoint[] = [];
  let bytes = 0;
  const take = (value: unknown, depth: number): void => {
    const text = JSON.stringify(value);
    bytes += utf8Bytes(text);
    hash.update(`${text}\n`);
    if (bytes >= least && canEnd(value)) points.push({ key: hash.copy().digest("base64"), depth });
  };
  if (tools !== undefined || system !== undefined)
    take(
      [tools, system].filter((part) => part !== undefined),
      0,
    );
  // Such as thinking and the choice of tools, which change what is cached of the messages.
  hash.update(JSON.stringify(others));
  const blocks = blocksOf(messages, MOST_BLOCKS + 1);
  blocks.slice(0, -1).forEach((block, index) => take(block, index + 1));
  return points;
}

/** The request with a breakpoint at each of these depths, as `cachePointsAnthropic` counts them. */
export function cachedAnthropic<Request extends PreparedRequest>(
  request: Request,
  ttl: "5m" | "1h",
  depths: readonly number[],
): Request {
  if (depths.length === 0 || setsBreakpoints(request.params)) return request;
  const mark: Mark = { cache_control: ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl } };
  let { params }: { params: Params } = request;
  for (const depth of depths)
    params = depth === 0 ? markedHead(params, mark) : markedBlock(params, depth, mark);
  return { ...request, params };
}

const setsBreakpoints = (params: Params): boolean => JSON.stringify(params).includes('"cache_control"');

interface Block {
  readonly role: unknown;
  /** Place of its message. */
  readonly message: number;
  readonly block: unknown;
}

/** All blocks of the messages in order; a text that is a whole message is one. */
function blocksOf(messages: unknown, most = Number.POSITIVE_INFINITY): readonly Block[] {
  const found: Block[] = [];
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  for (const [message, each] of all.entries()) {
    if (found.length >= most || !isRecord(each)) break;
    const { role, content } = each;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [textBlock(content)];
    found.push(...blocks.map((block) => ({ role, message, block })));
  }
  return found.slice(0, most);
}

const textBlock = (text: unknown): unknown => ({ type: "text", text });

const canEnd = (value: unknown): boolean =>
  !isRecord(value) ||
  !isRecord(value["block"]) ||
  (!unmarkable.has(value["block"]["type"]) && value["block"]["text"] !== "");

function markedHead(params: Params, mark: Mark): Params {
  const { system, tools } = params;
  if (typeof system === "string") return { ...params, system: [{ type: "text", text: system, ...mark }] };
  if (Array.isArray(system)) return { ...params, system: markedLast(system, mark) };
  return Array.isArray(tools) ? { ...params, tools: markedLast(tools, mark) } : params;
}

function markedLast(blocks: readonly unknown[], mark: Mark): readonly unknown[] {
  const last = blocks.at(-1);
  return isRecord(last) ? [...blocks.slice(0, -1), { ...last, ...mark }] : blocks;
}

function markedBlock(params: Params, depth: number, mark: Mark): Params {
  const messages: readonly unknown[] = Array.isArray(params["messages"]) ? params["messages"] : [];
  const at = blocksOf(messages)[depth - 1];
  if (at === undefined) return params;
  const before = blocksOf(messages.slice(0, at.message)).length;
  const marked = messages.map((message, index) => {
    if (index !== at.message || !isRecord(message)) return message;
    const { content } = message;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [textBlock(content)];
    const inside = depth - before;
    return { ...message, content: [...markedLast(blocks.slice(0, inside), mark), ...blocks.slice(inside)] };
  });
  return { ...params, messages: marked };
}
