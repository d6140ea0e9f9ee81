import type { Body } from "../body.ts";
import { isoTime } from "../clock.ts";
import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import { readItems } from "../items.ts";
import type { ItemIndex } from "../items.ts";
import { findOutcome } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import { stableShare } from "../random.ts";
import type { World } from "../world.ts";
import { answerMessage } from "./answer.ts";
import type { PromptCache } from "./cache.ts";
import type { ApiError } from "./errors.ts";
import { errorBody } from "./errors.ts";
import { findModel } from "./models.ts";
import { checkParams } from "./params.ts";
import type { ParamsContext } from "./params.ts";
import { promptBlocks } from "./prompt.ts";

const hour = 3_600_000;
const lifetime = 24 * hour;
const readable = 29 * 24 * hour;

/** What became of an item, in one byte. */
const fates = ["succeeded", "errored", "canceled", "expired", "missing"] as const;
type Fate = (typeof fates)[number];

export interface BatchSetup {
  readonly id: string;
  readonly workspace: string;
  readonly body: Body;
  readonly items: ItemIndex;
  readonly customIds: readonly string[];
  readonly version: string;
  readonly betas: readonly string[];
}

/**
 * One message batch. Of each item only its place in the body, its fate and its cache hits are kept;
 * answers are made while the results are read.
 */
export class AnthropicBatch {
  readonly setup: BatchSetup;
  readonly createdAt: number;
  readonly expiresAt: number;
  cancelInitiatedAt: number | undefined;
  endedAt: number | undefined;
  private ending: Promise<void> | undefined;
  private readonly fates: Uint8Array;
  private readonly hits: Uint8Array;
  private readonly forced = new Map<number, Outcome>();
  private readonly counts = { succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  private readonly world: World;
  private readonly cache: PromptCache;

  constructor(setup: BatchSetup, world: World, cache: PromptCache) {
    this.setup = setup;
    this.world = world;
    this.cache = cache;
    this.createdAt = world.clock.now();
    this.expiresAt = this.createdAt + lifetime;
    this.fates = new Uint8Array(setup.items.count);
    this.hits = new Uint8Array(setup.items.count);
  }

  get size(): number {
    return this.setup.items.count;
  }

  get status(): "in_progress" | "canceling" | "ended" {
    if (this.endedAt !== undefined) return "ended";
    return this.cancelInitiatedAt === undefined ? "in_progress" : "canceling";
  }

  get archived(): boolean {
    return this.world.clock.now() >= this.createdAt + readable;
  }

  /** True while {@link end} reads the items. */
  get deciding(): boolean {
    return this.ending !== undefined && this.endedAt === undefined;
  }

  cancel(): void {
    this.cancelInitiatedAt ??= this.world.clock.now();
  }

  /** Decides what becomes of every item. A batch that is over its time ends with the rest expired. */
  end(): Promise<void> {
    this.ending ??= this.decide();
    return this.ending;
  }

  /** The batch as the API shows it; counts move only when it has ended. */
  view(origin: string): JsonObject {
    const ended = this.endedAt !== undefined;
    const resultsUrl = `${origin}/v1/messages/batches/${this.setup.id}/results`;
    return {
      id: this.setup.id,
      type: "message_batch",
      processing_status: this.status,
      request_counts: {
        processing: ended ? 0 : this.size,
        ...(ended ? this.counts : { succeeded: 0, errored: 0, canceled: 0, expired: 0 }),
      },
      created_at: isoTime(this.createdAt),
      expires_at: isoTime(this.expiresAt),
      ended_at: orNull(this.endedAt),
      cancel_initiated_at: orNull(this.cancelInitiatedAt),
      archived_at: this.archived ? isoTime(this.createdAt + readable) : null,
      results_url: ended && !this.archived ? resultsUrl : null,
    };
  }

  async *results(): AsyncGenerator<string> {
    const { body, items, customIds, id } = this.setup;
    for await (const { index, value } of readItems(body, items, this.world.order(id))) {
      const fate = fates[this.fates[index] ?? 0] ?? "succeeded";
      if (fate === "missing") continue;
      const line = { custom_id: customIds[index], result: this.result(index, paramsOf(value), fate) };
      yield `${JSON.stringify(line)}\n`;
    }
  }

  async params(customId: string): Promise<JsonObject | undefined> {
    const { body, items, customIds } = this.setup;
    const index = customIds.indexOf(customId);
    if (index < 0) return undefined;
    const bytes = await body.read(items.start(index), items.end(index) - items.start(index));
    return paramsOf(JSON.parse(bytes.toString()));
  }

  private async decide(): Promise<void> {
    const { body, items, id } = this.setup;
    const expired = this.world.clock.now() >= this.expiresAt;
    const canceled = this.cancelInitiatedAt !== undefined;
    const finished = expired || canceled ? Math.floor(this.size * this.world.finishedShare) : this.size;
    for await (const { index, value } of readItems(body, items)) {
      const params = paramsOf(value);
      const fate = index < finished ? this.fateOf(index, params) : canceled ? "canceled" : "expired";
      this.fates[index] = fates.indexOf(fate);
      this.counts[fate === "missing" ? "succeeded" : fate] += 1;
      const model = findModel(String(params["model"]), this.createdAt);
      if (fate !== "succeeded" || model === undefined) continue;
      const hits = this.cache.touch(params, model, this.world.clock.now());
      this.hits[index] =
        stableShare(`${this.world.seed}:${id}:${index}`) < this.world.cacheHitRate ? hits : 0;
    }
    this.endedAt = this.world.clock.now();
  }

  private fateOf(index: number, params: JsonObject): Fate {
    const prompt = (): string => promptText(params);
    const forced = findOutcome(this.world.outcomes, this.setup.customIds[index], prompt);
    if (forced !== undefined) this.forced.set(index, forced);
    const decided = forced?.kind ?? "succeeded";
    return decided === "succeeded" && checkParams(params, this.context) !== undefined ? "errored" : decided;
  }

  private get context(): ParamsContext {
    return { version: this.setup.version, betas: this.setup.betas, inBatch: true, now: this.createdAt };
  }

  private result(index: number, params: JsonObject, fate: Exclude<Fate, "missing">): JsonObject {
    const seed = `${this.world.seed}:${this.setup.id}:${index}`;
    if (fate === "canceled" || fate === "expired") return { type: fate };
    const forced = this.forced.get(index);
    const model = findModel(String(params["model"]), this.createdAt);
    if (fate === "errored" || model === undefined) {
      return {
        type: "errored",
        error: errorBody(this.errorOf(forced, params), `req_${this.setup.id}_${index}`),
      };
    }
    const hits = this.hits[index] ?? 0;
    const wish = forced?.kind === "succeeded" ? forced : undefined;
    return {
      type: "succeeded",
      message: answerMessage(params, { model, seed, tier: "batch", hits, forced: wish }),
    };
  }

  private errorOf(forced: Outcome | undefined, params: JsonObject): ApiError {
    if (forced?.kind === "errored") return { status: 400, ...forced };
    return (
      checkParams(params, this.context) ?? {
        status: 500,
        type: "api_error",
        message: "Internal server error",
      }
    );
  }
}

function paramsOf(value: unknown): JsonObject {
  const params = isObject(value) ? value["params"] : undefined;
  return isObject(params) ? params : {};
}

function promptText(params: JsonObject): string {
  return promptBlocks(params)
    .map((block) => block.json)
    .join("\n");
}

function orNull(time: number | undefined): string | null {
  return time === undefined ? null : isoTime(time);
}
