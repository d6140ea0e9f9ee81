import type { TurnEnd } from "../../core/executor.ts";
import type { Answer, RemoteBatch } from "../provider.ts";
import type { Job } from "./job.ts";
import { knownRemotes, noteRemote } from "./known.ts";
import type { CreatePlan, Submissions } from "./parts.ts";
import { inPart } from "./parts.ts";
import { cannotList } from "./submit.ts";

const FIRST_LOOK = 1_000;
const LAST_LOOK = 60_000;
/** A listing may show a batch that is this much older than our intent when only clocks can tell: ours may be ahead of the provider's. */
const CLOCK_SKEW = 600_000;

/**
 * Finds out whether a creation happened whose answer was lost. Where it shows up it is adopted; where it does not within the
 * setting's time, the creation is given up and may be done again. `undefined`: known now.
 */
export async function reconcile(
  job: Job,
  { n, at, plan }: NonNullable<Submissions["open"]>,
): Promise<TurnEnd | undefined> {
  const which = (_operation: unknown, index: number): boolean => inPart(plan, index);
  const { clock, settings, log } = job.deps;
  await job.markChecking(which, true);
  for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 2, LAST_LOOK)) {
    if (job.isStopped()) return { kind: "stopped" };
    const answer = await findCreated(job, plan, at);
    await job.account.note(answer.kind === "failed" ? answer.failure : undefined);
    if (answer.kind === "ok") {
      const [found, ...others] = answer.value;
      if (found !== undefined) {
        await adopt(job, n, found, others);
        break;
      }
      if (clock.now() >= at + settings().unknownOutcomeWait * 1000) {
        log.warn(
          `Batch ${job.batch.id}: not found at the provider for ${settings().unknownOutcomeWait} s, so it was not created`,
        );
        await job.context.outcome({
          effect: { n, state: "abandoned", result: { reason: "not-found" } },
          stats: job.takeHttpRequests(),
        });
        break;
      }
    } else {
      log.warn(`Batch ${job.batch.id}: could not ask the provider for it: ${answer.failure.message}`);
      pause = Math.max(pause, answer.failure.retryAfterMs ?? 0);
    }
    await job.wait(pause);
  }
  await job.markChecking(which, false);
  return undefined;
}

/** Batches at the provider that a creation may have made: the marked one, or all that fit by elimination, oldest first. */
export async function findCreated(
  job: Job,
  plan: CreatePlan,
  at: number,
  until = Number.POSITIVE_INFINITY,
): Promise<Answer<readonly RemoteBatch[]>> {
  const known = await knownRemotes(job);
  const { findsByMark } = job.provider;
  const { baseline } = plan;
  const tooOld = (batch: RemoteBatch): boolean => {
    // There was none before ours, so all that there is may be ours.
    if (baseline === null) return false;
    return baseline === undefined ? batch.createdAt < at - CLOCK_SKEW : batch.id === baseline;
  };
  const listed = await job.provider.list(tooOld, job.reading);
  if (listed.kind === "failed") return cannotList(listed.failure) ? { kind: "ok", value: [] } : listed;
  const fits = (batch: RemoteBatch): boolean =>
    findsByMark
      ? batch.mark === plan.mark
      : batch.total === plan.requests && !known.has(batch.id) && batch.createdAt <= until;
  return { kind: "ok", value: listed.value.filter(fits).reverse() };
}

async function adopt(job: Job, n: number, found: RemoteBatch, others: readonly RemoteBatch[]): Promise<void> {
  job.deps.log.info(`Batch ${job.batch.id}: found at the provider as ${found.id}`);
  await job.context.outcome({
    effect: {
      n,
      state: "done",
      result: {
        remoteId: found.id,
        createdAt: found.createdAt,
        adopted: true,
        others: others.map(({ id }) => id),
      },
    },
    remoteId: found.id,
    stats: { "llm.apiCalls": 1, ...job.takeHttpRequests() },
  });
  await noteRemote(job, found.id);
}
