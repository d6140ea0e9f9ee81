import type { Clock } from "../core/ports.ts";

/** Waits, or until `signal` aborts. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
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
