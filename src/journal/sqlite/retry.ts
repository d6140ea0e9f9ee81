import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./errors.ts";

const firstPauseMs = 2;
const longestPauseMs = 40;

/**
 * Does it again while another window writes. SQLite itself never waits here: its wait would block the event loop and
 * starve this window. The pauses are jittered so that windows do not keep meeting.
 */
export async function whileBusy<T>(action: () => T, patienceMs: number): Promise<T> {
  const start = performance.now();
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > patienceMs) throw error;
    }
    await delay(pause * (0.5 + Math.random()));
  }
}
