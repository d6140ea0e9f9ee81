import { createInterface } from "node:readline";
import { SqliteLaneLocks } from "../../../src/journal/lane-locks.ts";

/** Takes a lane's lock, says so, and lets go of it when told. */
const [lane = "", storage = "", user = ""] = process.argv.slice(2);
const lock = await new SqliteLaneLocks({ storage, user }).tryAcquire(lane);
console.log(lock === undefined ? "refused" : "held");
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== "release") continue;
  await lock?.release();
  console.log("released");
}
