import type { Job } from "./job.ts";

const KEPT = 200;
const keyOf = (job: Job): string => `llm.batches.${job.provider.name}`;

/** Ids of the latest batches that this product created, so that a search for an unknown one does not take another of ours. */
export async function knownRemotes(job: Job): Promise<ReadonlySet<string>> {
  const stored = await job.deps.recall(keyOf(job));
  return new Set(stored === undefined ? [] : stored.split(" "));
}

export async function noteRemote(job: Job, id: string): Promise<void> {
  const known = [...(await knownRemotes(job))].filter((other) => other !== id);
  await job.deps.remember(keyOf(job), [...known.slice(1 - KEPT), id].join(" "));
}
