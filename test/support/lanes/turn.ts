import { once } from "node:events";
import process from "node:process";

/** What a lane and the process of a test file say to each other. */
export const turnMessages = { prepared: "prepared", go: "go" } as const;

/**
 * Tells the lane that the file is about to begin its first test, and waits for its word. Only for a process that the lane
 * has started with a channel; it ends when the lane is gone, for which nobody would call it up any more.
 */
export async function takeTurn(): Promise<void> {
  process.once("disconnect", () => process.exit(130));
  const called = once(process, "message");
  process.send?.(turnMessages.prepared);
  await called;
}
