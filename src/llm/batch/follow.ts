import type { TurnEnd } from "../../core/executor.ts";
import type { Failure, RemoteBatch } from "../provider.ts";
import { noteHitRate } from "./cache-plan.ts";
import { Chunks } from "./chunks.ts";
import { Reading } from "./deliver.ts";
import { failedAsAWhole } from "./failed-batch.ts";
import { lost, remoteDetail, seen, troubleDetail } from "./detail.ts";
import { Duplicates } from "./duplicates.ts";
import type { Job } from "./job.ts";
import type { CreatedPart } from "./parts.ts";
import { inPart, submissionsOf } from "./parts.ts";
import { holdOf } from "./submit.ts";

const HOUR = 3_600_000;
/** Seconds; as the providers' own examples poll. */
const USUAL_INTERVAL = 60;
/** After an hour a batch is likely to take many, so it is asked less often. */
const LATER = 5;
/** Readings of a results file that is short, before what is missing counts as lost. */
const MOST_READINGS = 4;

/** A part on its way, and the batches at the provider that may be it: one, unless it was adopted among several that fit. */
interface Followed {
  readonly part: CreatedPart;
  candidates: readonly string[];
  readings: number;
  /** Questions in a row that were not answered. */
  unanswered: number;
  done: boolean;
}

/** Follows the batches that were created for one of ours until each has ended and its results are in. */
export class FollowBatch {
  readonly #job: Job;
  #cancelAsked = false;
  #account: Failure | undefined;
  #again: TurnEnd | undefined;
  #lastDetail = "";

  constructor(job: Job) {
    this.#job = job;
  }

  async run(): Promise<TurnEnd> {
    const { context, batch, deps } = this.#job;
    const submissions = submissionsOf(await context.effects(), batch.operationCount);
    const followed: readonly Followed[] = submissions.created.map((part) => ({
      part,
      candidates: [part.remoteId, ...(part.others ?? [])],
      readings: 0,
      unanswered: 0,
      done: false,
    }));
    const duplicates = new Duplicates(this.#job, submissions);
    await duplicates.inherit();
    const newest = Math.max(...submissions.created.map(({ createdAt }) => createdAt));
    const begun = deps.clock.now();
    const interval = this.#interval(newest);
    let pause = (): number => Math.min(interval(), newest + interval() - begun);
    for (;;) {
      await this.#job.wait(pause);
      if (this.#job.isStopped()) return { kind: "stopped" };
      if (this.#job.isCancelled()) await this.#cancel(followed);
      let later = 0;
      for (const one of followed) {
        if (!one.done) later = Math.max(later, await this.#advance(one, duplicates));
        if (this.#job.isStopped()) return { kind: "stopped" };
      }
      if (this.#again !== undefined) return this.#again;
      if (await duplicates.look(() => this.#job.billing(newest))) {
        await this.#show({ ...(parse(this.#lastDetail) ?? {}), ...duplicates.detail() });
      }
      if (followed.every(({ done }) => done) && duplicates.settled) {
        if (this.#account === undefined && submissions.todo.length > 0)
          return { kind: "again", afterMs: 0, because: "a part of the batch was not sent yet" };
        return this.#account === undefined
          ? { kind: "ended" }
          : { kind: "held", hold: holdOf(this.#account) };
      }
      const usual = this.#interval(newest);
      pause = () => Math.max(later, usual());
    }
  }

  /** Milliseconds to the next question as the settings are when asked, spread so that many windows do not ask at once. */
  #interval(createdAt: number): () => number {
    const { settings, clock, random = Math.random } = this.#job.deps;
    const spread = (clock.now() - createdAt > HOUR ? LATER : 1) * (0.9 + random() / 5);
    return () => {
      const { pollInterval } = settings();
      return (pollInterval > 0 ? pollInterval : USUAL_INTERVAL) * 1000 * spread;
    };
  }

  async #cancel(followed: readonly Followed[]): Promise<void> {
    if (this.#cancelAsked) return;
    this.#cancelAsked = true;
    for (const { part, candidates, done } of followed) {
      // One among several that fit may be another's.
      if (done || candidates.length > 1) continue;
      const answer = await this.#job.provider.cancel(part.remoteId, this.#job.writing);
      // One that has ended meanwhile cannot be cancelled; the next poll tells.
      if (answer.kind === "failed")
        this.#job.deps.log.info(`Batch ${part.remoteId}: not cancelled: ${answer.failure.message}`);
    }
  }

  /** Asks once about one part. Answers how long the provider wants to be left alone, in milliseconds. */
  async #advance(one: Followed, duplicates: Duplicates): Promise<number> {
    for (const id of one.candidates) {
      const answer = await this.#job.provider.poll(id, this.#job.reading);
      // One that has ended is asked for its results next, which tell.
      if (answer.kind === "failed" || answer.value.status !== "ended")
        await this.#job.account.note(answer.kind === "failed" ? answer.failure : undefined);
      if (answer.kind === "failed") {
        this.#job.deps.log.warn(`Batch ${id}: ${answer.failure.message}`);
        one.unanswered += 1;
        const now = this.#job.deps.clock.now();
        const detail = troubleDetail(one.part, answer.failure, now, one.unanswered);
        if (detail !== undefined) await this.#show({ ...parse(this.#lastDetail), ...detail });
        return answer.failure.retryAfterMs ?? 0;
      }
      one.unanswered = 0;
      const remote = answer.value;
      if (remote.status !== "ended") await this.#show({ ...remoteDetail(remote), ...duplicates.detail() });
      else await this.#deliver(one, remote, duplicates);
      if (one.done || this.#job.isStopped()) return 0;
    }
    return 0;
  }

  async #show(detail: unknown): Promise<void> {
    const text = JSON.stringify(detail);
    if (text === this.#lastDetail) return;
    this.#lastDetail = text;
    await this.#job.context.outcome({ detail, stats: this.#job.takeHttpRequests() });
  }

  async #deliver(one: Followed, remote: RemoteBatch, duplicates: Duplicates): Promise<void> {
    if (remote.errors.length > 0 && remote.outputs.length === 0) {
      const verdict = await failedAsAWhole(this.#job, one.part, remote);
      if (verdict.kind === "account") this.#account ??= verdict.failure;
      if (verdict.kind === "again") this.#again = verdict.end;
      one.done = true;
      return;
    }
    const chunks = new Chunks(this.#job);
    const billing = await this.#job.billing(remote.createdAt);
    const reading = await new Reading(this.#job, one.part, remote, billing, chunks).run();
    if (this.#job.isStopped()) return chunks.flush();
    if (one.part.adopted === true && reading.isForeign) {
      this.#job.deps.log.warn(`Batch ${remote.id} was taken for ours but holds other requests`);
      one.candidates = one.candidates.filter((id) => id !== remote.id);
      if (one.candidates.length === 0) await this.#giveUp(one, "not-created");
      return;
    }
    one.readings += 1;
    await this.#job.account.note(reading.failure);
    this.#account ??= reading.account;
    const detail = {
      ...remoteDetail(remote),
      ...seen(reading),
      ...reading.summary.detail(one.part.estimate),
      ...duplicates.detail(),
    };
    this.#lastDetail = JSON.stringify(detail);
    await chunks.flush(detail);
    if (reading.missing === 0) await noteHitRate(this.#job, reading.summary.hitRate);
    const again = one.readings < MOST_READINGS || reading.failure !== undefined;
    if (reading.missing === 0) one.done = true;
    else if (remote.archived) await this.#giveUp(one, "results-gone");
    else if (!again) await this.#giveUp(one, "result-missing");
    else
      this.#job.deps.log.warn(
        `Batch ${remote.id}: ${reading.missing} results are missing; reading them again`,
      );
  }

  async #giveUp(one: Followed, reason: keyof typeof lost): Promise<void> {
    await this.#job.settle(
      (_operation, index) => inPart(one.part, index),
      ({ id }) => ({ result: { id, status: "failed", reason, error: lost[reason] } }),
    );
    one.done = true;
  }
}

const parse = (detail: string): Readonly<Record<string, unknown>> | undefined =>
  detail === "" ? undefined : (JSON.parse(detail) as Readonly<Record<string, unknown>>);
