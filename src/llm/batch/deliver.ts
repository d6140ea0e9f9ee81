import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isFinal } from "../../core/operation.ts";
import type { RawLine } from "../jsonl/lines.ts";
import { isBlank } from "../jsonl/lines.ts";
import type { Failure, RemoteBatch } from "../provider.ts";
import type { Billing } from "../settlement.ts";
import { settlementOf } from "../settlement.ts";
import { Summary } from "../summary.ts";
import { isStopped } from "../wait.ts";
import type { Chunks } from "./chunks.ts";
import { download, linesOf } from "./download.ts";
import type { Job } from "./job.ts";
import type { CreatedPart } from "./parts.ts";
import { inPart } from "./parts.ts";

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
      for (const { id, status } of page) {
        if (inPart(this.#part, index)) this.#standing.set(id, isFinal(status) ? "final" : "open");
        index += 1;
      }
    }
  }

  async #read(file: string): Promise<void> {
    for await (const line of linesOf(file)) {
      if (isStopped(this.#job.context.signal)) return;
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
    if (standing !== "open") return;
    if (outcome.kind === "errored" && outcome.failure.kind === "account") {
      this.account = outcome.failure;
      return;
    }
    const { createdAt, endedAt } = this.#remote;
    const durationMs = endedAt === undefined ? undefined : endedAt - createdAt;
    await this.#chunks.add(settlementOf(customId, outcome, this.#billing, durationMs), line.bytes.length);
  }
}
