import type { Batch } from "../core/batch.ts";
import type { ExecutionContext, Executor, TurnEnd } from "../core/executor.ts";
import { FollowBatch } from "./batch/follow.ts";
import { Job } from "./batch/job.ts";
import type { Part, Refusal } from "./batch/parts.ts";
import { inPart, submissionsOf } from "./batch/parts.ts";
import { reconcile } from "./batch/reconcile.ts";
import { submitPart } from "./batch/submit.ts";
import { Budget } from "./budget.ts";
import { CallBatch } from "./calls/call-batch.ts";
import type { LlmDeps } from "./deps.ts";
import { urgencyOfGroup } from "./group.ts";

/** Sends requests to their provider and brings the answers back. */
export class LlmExecutor implements Executor {
  readonly #deps: LlmDeps;
  readonly #budget: Budget;

  constructor(deps: LlmDeps) {
    this.#deps = deps;
    this.#budget = new Budget(deps);
  }

  /** Holds the lane from intent to known outcome of each creation; the rest is `follow`. */
  async run(batch: Batch, context: ExecutionContext): Promise<TurnEnd> {
    // Single calls need no lane: they go on beside others.
    if (urgencyOfGroup(batch.group) !== "batch") return { kind: "following" };
    const job = this.#job(batch, context);
    return this.#releasing(job, await this.#submit(job));
  }

  async #submit(job: Job): Promise<TurnEnd> {
    const { batch, context } = job;
    const empty = new Set<number>();
    for (;;) {
      if (job.isStopped()) return { kind: "stopped" };
      const submissions = submissionsOf(await context.effects(), batch.operationCount);
      const { open, created, refused } = submissions;
      if (open !== undefined) {
        const end = await reconcile(job, open);
        if (end !== undefined) return end;
        continue;
      }
      for (const part of refused) await failPart(job, part);
      const todo = submissions.todo.filter(({ from }) => !empty.has(from));
      const [part] = todo;
      if (part === undefined) return created.length > 0 ? { kind: "following" } : { kind: "ended" };
      if (job.isCancelled()) {
        for (const rest of todo) await cancelPart(job, rest);
        return created.length > 0 ? { kind: "following" } : { kind: "ended" };
      }
      const attempt = await submitPart(job, part, submissions);
      if (attempt.kind === "end") return attempt.end;
      if (attempt.kind === "empty") empty.add(part.from);
    }
  }

  async follow(batch: Batch, context: ExecutionContext): Promise<TurnEnd> {
    const job = this.#job(batch, context);
    const turn = urgencyOfGroup(batch.group) === "batch" ? new FollowBatch(job) : new CallBatch(job);
    return this.#releasing(job, await turn.run());
  }

  /** A person's word that batches which are formed already may go out whatever they cost; those formed with it say so themselves. */
  allowCost(batches: readonly string[]): Promise<void> {
    return this.#budget.allow(batches);
  }

  /** Sets nothing aside any more for a batch of which nothing is on its way. */
  async #releasing({ batch, budget }: Job, end: TurnEnd): Promise<TurnEnd> {
    if (end.kind === "ended" || end.kind === "held") await budget.release(batch.id);
    return end;
  }

  #job(batch: Batch, context: ExecutionContext): Job {
    return new Job(batch, context, this.#deps, this.#budget);
  }
}

const failPart = (job: Job, part: Part & Refusal): Promise<void> =>
  job.settle(
    (_operation, index) => inPart(part, index),
    ({ id }) => ({ result: { id, status: "failed", reason: part.reason, error: part.message } }),
  );

const cancelPart = (job: Job, part: Part): Promise<void> =>
  job.settle(
    (_operation, index) => inPart(part, index),
    ({ id }) => ({ result: { id, status: "cancelled" } }),
  );
