import * as v from "valibot";
import type { Effect } from "../../core/effect.ts";
import { isOpen } from "../../core/effect.ts";
import { usd } from "../../core/stats.ts";
import type { Job } from "../batch/job.ts";
import { isRecord } from "../prepare.ts";
import { estimateCost, estimateTokens } from "../pricing/estimate.ts";
import type { Billing } from "../settlement.ts";
import type { Unit } from "./unit.ts";

/** What a window that stopped in good order left of the calls that it had to cut off. */
const stopped = v.object({ asked: v.array(v.string()) });
export type Stopped = v.InferOutput<typeof stopped>;

/** Requests that may have been asked by a window that is gone, and paid for: those it named, or as many of the first as it asked at once. */
export interface Interrupted {
  readonly named: ReadonlySet<string>;
  /** It was gone before it could say anything. */
  readonly unnamed: boolean;
}

/** What the last turn left. */
export function interruptedBy(effects: readonly Effect[]): Interrupted {
  const last = effects.at(-1);
  const said = v.safeParse(stopped, last?.result === undefined ? undefined : JSON.parse(last.result));
  return {
    named: new Set(said.success ? said.output.asked : []),
    unnamed: last !== undefined && isOpen(last.state),
  };
}

/**
 * Lets people see which requests are asked a second time and what the first time may have cost, for that cannot be found
 * out; for the limit of the day the most of it counts.
 */
export async function noteAskedTwice(job: Job, unit: Unit, { price, batch }: Billing): Promise<void> {
  if (unit.length === 0) return;
  let [least, most] = [0n, 0n];
  for (const { stored } of unit) {
    const cost = price === undefined ? undefined : estimateCost(estimateTokens(stored), price, batch);
    least += cost?.least ?? 0n;
    most += cost?.most ?? 0n;
  }
  const before = job.batch.detail;
  const askedTwice = {
    requests: unit.length,
    estimatedUsd: price === undefined ? null : { least: usd(least), most: usd(most) },
    because:
      "A window ended while these requests were being answered. A single call cannot be found again at the provider, so they were sent again and may have been paid twice; the first time is not in the cost.",
  };
  const ids = new Set(unit.map(({ id }) => id));
  await job.note(({ id }) => ids.has(id), { askedTwice: true });
  await job.context.outcome({ detail: { ...(isRecord(before) ? before : {}), askedTwice } });
  await job.budget.spend(job.batch.id, { answered: 0n, wasted: most });
}
