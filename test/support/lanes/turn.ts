import process from "node:process";

/** What a lane and the process of a test file say to each other. */
export const turnMessages = { prepared: "prepared", go: "go" } as const;

/**
 * Tells the lane that the file is about to begin its first test, and waits for its word. Only for a process that the lane
 * has started with a channel; it ends when the lane is gone, for which nobody would call it up any more.
 */
export function takeTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.on("message", (message) => message === turnMessages.go && resolve());
  process.once("disconnect", () => process.exit(130));
  process.send?.(turnMessages.prepared);
  return promise;
}
