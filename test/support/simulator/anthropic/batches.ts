import { json } from "../http.ts";
import type { Call, Reply } from "../http.ts";
import { stableToken } from "../random.ts";
import type { ServerBatch } from "../simulator.ts";
import type { World } from "../world.ts";
import { AnthropicBatch } from "./batch.ts";
import { PromptCache } from "./cache.ts";
import { readEnvelope } from "./envelope.ts";
import { errorReply, invalid, notFound } from "./errors.ts";
import type { ApiError } from "./errors.ts";

const mostPerPage = 1000;

/** Who calls, as found from the headers. */
export interface Caller {
  readonly workspace: string;
  readonly version: string;
  readonly betas: readonly string[];
}

/** All message batches of the server and the calls that work on them. */
export class AnthropicBatches {
  /** Oldest first. */
  readonly all: AnthropicBatch[] = [];
  private readonly cache = new PromptCache();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  async create(call: Call, caller: Caller): Promise<Reply> {
    const envelope = await readEnvelope(call.body);
    if ("status" in envelope) return errorReply(envelope, call.requestId);
    const count = envelope.customIds.length;
    if (this.waiting(caller.workspace) + count > this.world.queueLimit) {
      return errorReply(queueFull(this.world.queueLimit), call.requestId);
    }
    const id = `msgbatch_01${stableToken(`${this.world.seed}:batch:${this.world.next()}`, 22)}`;
    const batch = new AnthropicBatch({ id, ...caller, body: call.body, ...envelope }, this.world, this.cache);
    call.keepBody();
    this.all.push(batch);
    this.endLater(batch);
    return json(batch.view(call.origin));
  }

  list(call: Call, caller: Caller): Reply {
    const limit = Number(call.query.get("limit") ?? 20);
    if (!Number.isInteger(limit) || limit < 1 || limit > mostPerPage) {
      return errorReply(invalid(`limit: Input should be between 1 and ${mostPerPage}`), call.requestId);
    }
    const newestFirst = this.all
      .filter((batch) => batch.setup.workspace === caller.workspace && !this.world.hidden.has(batch.setup.id))
      .reverse();
    const after = call.query.get("after_id");
    const before = call.query.get("before_id");
    const place = newestFirst.findIndex((batch) => batch.setup.id === (after ?? before));
    if ((after ?? before) !== null && place < 0) {
      return errorReply(
        invalid(`${after === null ? "before_id" : "after_id"}: no such batch`),
        call.requestId,
      );
    }
    const rest = before === null ? newestFirst.slice(place + 1) : newestFirst.slice(0, place);
    const page = before === null ? rest.slice(0, limit) : rest.slice(-limit);
    return json({
      data: page.map((batch) => batch.view(call.origin)),
      has_more: rest.length > page.length,
      first_id: page[0]?.setup.id ?? null,
      last_id: page.at(-1)?.setup.id ?? null,
    });
  }

  async retrieve(call: Call, caller: Caller, id: string): Promise<Reply> {
    await this.expireOverdue();
    const batch = this.find(id, caller);
    return batch === undefined ? missing(call, id) : json(batch.view(call.origin));
  }

  cancel(call: Call, caller: Caller, id: string): Reply {
    const batch = this.find(id, caller);
    if (batch === undefined) return missing(call, id);
    if (batch.status === "ended") {
      return errorReply(
        invalid(`Batch ${id} cannot be canceled because it has already ended.`),
        call.requestId,
      );
    }
    batch.cancel();
    return json(batch.view(call.origin));
  }

  async remove(call: Call, caller: Caller, id: string): Promise<Reply> {
    const batch = this.find(id, caller);
    if (batch === undefined) return missing(call, id);
    if (batch.status !== "ended") {
      return errorReply(
        invalid(`Batch ${id} cannot be deleted while it is in progress. Cancel it first.`),
        call.requestId,
      );
    }
    this.all.splice(this.all.indexOf(batch), 1);
    await batch.setup.body.dispose();
    return json({ id, type: "message_batch_deleted" });
  }

  results(call: Call, caller: Caller, id: string): Reply {
    const batch = this.find(id, caller);
    if (batch === undefined) return missing(call, id);
    if (batch.archived) {
      return errorReply(notFound(`Results of batch ${id} are no longer available.`), call.requestId);
    }
    if (batch.status !== "ended") {
      return errorReply(invalid(`Batch ${id} has no results yet: it is still in progress.`), call.requestId);
    }
    const headers = { "content-type": "application/x-jsonl" };
    return { kind: "parts", status: 200, headers, parts: batch.results() };
  }

  views(): readonly ServerBatch[] {
    return this.all.map((batch) => ({
      provider: "anthropic",
      id: batch.setup.id,
      workspace: batch.setup.workspace,
      status: batch.status,
      customIds: batch.setup.customIds,
      params: (customId) => batch.params(customId),
    }));
  }

  /** False when there is no such batch. */
  async end(id: string): Promise<boolean> {
    const batch = this.all.find((one) => one.setup.id === id);
    await batch?.end();
    return batch !== undefined;
  }

  /** Batches whose day is over end with what was not finished as expired. */
  async expireOverdue(): Promise<void> {
    const now = this.world.clock.now();
    for (const batch of this.all) if (batch.status !== "ended" && now >= batch.expiresAt) await batch.end();
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    for (const batch of this.all) {
      // A batch that is just being decided still reads its body.
      if (batch.deciding) await batch.end();
      await batch.setup.body.dispose();
    }
  }

  private endLater(batch: AnthropicBatch): void {
    if (this.world.autoEndMs === null) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void batch.end();
    }, this.world.autoEndMs);
    this.timers.add(timer);
  }

  private waiting(workspace: string): number {
    return this.all
      .filter((batch) => batch.setup.workspace === workspace && batch.status !== "ended")
      .reduce((sum, batch) => sum + batch.size, 0);
  }

  private find(id: string, caller: Caller): AnthropicBatch | undefined {
    return this.all.find((batch) => batch.setup.id === id && batch.setup.workspace === caller.workspace);
  }
}

function missing(call: Call, id: string): Reply {
  return errorReply(notFound(`Message Batch with id ${id} not found`), call.requestId);
}

function queueFull(limit: number): ApiError {
  return {
    status: 429,
    type: "rate_limit_error",
    message: `The number of batch requests in the processing queue would exceed your organization's limit of ${limit}.`,
  };
}
