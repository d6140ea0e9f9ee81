import { createInterface } from "node:readline";
import type { Fence } from "../../../src/core/journal.ts";
import { done } from "./fixtures.ts";
import { openIn } from "./sqlite-fixtures.ts";

/** Claims until nothing is left, once told to start, and says what it got. */
const [folder = "", fence = ""] = process.argv.slice(2);
const { journal } = await openIn(folder);
console.log("ready");
for await (const _ of createInterface({ input: process.stdin })) break;
for (;;) {
  const batch = done(await journal.claim(JSON.parse(fence) as Fence));
  if (batch === undefined) break;
  console.log(`claimed ${batch.id}`);
}
await journal.close();
console.log("end");
process.exit(0);
