import type { Clock } from "../core/ports.ts";

/** Longer delays overflow in `setTimeout` and would fire at once; who waits longer looks at the time again. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
