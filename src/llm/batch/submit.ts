import { rm } from "node:fs/promises";
import type { TurnEnd } from "../../core/executor.ts";
import type { Hold } from "../../core/snapshot.ts";
import { readPayload } from "../payload.ts";
import { estimateCost } from "../pricing/estimate.ts";
import type { EstimatedTokens } from "../pricing/estimate.ts";
import type { Answer, Failure, RemoteBatch } from "../provider.ts";
import { writeBody } from "./body.ts";
import { cachePlan } from "./cache-plan.ts";
import type { Job } from "./job.ts";
import type { CreatePlan, Part, Submissions } from "./parts.ts";
import { CREATE, inPart } from "./parts.ts";
import { noteRemote } from "./known.ts";
import { sentOf } from "./sent.ts";

const FIRST_RETRY = 5_000;
const LAST_RETRY = 300_000;

/** What one attempt to create came to. */
export type Attempt =
  /** All its operations were final already. */
  | { readonly kind: "empty" }
  /** Recorded; what it means stands in the effects. */
  | { readonly kind: "recorded" }
  | { readonly kind: "end"; readonly end: TurnEnd };

/** Creates one part at the provider: baseline, body, intent, creation, outcome. */
export async function submitPart(job: Job, part: Part, submissions: Submissions): Promise<Attempt> {
  const baseline = await baselineOf(job);
  if (baseline.kind === "failed")
    return { kind: "end", end: await notCreated(job, baseline.failure, submissions) };
  const file = job.file(`${part.from}.json`);
  await rm(file, { force: true });
  try {
    const sent = sentOf(part, job.context.operations());
    const body = await writeBody(file, job.provider.body, sent, await cachePlan(job, part));
    if (body.requests === 0) return { kind: "empty" };
    const mark = `${job.batch.id}.${part.from}`;
    const plan: CreatePlan = {
      ...part,
      ...body,
      mark,
      ...(baseline.value === undefined ? {} : { baseline: baseline.value }),
    };
    const first = await job.first();
    if (first === undefined) return { kind: "end", end: { kind: "ended" } };
    const { endpoint, betas } = readPayload(first);
    const hold = await reserve(job, body.estimate, submissions);
    if (hold !== undefined) return { kind: "end", end: { kind: "held", hold } };
    const n = await job.context.intent(CREATE, plan);
    const submission = { file, name: `batch-control-${mark}.jsonl`, endpoint, betas, mark };
    const answer = await job.provider.submit(submission, job.writing);
    return await record(job, n, part, answer, submissions, body.requests);
  } finally {
    await rm(file, { force: true });
  }
}

/** Keeps the limits on money; a part whose sibling was created goes with it. */
async function reserve(
  job: Job,
  estimate: EstimatedTokens,
  { created }: Submissions,
): Promise<Hold | undefined> {
  if (!job.budget.limits(job.batch) || created.length > 0) return undefined;
  const { price, batch } = await job.billing(job.deps.clock.now());
  const most = price === undefined ? undefined : estimateCost(estimate, price, batch).most;
  return job.budget.pass(job.batch, most);
}

/** A gateway may know how to create batches but not how to list them. */
export const cannotList = ({ kind }: Failure): boolean => kind === "not-found" || kind === "refused";

/** The newest batch before ours, from which on an unknown one is looked for. A gateway without a list has none. */
async function baselineOf(job: Job): Promise<Answer<string | null | undefined>> {
  if (job.provider.findsByMark) return { kind: "ok", value: undefined };
  let newest: string | null = null;
  const listed = await job.provider.list((batch) => {
    newest = batch.id;
    return true;
  }, job.reading);
  if (listed.kind === "ok") return { kind: "ok", value: newest };
  return cannotList(listed.failure) ? { kind: "ok", value: undefined } : listed;
}

async function record(
  job: Job,
  n: number,
  part: Part,
  answer: Answer<RemoteBatch>,
  submissions: Submissions,
  requests: number,
): Promise<Attempt> {
  if (answer.kind === "ok") {
    const { id, createdAt } = answer.value;
    await job.context.outcome({
      effect: { n, state: "done", result: { remoteId: id, createdAt } },
      remoteId: [...submissions.created.map(({ remoteId }) => remoteId), id].join(", "),
      stats: { "llm.apiCalls": 1, ...job.takeHttpRequests() },
    });
    await noteRemote(job, id);
    return { kind: "recorded" };
  }
  const { failure } = answer;
  const result = { reason: failure.reason, message: failure.message, requestId: failure.requestId };
  if (failure.acted === "unknown") {
    job.deps.log.warn(
      `Batch ${job.batch.id}: whether the provider created it is unknown (${failure.message}); looking for it`,
    );
    await job.context.outcome({ effect: { n, state: "unknown", result }, stats: job.takeHttpRequests() });
    await job.markChecking((_operation, index) => inPart(part, index), true);
    return { kind: "recorded" };
  }
  const split = failure.kind === "too-large" && requests > 1;
  const final = !split && failure.kind !== "transient" && failure.kind !== "account";
  await job.context.outcome({
    effect: { n, state: "failed", result: { ...result, split, final } },
    stats: job.takeHttpRequests(),
  });
  if (split) job.deps.log.info(`Batch ${job.batch.id}: too large for the provider; sending it in two halves`);
  if (split || final) return { kind: "recorded" };
  return { kind: "end", end: await notCreated(job, failure, submissions) };
}

/** How a turn ends whose creation certainly did not happen. */
async function notCreated(job: Job, failure: Failure, submissions: Submissions): Promise<TurnEnd> {
  if (failure.kind !== "account") return againAfter(job, failure, submissions.refusals);
  if (submissions.created.length === 0) return { kind: "held", hold: holdOf(failure) };
  // What was created goes on; the rest goes back to the queue until the account is mended.
  await job.context.hold(holdOf(failure));
  await requeueRest(job, submissions);
  return { kind: "following" };
}

/**
 * Parts are known by their places, so only what stands behind all that was created can leave the batch. What cannot is
 * sent when the rest has ended.
 */
async function requeueRest(job: Job, { created, todo }: Submissions): Promise<void> {
  const first = Math.max(...created.map(({ from, count }) => from + count));
  if (!todo.some(({ from }) => from >= first)) return;
  let index = 0;
  for await (const page of job.context.operations()) {
    const from = page[first - index];
    if (from !== undefined) return job.context.requeue(from.position);
    index += page.length;
  }
}

/** Another attempt when the provider says, else later after each refusal. */
export function againAfter(job: Job, failure: Failure, refusals: number): TurnEnd {
  const backOff = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** Math.min(refusals, 10));
  const spread = 1 + (job.deps.random ?? Math.random)() / 4;
  const because = `${failure.reason}: ${failure.message}`;
  return { kind: "again", afterMs: failure.retryAfterMs ?? Math.round(backOff * spread), because };
}

/** An account's trouble as a hold of our side. */
export const holdOf = (failure: Failure): Extract<TurnEnd, { readonly kind: "held" }>["hold"] => ({
  kind: "llm",
  reason: failure.reason,
  ...(failure.until === undefined ? {} : { until: failure.until }),
});
