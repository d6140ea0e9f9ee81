import { setTimeout as pause } from "node:timers/promises";

/** Waits until something holds; the test's own time limit is the only one. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}
