import { createInterface } from "node:readline";
import { SqliteLaneLocks } from "../../../src/journal/lane-locks.ts";

/** Asks for one repository's lane after the other, each at an agreed moment, and keeps what it gets. */
const [storage = "", user = "", start = "", ...commons] = process.argv.slice(2);
const locks = new SqliteLaneLocks({ storage, user });
const held = [];
for (const [n, common] of commons.entries()) {
  while (Date.now() < Number(start) + n * 5);
  const lock = await locks.tryAcquire(`git:${common}`);
  if (lock === undefined) continue;
  held.push(lock);
  console.log(`leads ${common}`);
}
console.log("asked");
for await (const line of createInterface({ input: process.stdin })) console.log(line, held.length);
