import type { Clock } from "../core/ports.ts";

/** Waits, or until `signal` aborts. One that has aborted already shortens nothing. */
export function wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(Math.max(0, ms), done);
    if (signal?.aborted === false) signal.addEventListener("abort", done);
  });
}

/** Somebody wants the batch stopped. */
export const isCancelled = (signal: AbortSignal): boolean => signal.aborted && signal.reason === "cancel";
/** This window is to stop; another goes on. */
export const isStopped = (signal: AbortSignal): boolean => signal.aborted && signal.reason !== "cancel";
