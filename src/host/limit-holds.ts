import { stopsLane } from "../core/snapshot.ts";
import type { Hold, JournalState } from "../core/snapshot.ts";
import { laneOf } from "./claims.ts";
import { isLimit } from "./hold-words.ts";
import type { Parts } from "./parts.ts";

interface LimitHoldsDeps {
  readonly journal: Pick<Parts["journal"], "clearHolds">;
  /** Everything that decides what a flush may cost, as one text. */
  readonly limits: () => string;
  /** Told of a hold that could not be lifted. */
  readonly failed: (error: unknown) => void;
}

/**
 * Lifts holds of limits on money once their cause is gone: the limits or prices are others, or nothing is left that they
 * stop. What is still too dear is held again with the next attempt.
 */
export class LimitHolds {
  readonly #deps: LimitHoldsDeps;
  #limits: string;

  constructor(deps: LimitHoldsDeps) {
    this.#deps = deps;
    this.#limits = deps.limits();
  }

  /** Call after the settings or the state changed. */
  update(state: JournalState): void {
    const limits = this.#deps.limits();
    const areOthers = limits !== this.#limits;
    this.#limits = limits;
    for (const hold of state.holds.filter(isLimit)) {
      if (!areOthers && stopsSomething(hold, state)) continue;
      this.#deps.journal.clearHolds(hold.kind, hold.reason, hold.lane).catch(this.#deps.failed);
    }
  }
}

/** Batches without an id at the provider have not gone out. */
function stopsSomething(hold: Hold, { llm }: JournalState): boolean {
  const isHeld = ({ group }: { readonly group: string }): boolean => stopsLane(hold, laneOf(group));
  return (
    llm.queuedCount > llm.queued.length ||
    llm.queued.some(isHeld) ||
    llm.pending.some(isHeld) ||
    llm.executing.some((batch) => batch.remoteId === undefined && isHeld(batch))
  );
}
