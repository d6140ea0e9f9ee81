import { isOpen } from "../core/effect.ts";
import type { Effect } from "../core/effect.ts";
import type { Run } from "./run.ts";

/** Finds out what became of steps that have an intent but no outcome, before anything else is done. */
export async function reconcile(run: Run): Promise<void> {
  const effects: readonly Effect[] = await run.context.effects();
  for (const effect of effects.filter(({ state }) => isOpen(state))) {
    await run.outcome({ effect: { n: effect.n, state: "abandoned" } });
  }
}
