import assert from "node:assert/strict";
import { until } from "../support/faults/until.ts";
import { inJournal } from "../support/faults/verdict.ts";
import { World } from "../support/faults/world.ts";

const creation = { method: "POST", path: "/v1/messages/batches" };

describe("a batch that the provider made and does not show", function () {
  this.timeout(60_000);

  it("is made again, cancelled once it shows up, and reported with its cost", async () => {
    const world = await World.create({ unknownOutcomeWait: 1, autoEndMs: null });
    const { simulator } = world;
    world.wish({
      key: "one",
      chain: "one",
      llm: { model: "claude-haiku-4-5", type: "judge", prompt: "Is it there?", maxTokens: 64 },
    });
    world.misbehave({ match: creation, do: [{ kind: "hide" }, { kind: "hang", acted: true }] });
    const first = await world.begin();
    await until(() => simulator.batches.length === 1);
    first.kill();
    assert.equal(await first.end, "killed");
    world.take(first);
    const [hidden] = simulator.batches;
    assert.ok(hidden);

    const second = await world.begin();
    await until(() => simulator.batches.length === 2);
    simulator.show(hidden.id);
    await until(() => simulator.requests.some(({ path }) => path.endsWith(`${hidden.id}/cancel`)));
    await simulator.endBatch(hidden.id);
    await until(() => simulator.requests.some(({ path }) => path.endsWith(`${hidden.id}/results`)));
    await simulator.endAll();
    assert.equal(await second.end, "idle");
    world.take(second);

    await inJournal(world, async (journal) => {
      const id = world.accepted.get("one") ?? "";
      const result = await journal.result(id);
      assert.equal(result?.status, "succeeded");
      const batch = await journal.batch((await journal.operation(id))?.batch ?? "");
      assert.notEqual(batch?.remoteId, hidden.id);
      const { duplicates } = batch?.detail as { readonly duplicates: readonly Duplicate[] };
      assert.deepEqual(
        duplicates.map(({ remoteId }) => remoteId),
        [hidden.id],
      );
      const cost = duplicates[0]?.costUsd ?? Number.NaN;
      const { llm } = await journal.state();
      assert.equal(llm.stats.costUsd.toFixed(9), ((result.costUsd ?? Number.NaN) + cost).toFixed(9));
    });
    await world.close();
  });
});

interface Duplicate {
  readonly remoteId: string;
  readonly costUsd: number | null;
}
