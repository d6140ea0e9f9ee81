import type { Journal, LaneOwner } from "../core/journal.ts";
import type { Clock, Disposable, Logger } from "../core/ports.ts";

/** How often owners are looked at. */
const LOOK_MS = 5_000;
/**
 * After so many looks without a heartbeat a leader counts as stuck: a minute of this process's own time. Looks are
 * counted, not times compared, so that neither a sleeping machine nor a changed clock makes a leader look dead.
 */
const LOOKS = 12;

interface Watched {
  readonly beat: number;
  readonly looks: number;
}

export interface StuckLeadersParts {
  readonly journal: Pick<Journal, "owners" | "openLanes">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Lanes that this window may claim and does not hold. */
  readonly waitingFor: () => readonly string[];
  readonly changed: () => void;
}

/** Watches the leaders that this window waits for. Nothing is taken from them silently: a person is asked. */
export class StuckLeaders implements Disposable {
  readonly #parts: StuckLeadersParts;
  readonly #watched = new Map<string, Watched>();
  #stuck: readonly LaneOwner[] = [];
  #cancel: () => void;

  constructor(parts: StuckLeadersParts) {
    this.#parts = parts;
    this.#cancel = this.#next();
  }

  current(): readonly LaneOwner[] {
    return this.#stuck;
  }

  dispose(): void {
    this.#cancel();
  }

  #next(): () => void {
    return this.#parts.clock.after(LOOK_MS, () => {
      this.#cancel = this.#next();
      this.#look().catch((error: unknown) =>
        this.#parts.log.error("Looking after other leaders failed.", error),
      );
    });
  }

  async #look(): Promise<void> {
    const { journal, waitingFor, changed } = this.#parts;
    const lanes = waitingFor();
    if (lanes.length === 0 && this.#stuck.length === 0) return;
    const open = new Set(await journal.openLanes());
    const owners = (await journal.owners()).filter(({ lane }) => lanes.includes(lane) && open.has(lane));
    for (const lane of this.#watched.keys())
      if (!owners.some((owner) => owner.lane === lane)) this.#watched.delete(lane);
    const stuck = owners.filter(({ lane, beat }) => {
      const before = this.#watched.get(lane);
      const looks = before?.beat === beat ? before.looks + 1 : 0;
      this.#watched.set(lane, { beat, looks });
      return looks >= LOOKS;
    });
    const same = stuck.map(({ lane }) => lane).join() === this.#stuck.map(({ lane }) => lane).join();
    this.#stuck = stuck;
    if (!same) changed();
  }
}
