import type { Clock, Disposable, Logger } from "../core/ports.ts";
import type { Hold, JournalState } from "../core/snapshot.ts";
import { laneOf } from "./claims.ts";
import type { Claims } from "./claims.ts";

/** How often a lane that nobody may execute is looked at again: a window elsewhere may open it without a change here. */
const LOOK_AGAIN_MS = 5_000;

interface UnclaimedDeps {
  readonly claims: Pick<Claims, "refusal">;
  readonly state: () => JournalState;
  readonly clock: Pick<Clock, "after">;
  readonly log: Logger;
  readonly changed: () => void;
}

/** Finds work that no open window may execute, so that the reader is told why it waits. */
export class UnclaimedWork implements Disposable {
  readonly #deps: UnclaimedDeps;
  #holds: readonly Hold[] = [];
  #looking: Promise<void> | undefined;
  #again = false;
  #cancelTimer: (() => void) | undefined;
  #disposed = false;

  constructor(deps: UnclaimedDeps) {
    this.#deps = deps;
  }

  holds(): readonly Hold[] {
    return this.#holds;
  }

  /** Call when the work or the lanes of this window changed. Resolves once it was looked at. */
  update(): Promise<void> {
    if (this.#looking) {
      this.#again = true;
      return this.#looking;
    }
    this.#looking = this.#look()
      .catch((error: unknown) =>
        this.#deps.log.debug(`Whether work is unclaimed is not known: ${String(error)}`),
      )
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  dispose(): void {
    this.#disposed = true;
    this.#cancelTimer?.();
  }

  async #look(): Promise<void> {
    do {
      this.#again = false;
      const holds: Hold[] = [];
      for (const lane of waitingLanes(this.#deps.state())) {
        const reason = await this.#deps.claims.refusal(lane);
        if (reason !== undefined) holds.push({ kind: lane.startsWith("git:") ? "git" : "llm", reason });
      }
      const differs = JSON.stringify(holds) !== JSON.stringify(this.#holds);
      this.#holds = holds;
      if (differs && !this.#disposed) this.#deps.changed();
    } while (this.#isWanted());
    this.#cancelTimer?.();
    if (this.#holds.length > 0 && !this.#disposed)
      this.#cancelTimer = this.#deps.clock.after(LOOK_AGAIN_MS, () => void this.update());
  }

  #isWanted(): boolean {
    return this.#again && !this.#disposed;
  }
}

function waitingLanes({ git, llm }: JournalState): ReadonlySet<string> {
  const groups = [git, llm].flatMap((side) => [...side.queued, ...side.pending, ...side.executing]);
  return new Set(groups.map(({ group }) => laneOf(group)));
}
