import { json, keyOf } from "../http.ts";
import type { Call, Reply } from "../http.ts";
import { RateLimit } from "../rate-limit.ts";
import { stableToken } from "../random.ts";
import type { World } from "../world.ts";
import { AnthropicBatches } from "./batches.ts";
import type { Caller } from "./batches.ts";
import { errorBody, errorReply, invalid, notFound } from "./errors.ts";
import type { ApiError } from "./errors.ts";
import { AnthropicMessages } from "./messages.ts";
import { activeModels } from "./models.ts";

const versions = ["2023-01-01", "2023-06-01", "2026-10-21"];
const megabyte = 1_000_000;
const batchBytes = 256 * megabyte;
const messageBytes = 32 * megabyte;

/** The Anthropic side of the simulator. */
export class AnthropicApi {
  readonly batches: AnthropicBatches;
  private readonly messages: AnthropicMessages;
  private readonly rates: RateLimit;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.batches = new AnthropicBatches(world);
    this.messages = new AnthropicMessages(world);
    this.rates = new RateLimit(world.requestsPerMinute, world.clock);
  }

  handles(call: { readonly path: string; readonly headers: Call["headers"] }): boolean {
    return call.path.startsWith("/v1/messages") || "anthropic-version" in call.headers;
  }

  /** How long the body of a request may be. */
  limit(path: string): number {
    return path === "/v1/messages/batches" ? this.world.batchBytes(batchBytes) : messageBytes;
  }

  tooLarge(requestId: string): Reply {
    const message = "Request exceeds the maximum size";
    return errorReply({ status: 413, type: "request_too_large", message }, requestId);
  }

  async handle(call: Call): Promise<Reply> {
    const caller = this.identify(call);
    if ("status" in caller)
      return withHeaders(errorReply(caller, call.requestId), { "request-id": call.requestId });
    const workspace = `wrkspc_01${stableToken(caller.workspace, 22)}`;
    const headers = { "request-id": call.requestId, "anthropic-workspace-id": workspace };
    if (!call.path.startsWith("/v1/messages/batches")) {
      return withHeaders(await this.single(call, caller), headers);
    }
    const rate = this.rates.use(caller.workspace);
    const all = { ...headers, ...rate.headers };
    if (rate.retryAfter === undefined) return withHeaders(await this.batch(call, caller), all);
    const error = { type: "rate_limit_error", message: "Number of requests has exceeded your rate limit" };
    const value = errorBody({ status: 429, ...error }, call.requestId);
    return json(value, 429, { ...all, "retry-after": String(rate.retryAfter) });
  }

  private identify(call: Call): Caller | ApiError {
    const key = keyOf(call.headers);
    const refused = { status: 401, type: "authentication_error" };
    if (key === undefined) return { ...refused, message: "x-api-key header is required" };
    const workspace = this.world.workspaceOf(key);
    if (workspace === undefined) return { ...refused, message: "invalid x-api-key" };
    const version = call.headers["anthropic-version"];
    if (typeof version !== "string") return invalid("anthropic-version: header is required");
    if (!versions.includes(version)) return invalid(`anthropic-version: "${version}" is not a valid version`);
    const type = call.headers["content-type"] ?? "";
    if (call.method === "POST" && call.body.bytes > 0 && !type.startsWith("application/json")) {
      return invalid("content-type: must be application/json");
    }
    const betas = String(call.headers["anthropic-beta"] ?? "");
    return {
      workspace,
      version,
      betas: betas
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean),
    };
  }

  private async single(call: Call, caller: Caller): Promise<Reply> {
    switch (`${call.method} ${call.path}`) {
      case "POST /v1/messages":
        return this.messages.create(call, caller);
      case "POST /v1/messages/count_tokens":
        return this.messages.countTokens(call);
      case "GET /v1/models":
        return json(modelPage(this.world.clock.now()));
      default:
        return unrouted(call);
    }
  }

  private async batch(call: Call, caller: Caller): Promise<Reply> {
    const [id, action, ...more] = call.path.split("/").slice(4).map(decodeURIComponent);
    if (more.length > 0) return unrouted(call);
    if (id === undefined) {
      if (call.method === "POST") return this.batches.create(call, caller);
      return call.method === "GET" ? this.batches.list(call, caller) : unrouted(call);
    }
    switch (`${call.method} ${action ?? ""}`) {
      case "GET ":
        return this.batches.retrieve(call, caller, id);
      case "DELETE ":
        return this.batches.remove(call, caller, id);
      case "POST cancel":
        return this.batches.cancel(call, caller, id);
      case "GET results":
        return this.batches.results(call, caller, id);
      default:
        return unrouted(call);
    }
  }
}

function unrouted(call: Call): Reply {
  return errorReply(notFound(`Not found: ${call.method} ${call.path}`), call.requestId);
}

function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

function modelPage(now: number): unknown {
  const data = activeModels(now).map((one) => ({
    type: "model",
    id: one.id,
    display_name: one.id,
    created_at: "2026-01-01T00:00:00Z",
    max_tokens: one.maxTokens,
    capabilities: { batch: { supported: true } },
  }));
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
