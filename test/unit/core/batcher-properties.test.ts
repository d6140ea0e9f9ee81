import assert from "node:assert/strict";
import fc from "fast-check";
import type { Result } from "../../../src/core/result.ts";
import type { Operation } from "../../../src/core/operation.ts";
import { openBatchers, request } from "../../support/core/batchers.ts";

type Step =
  | { readonly kind: "enqueue"; readonly group: number }
  | { readonly kind: "flush" }
  | { readonly kind: "execute"; readonly outcome: "succeed" | "fail" | "half" }
  | { readonly kind: "cancel"; readonly nth: number }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "clear" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("enqueue" as const), group: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.constant({ kind: "flush" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("execute" as const),
      outcome: fc.constantFrom("succeed" as const, "fail" as const, "half" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), nth: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("advance" as const), ms: fc.nat(3_000) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "clear" as const }) },
);

describe("batcher, whatever happens to it", () => {
  it("loses nothing, puts nothing into two batches, keeps the order within a group and settles each result once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 2, max: 6 }),
        async (steps, maxBatchSize) => {
          const world = await openBatchers({ maxBatchSize, maxBatchAge: 2 });
          const accepted: string[] = [];
          const settled: Result[] = [];
          for (const next of steps) await take(next, world, accepted, settled);

          const all = await operations(world);
          assert.deepEqual(
            all.map((operation) => operation.id).sort(),
            [...accepted].sort(),
            "each accepted operation is there once",
          );
          for (const operation of all) {
            assert.equal(
              operation.batch === undefined,
              operation.status === "queued",
              "in the queue or in one batch",
            );
          }
          for (const [key, members] of Map.groupBy(all, (operation) => operation.batch ?? operation.group)) {
            const order = [...members]
              .sort((a, b) => a.position - b.position)
              .map((operation) => accepted.indexOf(operation.id));
            assert.deepEqual(
              order,
              [...order].sort((a, b) => a - b),
              `the order of ${key}`,
            );
            assert.equal(new Set(members.map((operation) => operation.group)).size, 1, "one group a batch");
          }
          await world.clock.advance(0);
          const final = all.filter(
            (operation) => !["queued", "pending", "executing"].includes(operation.status),
          );
          assert.deepEqual(
            settled.map((result) => result.id).sort(),
            final.map((operation) => operation.id).sort(),
          );
          for (const result of settled)
            assert.equal(result.status, all.find((operation) => operation.id === result.id)?.status);
        },
      ),
      { numRuns: 60 },
    );
  });
});

type World = Awaited<ReturnType<typeof openBatchers>>;

async function take(next: Step, world: World, accepted: string[], settled: Result[]): Promise<void> {
  const { llm, clock } = world;
  switch (next.kind) {
    case "enqueue": {
      const { id, result } = await llm.enqueue(request(`${accepted.length}`, `type${next.group}`));
      accepted.push(id);
      void result.then((outcome) => settled.push(outcome));
      return;
    }
    case "flush":
      await llm.flush();
      return;
    case "execute": {
      const batch = llm.getPendingBatch();
      if (!batch) return;
      await llm.markBatchExecuting(batch.id);
      if (next.outcome === "fail") return llm.markBatchFailed(batch.id, "no");
      const kept = batch.operations.filter((_, index) => next.outcome === "succeed" || index % 2 === 0);
      return llm.markBatchCompleted(
        batch.id,
        new Map(kept.map(({ id }) => [id, { id, status: "succeeded" }])),
      );
    }
    case "cancel": {
      const open = (await operations(world)).filter(
        (operation) => operation.status === "queued" || operation.status === "pending",
      );
      const chosen = open[next.nth % (open.length || 1)];
      if (chosen) await llm.cancel(chosen.id);
      return;
    }
    case "advance":
      return clock.advance(next.ms);
    case "clear":
      return llm.clear();
  }
}

async function operations({ journal }: World): Promise<readonly Operation[]> {
  return journal.operations({ limit: 1_000 });
}
