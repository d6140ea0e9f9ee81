import { createInterface } from "node:readline";
import { SqliteLaneLocks } from "../../../src/journal/lane-locks.ts";

/** Takes a lane's lock, as another user if one is named, says so, and lets go of it when told. */
const [lane = "", storage = "", user = "", uid] = process.argv.slice(2);
const locks = new SqliteLaneLocks({ storage, user });
if (uid !== undefined) {
  // What is loaded at the first use may not be readable afterwards.
  await (await locks.tryAcquire("llm:another"))?.release();
  process.setuid?.(Number(uid));
}
const lock = await locks.tryAcquire(lane);
console.log(lock === undefined ? "refused" : "held");
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== "release") continue;
  await lock?.release();
  console.log("released");
}
