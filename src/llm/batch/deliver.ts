import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isFinal } from "../../core/operation.ts";
import type { StoredOperation } from "../../core/operation.ts";
import type { RawLine } from "../jsonl/lines.ts";
import { isBlank } from "../jsonl/lines.ts";
import type { Failure, ItemOutcome, RemoteBatch } from "../provider.ts";
import type { Billing } from "../settlement.ts";
import { settlementOf } from "../settlement.ts";
import { Summary } from "../summary.ts";
import type { Chunks } from "./chunks.ts";
import { download, linesOf } from "./download.ts";
import type { Job } from "./job.ts";
import type { CreatedPart } from "./parts.ts";
import { inPart } from "./parts.ts";
import { twinKey } from "./sent.ts";

/** `open`: no result yet; `final`: had one before this reading; `seen`: had a line in this reading. */
type Standing = "open" | "final" | "seen";

/** One reading of the results of one part. Lines are told apart by what is wrong with them. */
export class Reading {
  readonly #job: Job;
  readonly #part: CreatedPart;
  readonly #remote: RemoteBatch;
  readonly #billing: Billing;
  readonly #chunks: Chunks;
  readonly #standing = new Map<string, Standing>();
  /** Requests that share one answer, by their key and by each id. */
  readonly #twins = new Map<string, string[]>();
  /** Over all results, those of earlier readings included. */
  readonly summary: Summary;
  damaged = 0;
  duplicate = 0;
  /** Lines whose ids are not ours. */
  unknown = 0;
  /** Requests of ours without a line. */
  missing = 0;
  /** An account's trouble that requests met; they are left open. */
  account: Failure | undefined;
  /** Why an output could not be read to its end. */
  failure: Failure | undefined;

  constructor(job: Job, part: CreatedPart, remote: RemoteBatch, billing: Billing, chunks: Chunks) {
    this.#job = job;
    this.#part = part;
    this.#remote = remote;
    this.#billing = billing;
    this.summary = new Summary(billing);
    this.#chunks = chunks;
  }

  /** Not one line is ours: this is another's batch. */
  get isForeign(): boolean {
    return this.unknown > 0 && ![...this.#standing.values()].includes("seen");
  }

  /** Downloads what there is and settles operations with it. The last chunk is left to be written with the batch's detail. */
  async run(): Promise<this> {
    await this.#collect();
    for (const [index, output] of this.#remote.outputs.entries()) {
      const file = this.#job.file(`${this.#part.from}-${index}.jsonl`);
      try {
        this.failure = (await download(this.#job, this.#remote, output, file)) ?? this.failure;
        if (existsSync(file)) await this.#read(file);
      } finally {
        await rm(file, { force: true });
      }
    }
    this.missing = [...this.#standing.values()].filter((standing) => standing === "open").length;
    return this;
  }

  async #collect(): Promise<void> {
    let index = 0;
    for await (const page of this.#job.context.operations()) {
      for (const operation of page) {
        if (inPart(this.#part, index)) this.#expect(operation);
        index += 1;
      }
    }
  }

  #expect(operation: StoredOperation): void {
    this.#standing.set(operation.id, isFinal(operation.status) ? "final" : "open");
    const key = twinKey(operation);
    if (key === undefined) return;
    const twins = this.#twins.get(key) ?? [];
    twins.push(operation.id);
    this.#twins.set(key, twins);
    this.#twins.set(operation.id, twins);
  }

  async #read(file: string): Promise<void> {
    for await (const line of linesOf(file)) {
      if (this.#job.isStopped()) return;
      if (!isBlank(line.bytes)) await this.#take(line);
    }
  }

  async #take(line: RawLine): Promise<void> {
    const read = this.#job.provider.readLine(line.bytes.toString("utf8"));
    if (read === undefined) {
      this.damaged += 1;
      return;
    }
    const { customId, outcome } = read;
    const standing = this.#standing.get(customId);
    if (standing === undefined) this.unknown += 1;
    else if (standing === "seen") this.duplicate += 1;
    else {
      this.#standing.set(customId, "seen");
      if (outcome.kind === "succeeded") this.summary.add(outcome.usage);
    }
    await this.#share(customId, outcome, line.bytes.length);
    if (standing !== "open") return;
    if (outcome.kind === "errored" && outcome.failure.kind === "account") {
      this.account = outcome.failure;
      return;
    }
    const { createdAt, endedAt } = this.#remote;
    const durationMs = endedAt === undefined ? undefined : endedAt - createdAt;
    await this.#chunks.add(settlementOf(customId, outcome, this.#billing, durationMs), line.bytes.length);
  }

  /** Gives the answer to those that asked the same and were not sent themselves; it is charged once. */
  async #share(customId: string, outcome: ItemOutcome, bytes: number): Promise<void> {
    for (const id of this.#twins.get(customId) ?? []) {
      if (id === customId || this.#standing.get(id) !== "open") continue;
      if (outcome.kind === "errored" && outcome.failure.kind === "account") continue;
      this.#standing.set(id, "seen");
      const { result } = settlementOf(id, outcome, this.#billing);
      const { usage: _usage, ...shared } = result;
      await this.#chunks.add(
        { result: result.status === "succeeded" ? { ...shared, costUsd: 0 } : result },
        bytes,
      );
    }
  }
}
