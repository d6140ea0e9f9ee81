import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { items, params, resultsOf, withSimulator } from "./helpers.ts";
import { createBatch, line, readLines, runBatch } from "./openai-helpers.ts";

// Longer than what is kept in memory, and with characters that blocks of the file split.
const long = 'ä€🙂\\"{}[],'.repeat(300);

describe("simulator: bodies that lie in a file", () => {
  it("finds every item of a batch of some megabytes, whatever its text holds", () =>
    withSimulator({}, async ({ simulator, anthropic }) => {
      const requests = items(700).map((item, index) => ({ ...item, params: params(`${index} ${long}`) }));
      const { id } = await anthropic.messages.batches.create({ requests });
      assert(simulator.requests[0]!.bytes > 3_000_000);
      assert.equal(simulator.requests[0]!.body, undefined);
      assert.deepEqual(
        simulator.batches[0]?.customIds,
        requests.map((one) => one.custom_id),
      );
      for (const index of [0, 255, 256, 699]) {
        assert.deepEqual(await simulator.batches[0].params(`item-${index}`), requests[index]?.params);
      }
      await simulator.endBatch(id);
      const results = await resultsOf(anthropic, id);
      assert.equal(results.size, 700);
      for (const [key, result] of results) {
        assert.match(JSON.stringify(result), new RegExp(`"Answer to: ${key.slice(5)} ä€🙂`));
      }
    })).timeout(20_000);

  it("takes a file of some megabytes in a form", () =>
    withSimulator({}, async (running) => {
      const lines = Array.from({ length: 700 }, (_, index) => line(`r${index}`, `${index} ${long}`));
      const batch = await runBatch(running, lines);
      const output = await readLines(running.openai, batch.output_file_id);
      assert.equal(output.size, 700);
      for (const [key, one] of output) {
        assert.match(JSON.stringify(one.response), new RegExp(`"Answer to: ${key.slice(1)} ä€🙂`));
      }
    })).timeout(20_000);

  it("closes while batches are being worked on, leaving no file behind", async () => {
    const before = await leftovers();
    await withSimulator({ autoEndMs: 1 }, async ({ simulator, anthropic, openai }) => {
      const requests = items(700).map((item) => ({ ...item, params: params(long) }));
      await anthropic.messages.batches.create({ requests });
      await createBatch(
        openai,
        requests.map((one) => line(one.custom_id, long)),
      );
      assert.equal(simulator.batches.length, 2);
      assert.notDeepEqual(await leftovers(), before);
    });
    assert.deepEqual(await leftovers(), before);
  }).timeout(20_000);
});

/** The folders of this process's simulators. */
async function leftovers(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`llm-simulator-${process.pid}-`));
}
