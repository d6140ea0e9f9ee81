import { isObject, json, jsonBody } from "../http.ts";
import type { Call, Reply } from "../http.ts";
import { stableToken } from "../random.ts";
import type { ServerBatch } from "../simulator.ts";
import type { World } from "../world.ts";
import { OpenaiBatch } from "./batch.ts";
import { errorReply, invalid, notFound } from "./errors.ts";
import type { ApiError } from "./errors.ts";
import type { OpenaiFiles } from "./files.ts";
import { cursorPage } from "./page.ts";
import { endpoints, isEndpoint } from "./params.ts";

const hour = 3_600_000;
const creationsPerHour = 2000;
/** Steps from creation to completion. */
const stages = 4;
const leastOutputLife = 3600;
const mostOutputLife = 2_592_000;

/** All batches of all projects and the calls that work on them. */
export class OpenaiBatches {
  /** Oldest first. */
  private readonly all: OpenaiBatch[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly world: World;
  private readonly files: OpenaiFiles;

  constructor(world: World, files: OpenaiFiles) {
    this.world = world;
    this.files = files;
  }

  async create(call: Call, project: string): Promise<Reply> {
    const body = await jsonBody(call.body);
    if (body === undefined) return errorReply(invalid("We could not parse the JSON body of your request."));
    const wrong = checkMetadata(body["metadata"]) ?? checkOutputLife(body["output_expires_after"]);
    if (wrong !== undefined) return errorReply(wrong);
    const { input_file_id: fileId, endpoint, completion_window: window } = body;
    if (typeof fileId !== "string") {
      return errorReply(
        invalid(
          "Missing required parameter: 'input_file_id'.",
          "input_file_id",
          "missing_required_parameter",
        ),
      );
    }
    if (!isEndpoint(endpoint)) {
      const message = `Invalid value: '${String(endpoint)}'. Supported values are: ${endpoints.join(", ")}.`;
      return errorReply(invalid(message, "endpoint", "invalid_value"));
    }
    if (window !== "24h") {
      const message = `Invalid value: '${String(window)}'. Supported values are: '24h'.`;
      return errorReply(invalid(message, "completion_window", "invalid_value"));
    }
    const input = this.files.find(fileId, project);
    if (input === undefined) return errorReply(invalid(`No such File object: ${fileId}`, "input_file_id"));
    if (input.purpose !== "batch") {
      return errorReply(invalid(`File ${fileId} does not have the purpose 'batch'.`, "input_file_id"));
    }
    const now = this.world.clock.now();
    const recent = this.all.filter((one) => one.setup.project === project && one.createdAt > now - hour);
    if (recent.length >= creationsPerHour) return errorReply(tooManyBatches());
    const id = `batch_${stableToken(`${this.world.seed}:openai-batch:${this.world.next()}`, 32)}`;
    const expires = body["output_expires_after"];
    const outputLife = isObject(expires) ? Number(expires["seconds"]) * 1000 : undefined;
    const setup = { id, project, endpoint, input, metadata: body["metadata"], outputLife };
    const batch = new OpenaiBatch(setup, this.world, this.files);
    this.all.push(batch);
    this.stepLater(batch);
    return json(batch.view());
  }

  list(call: Call, project: string): Reply {
    const shown = this.all.filter((one) => one.setup.project === project && !this.world.hidden.has(one.id));
    return cursorPage(call.query, shown.reverse(), { usual: 20, most: 100 }, (batch) => batch.view());
  }

  async retrieve(id: string, project: string): Promise<Reply> {
    await this.expireOverdue();
    const batch = this.find(id, project);
    return batch === undefined ? missing(id) : json(batch.view());
  }

  cancel(id: string, project: string): Reply {
    const batch = this.find(id, project);
    if (batch === undefined) return missing(id);
    if (batch.over || batch.status === "finalizing") {
      return errorReply({ ...invalid(`Cannot cancel a batch with status '${batch.status}'.`), status: 409 });
    }
    if (batch.status !== "cancelling") batch.cancel();
    return json(batch.view());
  }

  /** One stage further; false when there is no such batch. */
  async step(id: string): Promise<boolean> {
    const batch = this.all.find((one) => one.id === id);
    await batch?.step((model) => this.enqueued(model, batch));
    return batch !== undefined;
  }

  async end(id: string): Promise<boolean> {
    const batch = this.all.find((one) => one.id === id);
    while (batch?.over === false) await this.step(id);
    return batch !== undefined;
  }

  async expireOverdue(): Promise<void> {
    for (const batch of this.all) if (batch.overdue) await this.end(batch.id);
  }

  views(): readonly ServerBatch[] {
    return this.all.map((batch) => ({
      provider: "openai",
      id: batch.id,
      workspace: batch.setup.project,
      status: batch.status,
      customIds: batch.input?.customIds ?? [],
      params: (customId) => batch.body(customId),
    }));
  }

  /** Resolves when no batch reads its input any more. */
  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    for (const batch of this.all) await batch.settled;
  }

  private stepLater(batch: OpenaiBatch): void {
    const all = this.world.autoEndMs;
    if (all === null) return;
    const timer = setTimeout(() => {
      void this.step(batch.id).then(() => {
        // A timer that is gone was cleared while the step ran: the simulator is closing.
        if (this.timers.delete(timer) && !batch.over) this.stepLater(batch);
      });
    }, all / stages);
    this.timers.add(timer);
  }

  private enqueued(model: string, except: OpenaiBatch): number {
    return this.all
      .filter((one) => one !== except && !one.over && one.input?.model === model)
      .reduce((sum, one) => sum + (one.input?.tokens ?? 0), 0);
  }

  private find(id: string, project: string): OpenaiBatch | undefined {
    return this.all.find((batch) => batch.id === id && batch.setup.project === project);
  }
}

function missing(id: string): Reply {
  return errorReply(notFound(`No batch found with id '${id}'.`));
}

function tooManyBatches(): ApiError {
  return {
    status: 429,
    type: "requests",
    message: `Rate limit reached: ${creationsPerHour} batches per hour.`,
    code: "rate_limit_exceeded",
    param: null,
  };
}

function checkMetadata(metadata: unknown): ApiError | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  if (!isObject(metadata)) return invalid("Invalid type for 'metadata': expected an object.", "metadata");
  const pairs = Object.entries(metadata);
  if (pairs.length > 16) return invalid("Invalid 'metadata': too many properties, at most 16.", "metadata");
  for (const [key, value] of pairs) {
    if (key.length > 64) return invalid("Invalid 'metadata': property name longer than 64.", "metadata");
    if (typeof value !== "string" || value.length > 512) {
      return invalid(
        `Invalid 'metadata.${key}': expected a string of at most 512 characters.`,
        `metadata.${key}`,
      );
    }
  }
  return undefined;
}

function checkOutputLife(value: unknown): ApiError | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = isObject(value) ? value["seconds"] : undefined;
  const ok = typeof seconds === "number" && seconds >= leastOutputLife && seconds <= mostOutputLife;
  if (ok && isObject(value) && value["anchor"] === "created_at") return undefined;
  return invalid(
    `Invalid 'output_expires_after': anchor 'created_at' and ${leastOutputLife} to ${mostOutputLife} seconds.`,
    "output_expires_after",
  );
}
