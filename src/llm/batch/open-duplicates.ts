import * as v from "valibot";
import type { Job } from "./job.ts";

/** A batch at the provider that is one of ours a second time and whose cost is not counted yet. */
const openDuplicate = v.object({ remoteId: v.string(), model: v.string(), at: v.number() });
export type OpenDuplicate = v.InferOutput<typeof openDuplicate>;

const keyOf = (job: Job): string => `llm.duplicates.${job.provider.name}`;

/** Those that were found and not counted, by whichever window. Our own batch may have ended since. */
export async function openDuplicates(job: Job): Promise<readonly OpenDuplicate[]> {
  const stored = await job.deps.recall(keyOf(job));
  return stored === undefined ? [] : v.parse(v.array(openDuplicate), JSON.parse(stored));
}

export async function noteDuplicate(job: Job, duplicate: OpenDuplicate): Promise<void> {
  const others = (await openDuplicates(job)).filter(({ remoteId }) => remoteId !== duplicate.remoteId);
  await job.deps.remember(keyOf(job), JSON.stringify([...others, duplicate]));
}

export async function forgetDuplicate(job: Job, id: string): Promise<void> {
  const left = (await openDuplicates(job)).filter(({ remoteId }) => remoteId !== id);
  await job.deps.remember(keyOf(job), left.length === 0 ? undefined : JSON.stringify(left));
}
