import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import fc from "fast-check";
import type { Fence } from "../../../src/core/journal.ts";
import type { FinalStatus, NewOperation } from "../../../src/core/operation.ts";
import type { BaseJournal } from "../../../src/journal/base-journal.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { openJournal } from "../../../src/journal/sqlite/open-journal.ts";
import { StillClock, self } from "./fixtures.ts";
import { removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

type Step =
  | {
      readonly kind: "enqueue";
      readonly group: number;
      readonly request: boolean;
      readonly key: number | null;
      readonly size: number;
    }
  | { readonly kind: "move" | "edit"; readonly pick: number; readonly to: number }
  | { readonly kind: "cancel"; readonly picks: readonly number[] }
  | { readonly kind: "seal"; readonly groups: readonly number[]; readonly maxCount: number | null }
  | {
      readonly kind: "requestCancel" | "lead" | "claim" | "intent" | "queue" | "pending";
      readonly pick: number;
    }
  | { readonly kind: "settle"; readonly pick: number; readonly take: number; readonly status: FinalStatus }
  | { readonly kind: "clear"; readonly side: "git" | "llm" }
  | { readonly kind: "pause"; readonly on: boolean }
  | { readonly kind: "prune" }
  | { readonly kind: "tick" };

const pick = fc.nat(40);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("enqueue" as const),
      group: fc.nat(2),
      request: fc.boolean(),
      key: fc.option(fc.nat(3)),
      size: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("move" as const, "edit" as const), pick, to: fc.nat(5) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("cancel" as const), picks: fc.array(pick, { maxLength: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("seal" as const),
      groups: fc.array(fc.nat(2), { maxLength: 3 }),
      maxCount: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "requestCancel" as const,
        "lead" as const,
        "claim" as const,
        "claim" as const,
        "claim" as const,
        "intent" as const,
        "queue" as const,
        "pending" as const,
      ),
      pick,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      pick,
      take: fc.integer({ min: 1, max: 4 }),
      status: fc.constantFrom<FinalStatus>("succeeded", "failed", "cancelled", "expired"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("clear" as const),
      side: fc.constantFrom("git" as const, "llm" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pause" as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: "prune" } as const, { kind: "tick" } as const) },
);

/** Runs steps on one journal, choosing what they are about in a way that depends on the steps alone. */
class Driver {
  readonly journal: BaseJournal;
  readonly clock: StillClock;
  readonly accepted: string[] = [];
  readonly batches: string[] = [];
  readonly #fences = new Map<string, Fence>();

  constructor(journal: BaseJournal, clock: StillClock) {
    this.journal = journal;
    this.clock = clock;
  }

  /** What the verb answered, or the stable word of its refusal. */
  async run(one: Step, n: number): Promise<unknown> {
    try {
      return await this.#verb(one, n);
    } catch (error) {
      if (error instanceof Error && "reason" in error) return { refused: error.reason };
      throw error;
    }
  }

  async #verb(one: Step, n: number): Promise<unknown> {
    const { journal } = this;
    switch (one.kind) {
      case "enqueue": {
        const added = newOperation(one, n);
        const outcomes = await journal.enqueue([added]);
        if (outcomes[0]?.kind === "inserted") this.accepted.push(added.id);
        return outcomes;
      }
      case "move":
        return journal.move(this.#operation(one.pick), one.to);
      case "edit": {
        const known = await journal.operation(this.#operation(one.pick));
        if (known === undefined) return undefined;
        return journal.edit(known.id, {
          ...known,
          label: `edited ${n}`,
          payload: `edited ${n}`,
          fingerprint: String(n),
          detail: { n },
        });
      }
      case "cancel":
        return journal.cancel(one.picks.map((index) => this.#operation(index)));
      case "seal": {
        const limits = one.maxCount === null ? {} : { limits: { maxCount: one.maxCount } };
        const sealed = await journal.seal(
          one.groups.map((group) => ({ group: `group ${group}`, ...limits })),
        );
        this.batches.push(...sealed.map(({ id }) => id));
        return sealed;
      }
      case "requestCancel":
        return journal.requestCancel(this.#batch(one.pick));
      case "lead":
      case "claim":
        return one.kind === "lead"
          ? this.#lead(lanes[one.pick % lanes.length]!)
          : journal.claim(await this.#fence(one.pick));
      case "intent":
        return journal.recordIntent(await this.#fenceOf(one.pick), this.#batch(one.pick), {
          kind: "push",
          plan: { n },
        });
      case "queue":
      case "pending":
        return journal.release(await this.#fenceOf(one.pick), this.#batch(one.pick), one.kind);
      case "settle": {
        const batch = this.#batch(one.pick);
        const some = await journal.operations({ batch, limit: one.take });
        const settled = some.map(({ id }) => ({
          result: { id, status: one.status, text: `text ${n}` },
          stats: { "llm.outputTokens": 3 },
        }));
        return journal.recordOutcome(await this.#fenceOf(one.pick), batch, {
          settled,
          stats: { "git.pushesExecuted": 1 },
        });
      }
      case "clear":
        return journal.clear(one.side);
      case "pause":
        return journal.setPaused("git", one.on);
      case "prune":
        return journal.prune({ olderThanMs: 0 });
      case "tick":
        this.clock.time += 7;
        return undefined;
    }
  }

  #operation(index: number): string {
    return this.accepted[index % Math.max(1, this.accepted.length)] ?? "none";
  }

  #batch(index: number): string {
    return this.batches[index % Math.max(1, this.batches.length)] ?? "none";
  }

  async #lead(lane: string): Promise<Fence> {
    const fence = await this.journal.lead(lane, "holder", self);
    this.#fences.set(lane, fence);
    return fence;
  }

  async #fence(index: number): Promise<Fence> {
    const lane = lanes[index % lanes.length]!;
    return this.#fences.get(lane) ?? this.#lead(lane);
  }

  async #fenceOf(index: number): Promise<Fence> {
    const lane = (await this.journal.batch(this.#batch(index)))?.lane ?? lanes[0]!;
    return this.#fences.get(lane) ?? this.#lead(lane);
  }
}

const statuses = ["queued", "pending", "executing", "succeeded", "failed", "cancelled", "expired"] as const;
const lanes = ["lane 0", "lane 1", "lane 2"];

const newOperation = (one: Extract<Step, { readonly kind: "enqueue" }>, n: number): NewOperation => ({
  id: `operation ${n}`,
  // One group is of one kind of work, as the rooms make them.
  kind: one.group === 2 ? "request" : one.request ? "push" : "commit",
  group: `group ${one.group}`,
  lane: `lane ${one.group}`,
  label: `label ${n}`,
  source: n % 2 === 0 ? "person" : "mcp",
  enqueuedAt: n,
  payload: "p".repeat(one.size),
  fingerprint: String(n % 3),
  ...(one.key === null ? {} : { idempotencyKey: `key ${one.key}` }),
});

/** Everything that can be read, in one value. */
async function view({ journal, accepted, batches }: Driver): Promise<unknown> {
  const [state, git, llm, open, owners] = await Promise.all([
    journal.state(),
    journal.queues("git"),
    journal.queues("llm"),
    journal.openLanes(),
    journal.owners(),
  ]);
  return {
    state,
    queues: [git, llm],
    open,
    owners,
    all: await journal.operations({ limit: 1000 }),
    lists: await Promise.all(statuses.map((status) => journal.operations({ status, limit: 3 }))),
    ofBatches: await Promise.all(
      batches.map((batch) => journal.operations({ batch, status: "failed", limit: 3 })),
    ),
    operations: await Promise.all(accepted.map((id) => journal.operation(id))),
    results: await Promise.all(accepted.map((id) => journal.result(id))),
    batches: await Promise.all(batches.map((id) => journal.batch(id))),
    effects: await Promise.all(batches.map((id) => journal.effects(id))),
    executing: await Promise.all(lanes.map((lane) => journal.executing(lane))),
  };
}

/** What must hold of any journal at any time. `gone`: ids of operations that were pruned. */
async function invariants({ journal, accepted }: Driver, gone: ReadonlySet<string>): Promise<void> {
  const all = await journal.operations({ limit: 1000 });
  const ids = all.map(({ id }) => id);
  assert.deepEqual(
    ids.toSorted(),
    accepted.filter((id) => !gone.has(id)).toSorted(),
    "nothing is lost, nothing is there twice",
  );
  const positions = all.map(({ position }) => position);
  assert.deepEqual(
    positions,
    [...new Set(positions)].sort((a, b) => a - b),
    "each has a place of its own",
  );
  for (const operation of all) {
    const batch = operation.batch === undefined ? undefined : await journal.batch(operation.batch);
    assert.equal(
      operation.status === "queued",
      batch === undefined,
      "what left the queue is in a batch that exists",
    );
    if (batch?.status === "pending" || batch?.status === "executing") continue;
    if (batch !== undefined) assert.notEqual((await journal.result(operation.id))?.status, undefined);
  }
  const byBatch = Map.groupBy(
    all.filter(({ batch }) => batch !== undefined),
    ({ batch }) => batch!,
  );
  for (const [id, members] of byBatch) {
    const batch = await journal.batch(id);
    assert.equal(batch?.operationCount, members.length);
    assert.equal(
      batch.bytes,
      members.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const counts = Object.fromEntries(
      [...Map.groupBy(members, ({ status }) => status)].map(([status, some]) => [status, some.length]),
    );
    assert.deepEqual({ ...batch.counts }, counts);
  }
}

describe("both journals under any sequence of verbs", function () {
  this.timeout(120_000);

  it("answer and show the same, and lose, double or reorder nothing", async () => {
    const seed = Number(process.env["BATCH_CONTROL_SEED"] ?? randomInt(2 ** 31));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const folder = temporaryFolder();
        const clocks = [new StillClock(), new StillClock()] as const;
        const ids = (): (() => string) => {
          let n = 0;
          return () => `batch ${(n += 1)}`;
        };
        const opened = await openJournal(folder, { clock: clocks[1], newId: ids() });
        assert.equal(opened.kind, "opened");
        const memory = new Driver(new MemoryJournal({ clock: clocks[0], newId: ids() }), clocks[0]);
        const sqlite = new Driver(opened.journal, clocks[1]);
        const gone = new Set<string>();
        try {
          for (const [n, one] of steps.entries()) {
            const ended = one.kind === "prune" ? await endedBefore(memory) : [];
            const [expected, actual] = [await memory.run(one, n), await sqlite.run(one, n)];
            assert.deepEqual(actual, expected, `answers to step ${n}`);
            for (const id of ended) gone.add(id);
          }
          assert.deepEqual(await view(sqlite), await view(memory));
          await invariants(memory, gone);
          await invariants(sqlite, gone);
        } finally {
          await opened.journal.close();
          removeFolder(folder);
        }
      }),
      { seed, numRuns: Number(process.env["BATCH_CONTROL_RUNS"] ?? 40) },
    );
  });
});

/** Operations that a prune is about to drop. */
async function endedBefore({ journal, clock }: Driver): Promise<readonly string[]> {
  const all = await journal.operations({ limit: 1000 });
  const ended: string[] = [];
  for (const { id, batch } of all) {
    const endedAt = batch === undefined ? undefined : (await journal.batch(batch))?.endedAt;
    if (endedAt !== undefined && endedAt < clock.now()) ended.push(id);
  }
  return ended;
}
