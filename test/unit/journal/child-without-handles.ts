import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { JournalError } from "../../../src/core/errors.ts";
import { SqliteLaneLocks } from "../../../src/journal/lane-locks.ts";

/** Asks for a lane once it has as many files open as it may. */
const [storage = "", user = "", lane = ""] = process.argv.slice(2);
const locks = new SqliteLaneLocks({ storage, user });
// What is loaded at the first use is loaded before.
await (await locks.tryAcquire("llm:anthropic"))?.release();
const files: number[] = [];
try {
  for (;;) files.push(openSync(import.meta.filename, "r"));
} catch {
  // None is left.
}
const answer = await locks.tryAcquire(lane).then(
  (lock) => (lock === undefined ? "refused" : "held"),
  (error: unknown) => (error instanceof JournalError ? `${error.name} ${error.reason}` : String(error)),
);
console.log(`answer ${answer}`);
for await (const line of createInterface({ input: process.stdin })) console.log(line, files.length);
