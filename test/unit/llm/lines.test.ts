import assert from "node:assert/strict";
import fc from "fast-check";
import { splitLines } from "../../../src/llm/jsonl/lines.ts";

const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\u2028", "\u0085", "😀", "ü", "") });

describe("Splitting lines", () => {
  it("cuts at \\n alone and gives back every byte, wherever the chunks are cut", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat({ max: 5 })), async (whole, sizes) => {
        const bytes = Buffer.from(whole);
        const lines: string[] = [];
        let lastComplete = true;
        for await (const line of splitLines(chunks(bytes, sizes))) {
          assert.ok(lastComplete, "only the last line may lack its end");
          lines.push(line.bytes.toString("utf8") + (line.complete ? "\n" : ""));
          lastComplete = line.complete;
        }
        assert.equal(lines.join(""), whole);
        assert.ok(lines.every((line) => !line.slice(0, -1).includes("\n")));
      }),
    );
  });
});

async function* chunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
  yield bytes.subarray(at);
}
