import type { TurnEnd } from "../../core/executor.ts";
import { readPayload } from "../payload.ts";
import { priceOf } from "../pricing/pricer.ts";
import type { Failure, RemoteBatch } from "../provider.ts";
import { isCancelled, isStopped, wait } from "../wait.ts";
import { Chunks } from "./chunks.ts";
import { Reading } from "./deliver.ts";
import { remoteDetail, seen } from "./detail.ts";
import type { Job } from "./job.ts";
import type { CreatedPart } from "./parts.ts";
import { inPart, submissionsOf } from "./parts.ts";
import { holdOf } from "./submit.ts";

const HOUR = 3_600_000;
/** After an hour a batch is likely to take many, so it is asked less often. */
const LATER = 5;
/** A batch that was just created may not be visible everywhere yet. */
const NOT_FOUND_GRACE = 900_000;
/** Readings of a results file that is short, before what is missing counts as lost. */
const MOST_READINGS = 4;

/** Follows the batches that were created for one of ours until each has ended and its results are in. */
export class FollowBatch {
  readonly #job: Job;
  readonly #readings = new Map<string, number>();
  readonly #done = new Set<number>();
  #cancelAsked = false;
  #account: Failure | undefined;
  #lastDetail = "";

  constructor(job: Job) {
    this.#job = job;
  }

  async run(): Promise<TurnEnd> {
    const { context, batch, deps } = this.#job;
    const { signal } = context;
    const { created } = submissionsOf(await context.effects(), batch.operationCount);
    const newest = Math.max(...created.map(({ createdAt }) => createdAt));
    let pause = Math.min(this.#interval(newest), newest + this.#interval(newest) - deps.clock.now());
    for (;;) {
      await wait(deps.clock, pause, signal);
      if (isStopped(signal)) return { kind: "stopped" };
      if (batch.cancelRequested || isCancelled(signal)) await this.#cancel(created);
      let later = 0;
      for (const part of created) {
        if (!this.#done.has(part.from)) later = Math.max(later, await this.#advance(part));
        if (isStopped(signal)) return { kind: "stopped" };
      }
      if (created.every(({ from }) => this.#done.has(from))) {
        return this.#account === undefined
          ? { kind: "ended" }
          : { kind: "held", hold: holdOf(this.#account) };
      }
      pause = Math.max(later, this.#interval(newest));
    }
  }

  /** Milliseconds to the next question, spread so that many windows do not ask at once. */
  #interval(createdAt: number): number {
    const { settings, clock, random = Math.random } = this.#job.deps;
    const base = settings().pollInterval * 1000;
    return base * (clock.now() - createdAt > HOUR ? LATER : 1) * (0.9 + random() / 5);
  }

  async #cancel(created: readonly CreatedPart[]): Promise<void> {
    if (this.#cancelAsked) return;
    this.#cancelAsked = true;
    for (const part of created) {
      if (this.#done.has(part.from)) continue;
      const answer = await this.#job.provider.cancel(part.remoteId, this.#job.writing);
      // One that has ended meanwhile cannot be cancelled; the next poll tells.
      if (answer.kind === "failed")
        this.#job.deps.log.info(`Batch ${part.remoteId}: not cancelled: ${answer.failure.message}`);
    }
  }

  /** Asks once about one part. Answers how long the provider wants to be left alone, in milliseconds. */
  async #advance(part: CreatedPart): Promise<number> {
    const answer = await this.#job.provider.poll(part.remoteId, this.#job.reading);
    if (answer.kind === "failed") {
      await this.#trouble(part, answer.failure);
      return answer.failure.retryAfterMs ?? 0;
    }
    const remote = answer.value;
    if (remote.status !== "ended") await this.#show(remoteDetail(remote));
    else await this.#deliver(part, remote);
    return 0;
  }

  /** A batch that cannot be asked about is waited for: it goes on, and is billed, without us. */
  async #trouble(part: CreatedPart, failure: Failure): Promise<void> {
    const young = this.#job.deps.clock.now() - part.createdAt < NOT_FOUND_GRACE;
    this.#job.deps.log.warn(`Batch ${part.remoteId}: ${failure.message}`);
    if (failure.kind === "not-found" && young) return;
    if (failure.kind === "transient") return;
    const because =
      failure.kind === "not-found"
        ? "The provider does not show this batch to the key in use; it may belong to another workspace."
        : failure.message;
    await this.#show({
      remoteId: part.remoteId,
      trouble: { reason: failure.kind === "not-found" ? "not-visible" : failure.reason, message: because },
    });
  }

  async #show(detail: unknown): Promise<void> {
    const text = JSON.stringify(detail);
    if (text === this.#lastDetail) return;
    this.#lastDetail = text;
    await this.#job.context.outcome({ detail, stats: this.#job.takeHttpRequests() });
  }

  async #deliver(part: CreatedPart, remote: RemoteBatch): Promise<void> {
    const first = await this.#job.first();
    if (first === undefined) return;
    const { model, provider } = readPayload(first);
    const price = await priceOf(provider, model, remote.createdAt, this.#job.deps.settings().prices);
    const chunks = new Chunks(this.#job);
    const reading = await new Reading(this.#job, part, remote, { price, batch: true }, chunks).run();
    if (isStopped(this.#job.context.signal)) return chunks.flush();
    const readings = (this.#readings.get(part.remoteId) ?? 0) + 1;
    this.#readings.set(part.remoteId, readings);
    this.#account ??= reading.account;
    const short = reading.missing > 0 && !remote.archived;
    await chunks.flush({ ...remoteDetail(remote), ...seen(reading), ...reading.summary.detail() });
    if (short && (readings < MOST_READINGS || reading.failure !== undefined)) {
      this.#job.deps.log.warn(
        `Batch ${remote.id}: ${reading.missing} results are missing; reading them again`,
      );
      return;
    }
    if (reading.missing > 0) await this.#giveUp(part, remote);
    this.#done.add(part.from);
  }

  async #giveUp(part: CreatedPart, remote: RemoteBatch): Promise<void> {
    const [reason, error] = remote.archived
      ? ["results-gone", "The provider keeps results for 29 days and no longer has them."]
      : [
          "result-missing",
          "The provider's results hold no line for this request. A retry sends and pays it again.",
        ];
    await this.#job.settle(
      (_operation, index) => inPart(part, index),
      ({ id }) => ({ result: { id, status: "failed", reason, error } }),
    );
  }
}
