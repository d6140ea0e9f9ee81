import type { JsonObject } from "../http.ts";
import { readItems } from "../items.ts";
import type { Item } from "../items.ts";
import { findOutcome } from "../outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { World } from "../world.ts";
import { usageOf } from "./answer.ts";
import type { Usage } from "./answer.ts";
import type { OpenaiFiles, StoredFile } from "./files.ts";
import { readInput } from "./input.ts";
import type { Input, LineError } from "./input.ts";
import { answerContext, bodyOf, resultLine } from "./line.ts";
import type { Fate, LineSource } from "./line.ts";
import { checkBody } from "./params.ts";
import type { Endpoint } from "./params.ts";
import { promptText } from "./prompt.ts";

const day = 86_400_000;

/** The number of a fate is what is kept of an item. */
const fates: readonly Fate[] = ["open", "succeeded", "errored", "canceled", "expired", "missing"];

export type Status =
  | "validating"
  | "failed"
  | "in_progress"
  | "finalizing"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled";

export interface BatchSetup {
  readonly id: string;
  readonly project: string;
  readonly endpoint: Endpoint;
  readonly input: StoredFile;
  readonly metadata: unknown;
  /** Milliseconds that the output files live; undefined for the usual 30 days. */
  readonly outputLife: number | undefined;
}

/** A batch that goes on by {@link step}: validating, in progress in two halves, finalizing, completed. */
export class OpenaiBatch {
  readonly setup: BatchSetup;
  readonly createdAt: number;
  status: Status = "validating";
  input: Input | undefined;
  private readonly times: Record<string, number> = {};
  private errors: readonly LineError[] = [];
  private fates = new Uint8Array(0);
  private readonly forced = new Map<number, Outcome>();
  private readonly counts = { total: 0, completed: 0, failed: 0 };
  private readonly tokens = { input: 0, output: 0 };
  private executed = 0;
  private outputFile: string | undefined;
  private errorFile: string | undefined;
  private readonly world: World;
  private readonly files: OpenaiFiles;
  private last: Promise<void> = Promise.resolve();

  constructor(setup: BatchSetup, world: World, files: OpenaiFiles) {
    this.setup = setup;
    this.world = world;
    this.files = files;
    this.createdAt = world.clock.now();
  }

  get id(): string {
    return this.setup.id;
  }

  get over(): boolean {
    return ["failed", "completed", "expired", "cancelled"].includes(this.status);
  }

  get overdue(): boolean {
    return !this.over && this.world.clock.now() >= this.createdAt + day;
  }

  /** Goes one stage further. `enqueued` are the tokens of other batches that wait for the same model. */
  step(enqueued: (model: string) => number): Promise<void> {
    this.last = this.last.then(() => this.advance(enqueued));
    return this.last;
  }

  /** Resolves when no stage is at work. */
  get settled(): Promise<void> {
    return this.last;
  }

  cancel(): void {
    this.enter("cancelling");
  }

  view(): JsonObject {
    const seconds = Object.entries(this.times).map(
      ([name, time]) => [name, Math.floor(time / 1000)] as const,
    );
    return {
      id: this.id,
      object: "batch",
      endpoint: this.setup.endpoint,
      completion_window: "24h",
      status: this.status,
      input_file_id: this.setup.input.id,
      created_at: Math.floor(this.createdAt / 1000),
      expires_at: Math.floor((this.createdAt + day) / 1000),
      ...Object.fromEntries(seconds),
      ...(this.input === undefined ? {} : { model: this.input.model }),
      ...(this.errors.length === 0 ? {} : { errors: { object: "list", data: this.errors } }),
      ...(this.outputFile === undefined ? {} : { output_file_id: this.outputFile }),
      ...(this.errorFile === undefined ? {} : { error_file_id: this.errorFile }),
      request_counts: { ...this.counts },
      metadata: this.setup.metadata ?? null,
      ...(this.over && this.input !== undefined ? { usage: this.usage } : {}),
    };
  }

  async body(customId: string): Promise<JsonObject | undefined> {
    const index = this.input?.customIds.indexOf(customId) ?? -1;
    if (index < 0) return undefined;
    for await (const item of this.items()) if (item.index === index) return bodyOf(item.value);
    return undefined;
  }

  private get usage(): Usage {
    const { input, output } = this.tokens;
    return {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    };
  }

  private async advance(enqueued: (model: string) => number): Promise<void> {
    if (this.over) return;
    if (this.status === "cancelling") return this.stop("canceled");
    if (this.overdue) return this.stop("expired");
    if (this.status === "validating") return this.validate(enqueued);
    if (this.status === "finalizing") return this.finish("completed");
    await this.execute(this.executed === 0 ? Math.ceil(this.counts.total / 2) : this.counts.total);
    if (this.executed === this.counts.total) this.enterUnlessCanceled("finalizing");
  }

  private async validate(enqueued: (model: string) => number): Promise<void> {
    const { body } = this.setup.input;
    if (body === undefined) throw new Error("an uploaded file has a body");
    const input = await readInput(body, this.setup.endpoint);
    if (!("items" in input)) {
      this.fail(input);
      return;
    }
    if (enqueued(input.model) + input.tokens > this.world.enqueuedTokenLimit) {
      const message = `Enqueued token limit reached for ${input.model}. Limit: ${this.world.enqueuedTokenLimit} enqueued tokens. Please try again once some in_progress batches have been completed.`;
      this.fail([{ code: "token_limit_exceeded", message, line: null, param: null }]);
      return;
    }
    this.input = input;
    this.counts.total = input.items.count;
    this.fates = new Uint8Array(input.items.count);
    this.enterUnlessCanceled("in_progress");
  }

  private fail(errors: readonly LineError[]): void {
    this.errors = errors;
    this.enter("failed");
  }

  private enter(status: Status): void {
    this.status = status;
    this.times[`${status}_at`] = this.world.clock.now();
  }

  /** A cancellation may have come while a stage was at work. */
  private enterUnlessCanceled(status: Status): void {
    if (this.status !== "cancelling") this.enter(status);
  }

  /** Ends a batch early: what is done stays, the rest goes to the error file. */
  private async stop(rest: "canceled" | "expired"): Promise<void> {
    const reached = Math.floor(this.counts.total * this.world.finishedShare);
    await this.execute(reached);
    for (let index = this.executed; index < this.counts.total; index += 1) {
      this.fates[index] = fates.indexOf(rest);
      this.counts.failed += 1;
    }
    await this.finish(rest === "canceled" ? "cancelled" : "expired");
  }

  private async execute(until: number): Promise<void> {
    for await (const { index, value } of this.items()) {
      if (index < this.executed || index >= until) continue;
      const body = bodyOf(value);
      const fate = this.decide(index, body);
      this.fates[index] = fates.indexOf(fate);
      const done = fate === "succeeded" || fate === "missing";
      this.counts[done ? "completed" : "failed"] += 1;
      if (!done) continue;
      const usage = usageOf(this.setup.endpoint, body, answerContext(this.source(index)));
      this.tokens.input += usage.input_tokens;
      this.tokens.output += usage.output_tokens;
    }
    this.executed = Math.max(this.executed, until);
  }

  private decide(index: number, body: JsonObject): Fate {
    const id = this.input?.customIds[index];
    const forced = findOutcome(this.world.outcomes, id, () => promptText(this.setup.endpoint, body));
    if (forced !== undefined) this.forced.set(index, forced);
    const fate = forced?.kind ?? "succeeded";
    return fate === "succeeded" && checkBody(this.setup.endpoint, body, true) !== undefined
      ? "errored"
      : fate;
  }

  private async finish(status: Status): Promise<void> {
    this.outputFile = await this.store("output", (fate) => fate === "succeeded");
    this.errorFile = await this.store("error", (fate) => ["errored", "canceled", "expired"].includes(fate));
    this.enter(status);
  }

  /** Undefined when the file would be empty: it is then left out of the batch. */
  private async store(kind: string, wanted: (fate: Fate) => boolean): Promise<string | undefined> {
    const content = (): AsyncIterable<string> => this.lines(wanted);
    let bytes = 0;
    for await (const line of content()) bytes += Buffer.byteLength(line);
    if (bytes === 0) return undefined;
    const { id, project, outputLife } = this.setup;
    const file = {
      project,
      purpose: "batch_output",
      filename: `${id}_${kind}.jsonl`,
      bytes,
      body: undefined,
      content,
    };
    return this.files.add(file, outputLife).id;
  }

  private async *lines(wanted: (fate: Fate) => boolean): AsyncGenerator<string> {
    for await (const { index, value } of this.items(this.world.order(this.id))) {
      const fate = fates[this.fates[index] ?? 0] ?? "open";
      if (wanted(fate)) yield `${JSON.stringify(this.line(index, bodyOf(value), fate))}\n`;
    }
  }

  private line(index: number, body: JsonObject, fate: Fate): JsonObject {
    const { endpoint } = this.setup;
    return resultLine({
      ...this.source(index),
      customId: this.input?.customIds[index],
      endpoint,
      body,
      fate,
    });
  }

  private source(index: number): Pick<LineSource, "seed" | "created" | "forced"> {
    return {
      seed: `${this.world.seed}:${this.id}:${index}`,
      created: Math.floor(this.createdAt / 1000),
      forced: this.forced.get(index),
    };
  }

  private async *items(order?: (count: number) => Iterable<number>): AsyncGenerator<Item> {
    const { body } = this.setup.input;
    if (body !== undefined && this.input !== undefined) yield* readItems(body, this.input.items, order);
  }
}
