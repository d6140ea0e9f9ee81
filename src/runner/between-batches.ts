import type { LaneLocks } from "../core/executor.ts";
import type { Journal } from "../core/journal.ts";
import type { Clock } from "../core/ports.ts";

/** The leader looks for work now and then, and then holds the turn for a moment. */
const POLL_MS = 50;

export interface BetweenParts {
  readonly journal: Pick<Journal, "executing">;
  readonly locks: LaneLocks;
  readonly clock: Clock;
}

/**
 * Does something to a lane while no window executes a batch there, whichever window leads it; the lock falls with the
 * process. Answers `executing`, and does nothing, where a batch is under way or was left unfinished.
 */
export async function betweenBatches<T>(
  { journal, locks, clock }: BetweenParts,
  lane: string,
  task: () => Promise<T>,
): Promise<{ readonly kind: "done"; readonly value: T } | { readonly kind: "executing" }> {
  for (;;) {
    const turn = await locks.tryAcquire(lane, "turn");
    try {
      if ((await journal.executing(lane)).length > 0) return { kind: "executing" };
      if (turn) return { kind: "done", value: await task() };
    } finally {
      await turn?.release();
    }
    await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
  }
}
