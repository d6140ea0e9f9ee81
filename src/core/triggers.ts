import type { GroupQueue } from "./journal.ts";

/** The settings a side's automatic flush obeys. Size and age are triggers, not caps. */
export interface TriggerSettings {
  /** Operations in one group. */
  readonly maxBatchSize: number;
  /** Seconds since the oldest queued operation that no person enqueued. */
  readonly maxBatchAge: number;
  readonly autoFlush: boolean;
}

export interface Due {
  /** Groups to seal now. */
  readonly groups: readonly string[];
  /** When the next group comes of age, in milliseconds from now; absent where only size or a person can trigger. */
  readonly nextMs?: number;
}

/** Zero or less means the default. */
export function withDefaults(
  settings: TriggerSettings,
  defaults: Pick<TriggerSettings, "maxBatchSize" | "maxBatchAge">,
): TriggerSettings {
  return {
    autoFlush: settings.autoFlush,
    maxBatchSize: settings.maxBatchSize > 0 ? settings.maxBatchSize : defaults.maxBatchSize,
    maxBatchAge: settings.maxBatchAge > 0 ? settings.maxBatchAge : defaults.maxBatchAge,
  };
}

/** Which groups are due. A clock that was set back makes an operation look young, never eternal: the age restarts at most once. */
export function due(queues: readonly GroupQueue[], settings: TriggerSettings, now: number): Due {
  const groups: string[] = [];
  let nextMs: number | undefined;
  for (const queue of queues) {
    if (queue.count >= settings.maxBatchSize) {
      groups.push(queue.group);
      continue;
    }
    if (queue.oldestUnattended === undefined) continue;
    const ageMs = Math.max(0, now - queue.oldestUnattended);
    const waitMs = settings.maxBatchAge * 1000 - ageMs;
    if (waitMs <= 0) groups.push(queue.group);
    else nextMs = Math.min(nextMs ?? waitMs, waitMs);
  }
  return nextMs === undefined ? { groups } : { groups, nextMs };
}
