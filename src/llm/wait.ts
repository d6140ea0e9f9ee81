import type { Clock } from "../core/ports.ts";

/** Waits, or until `signal` aborts. */
function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(Math.max(0, ms), done);
    if (signal?.aborted === true) done();
    else signal?.addEventListener("abort", done);
  });
}

/** How long the end of a machine's sleep may go unnoticed. */
const SLICE = 5_000;

/**
 * The same by the time of day as well: timers stand still while a machine sleeps, and what was due meanwhile is due when it
 * wakes. A clock that is set back makes nobody wait longer. `ms` is asked again every few seconds, for it may come from a
 * setting.
 */
export async function waitAwake(clock: Clock, ms: () => number, signal?: AbortSignal): Promise<void> {
  const begun = clock.now();
  for (let waited = 0; signal?.aborted !== true; waited += SLICE) {
    const left = ms() - waited;
    if (left <= 0 || clock.now() >= begun + ms()) return;
    await wait(clock, Math.min(SLICE, left), signal);
  }
}
