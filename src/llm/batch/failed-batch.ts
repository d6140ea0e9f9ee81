import type { TurnEnd } from "../../core/executor.ts";
import type { Failure, RemoteBatch } from "../provider.ts";
import type { Job } from "./job.ts";
import type { CreatedPart } from "./parts.ts";
import { inPart, submissionsOf } from "./parts.ts";
import { sentOf } from "./sent.ts";
import { againAfter } from "./submit.ts";

export type Verdict =
  /** All operations of the part have failed. */
  | { readonly kind: "failed" }
  /** The account is to be mended; operations are left open. */
  | { readonly kind: "account"; readonly failure: Failure }
  /** What is left of the part is to be created again. */
  | { readonly kind: "again"; readonly end: TurnEnd };

/**
 * A batch that ended without doing anything: a line of its file is wrong, or the account has too much enqueued. The
 * wrong lines fail with their own errors; the others were not even tried and are sent again without them.
 */
export async function failedAsAWhole(job: Job, part: CreatedPart, remote: RemoteBatch): Promise<Verdict> {
  const byLine = new Map(
    remote.errors.flatMap(({ failure, line }) => (line === undefined ? [] : [[line, failure] as const])),
  );
  const whole = remote.errors.find(({ line }) => line === undefined)?.failure;
  const wrong = await wrongOperations(job, part, byLine);
  await job.settle(
    ({ id }) => wrong.has(id),
    ({ id }) => ({
      result: {
        id,
        status: "failed",
        reason: wrong.get(id)?.reason ?? "refused",
        error: wrong.get(id)?.message ?? "",
      },
    }),
  );
  if (whole?.kind === "account") return { kind: "account", failure: whole };
  if (whole !== undefined && whole.kind !== "transient") {
    await job.settle(
      (_operation, index) => inPart(part, index),
      ({ id }) => ({ result: { id, status: "failed", reason: whole.reason, error: whole.message } }),
    );
    return { kind: "failed" };
  }
  const [first] = byLine.values();
  const failure = whole ?? first;
  if (failure === undefined) return { kind: "failed" };
  const { refusals } = submissionsOf(await job.context.effects(), job.batch.operationCount);
  await job.context.outcome({
    effect: { n: part.n, state: "failed", result: { reason: failure.reason, message: failure.message } },
    stats: job.takeHttpRequests(),
  });
  // Wrong lines are out now, so nothing has to be waited for.
  const end = againAfter(job, whole === undefined ? { ...failure, retryAfterMs: 0 } : failure, refusals);
  return { kind: "again", end };
}

/** The operations of these lines, counted from 1. */
async function wrongOperations(
  job: Job,
  part: CreatedPart,
  byLine: ReadonlyMap<number, Failure>,
): Promise<ReadonlyMap<string, Failure>> {
  const wrong = new Map<string, Failure>();
  let line = 0;
  for await (const { id } of sentOf(part, job.context.operations())) {
    line += 1;
    const failure = byLine.get(line);
    if (failure !== undefined) wrong.set(id, failure);
  }
  return wrong;
}
