import assert from "node:assert/strict";
import { StateError } from "../../../src/core/errors.ts";
import { done, git, idsOf, operation, queuedIds, self, started } from "./fixtures.ts";
import type { OpenFresh, Opened } from "./fixtures.ts";

const reason = (expected: string) => (error: unknown) =>
  error instanceof StateError && error.reason === expected;

/** What every journal must hold of accepting, ordering and cancelling. */
export function queueConformance(open: OpenFresh): void {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  describe("enqueue", () => {
    it("keeps everything that it was given, text of any kind included", async () => {
      const texts = [
        "\u2028",
        "a\u0000b",
        "\ud800 alone",
        "\ufeffmark",
        "\u0001starts",
        "ends\u0001",
        "ünï",
        "\u{1f600}",
        "",
      ];
      const given = texts.map((text) =>
        operation("commit", {
          label: text,
          payload: text,
          detail: { text, n: [1, null] },
          retryOf: "earlier",
          source: "mcp",
        }),
      );
      const outcomes = await opened.journal.enqueue(given);
      assert.deepEqual(
        outcomes,
        given.map(({ id }) => ({ kind: "inserted", id })),
      );
      for (const { fingerprint: _, ...rest } of given) {
        const kept = await opened.journal.operation(rest.id);
        const { position, ...others } = kept!;
        assert.ok(position > 0);
        assert.deepEqual(others, { ...rest, status: "queued", bytes: Buffer.byteLength(rest.payload) });
      }
    });

    it("answers duplicate for the same id or key and fingerprint, and conflict for another fingerprint", async () => {
      const first = operation("commit", { idempotencyKey: "key\ud800", fingerprint: "one" });
      const again = { ...first, id: operation().id };
      const other = { ...again, fingerprint: "two", id: operation().id };
      const last = operation();
      const outcomes = await opened.journal.enqueue([first, first, again, other, last]);
      assert.deepEqual(outcomes, [
        { kind: "inserted", id: first.id },
        { kind: "duplicate", id: first.id },
        { kind: "duplicate", id: first.id },
        { kind: "conflict", id: first.id },
        { kind: "inserted", id: last.id },
      ]);
      assert.deepEqual(await queuedIds(opened.journal), [first.id, last.id]);
      assert.equal(await opened.journal.operation(other.id), undefined);
    });

    it("keeps the order of many callers of one turn", async () => {
      const given = Array.from({ length: 40 }, () => operation());
      await Promise.all(given.map((one) => opened.journal.enqueue([one])));
      assert.deepEqual(
        await queuedIds(opened.journal),
        given.map(({ id }) => id),
      );
    });

    it("is not changed by what the caller does to the detail afterwards", async () => {
      const detail = { files: ["a"] };
      const one = operation("commit", { detail });
      await opened.journal.enqueue([one]);
      detail.files.push("b");
      assert.deepEqual((await opened.journal.operation(one.id))?.detail, { files: ["a"] });
      await opened.journal.seal([{ group: git }]);
      const fence = await opened.journal.lead(git, "window", self);
      const batch = done(await opened.journal.claim(fence));
      await opened.journal.recordOutcome(fence, batch!.id, { detail, details: new Map([[one.id, detail]]) });
      detail.files.push("c");
      assert.deepEqual((await opened.journal.operation(one.id))?.detail, { files: ["a", "b"] });
      assert.deepEqual((await opened.journal.batch(batch!.id))?.detail, { files: ["a", "b"] });
    });
  });

  it("refuses by its promise and never throws, so that a store may be anywhere", async () => {
    const { journal } = opened;
    const none = operation();
    const fence = await journal.lead(git, "window", self);
    const asked: (() => Promise<unknown>)[] = [
      () => journal.edit("none", none),
      () => journal.move("none", 0),
      () => journal.cancel(["none"]),
      () => journal.requestCancel("none"),
      () => journal.claim(fence, "none"),
      () => journal.recordIntent(fence, "none", { kind: "push", plan: 1 }),
      () => journal.recordStart(fence, "none", 0, self),
      () => journal.recordOutcome(fence, "none", {}),
      () => journal.release(fence, "none", "queue"),
      () => journal.operations({ after: "none", limit: 1 }),
    ];
    for (const ask of asked) {
      const answer = ask();
      await assert.rejects(answer, StateError);
    }
  });

  describe("edit and move", () => {
    it("replaces what is asked for and leaves the place in the queue", async () => {
      const [first, second] = [operation("commit", { detail: 1 }), operation()];
      await opened.journal.enqueue([first, second]);
      const { group, lane } = first;
      const change = { group, lane, label: "new", payload: "[]", fingerprint: "f", detail: undefined };
      await opened.journal.edit(first.id, change);
      const edited = await opened.journal.operation(first.id);
      assert.equal(edited?.label, "new");
      assert.equal(edited.payload, "[]");
      assert.equal(edited.bytes, 2);
      assert.equal("detail" in edited, false);
      assert.equal(edited.enqueuedAt, first.enqueuedAt);
      assert.deepEqual(await queuedIds(opened.journal), [first.id, second.id]);
    });

    it("takes an edited operation into another group", async () => {
      const one = operation();
      await opened.journal.enqueue([one]);
      const { label, payload, fingerprint } = one;
      await opened.journal.edit(one.id, { group: "git:/b", lane: "git:/b", label, payload, fingerprint });
      assert.deepEqual(await opened.journal.queues("git"), [
        { group: "git:/b", lane: "git:/b", count: 1, laneExecuting: false },
      ]);
    });

    it("moves within the group only, beyond either end too", async () => {
      const [a, b, other, c] = [operation(), operation(), operation("request"), operation()];
      await opened.journal.enqueue([a, b, other, c]);
      await opened.journal.move(c.id, 0);
      assert.deepEqual(await queuedIds(opened.journal), [c.id, a.id, other.id, b.id]);
      await opened.journal.move(c.id, 99);
      assert.deepEqual(await queuedIds(opened.journal), [a.id, b.id, other.id, c.id]);
      await opened.journal.move(b.id, -1);
      const [batch] = await opened.journal.seal([{ group: git }]);
      assert.deepEqual(await idsOf(opened.journal, batch!.id), [b.id, a.id, c.id]);
    });

    it("refuses what has left the queue and what is not there", async () => {
      const one = operation();
      await opened.journal.enqueue([one]);
      await opened.journal.seal([{ group: git }]);
      await assert.rejects(opened.journal.move(one.id, 0), reason("already-started"));
      await assert.rejects(opened.journal.edit(one.id, one), reason("already-started"));
      await assert.rejects(opened.journal.move(operation().id, 0), reason("not-found"));
    });
  });

  describe("cancel", () => {
    it("makes an executed batch of one of a queued operation, outside the totals", async () => {
      const [one, two] = [operation(), operation()];
      await opened.journal.enqueue([one, two]);
      const [cancelled] = await opened.journal.cancel([one.id]);
      assert.equal(cancelled?.status, "cancelled");
      const state = await opened.journal.state();
      assert.deepEqual(
        state.git.queued.map(({ id }) => id),
        [two.id],
      );
      assert.equal(state.git.executed.length, 1);
      const [batch] = state.git.executed;
      assert.equal(batch?.status, "cancelled");
      assert.deepEqual(batch.counts, { cancelled: 1 });
      assert.deepEqual(
        batch.operations.map(({ id }) => id),
        [one.id],
      );
      assert.equal(state.git.stats.totalBatches, 0);
      assert.deepEqual(await opened.journal.result(one.id), { id: one.id, status: "cancelled" });
    });

    it("keeps a cancelled pending operation in its batch, which goes on with the rest", async () => {
      const [one, two] = [operation(), operation()];
      await opened.journal.enqueue([one, two]);
      const [sealed] = await opened.journal.seal([{ group: git }]);
      await opened.journal.cancel([one.id]);
      assert.deepEqual((await opened.journal.batch(sealed!.id))?.counts, { cancelled: 1, pending: 1 });
      const fence = await opened.journal.lead(git, "window", self);
      assert.deepEqual(done(await opened.journal.claim(fence))?.counts, { cancelled: 1, executing: 1 });
      const outcome = { settled: [{ result: { id: two.id, status: "succeeded" } }] } as const;
      const ended = done(await opened.journal.recordOutcome(fence, sealed!.id, outcome));
      assert.equal(ended.status, "completed");
      assert.equal((await opened.journal.state()).git.stats.totalOps, 1);
    });

    it("ends a pending batch as cancelled with its last operation", async () => {
      const [one, two] = [operation(), operation()];
      await opened.journal.enqueue([one, two]);
      const [sealed] = await opened.journal.seal([{ group: git }]);
      await opened.journal.cancel([one.id, two.id]);
      const batch = await opened.journal.batch(sealed!.id);
      assert.equal(batch?.status, "cancelled");
      assert.equal(batch.endedAt, opened.clock.time);
      assert.deepEqual(await opened.journal.openLanes(), []);
      assert.equal((await opened.journal.state()).git.stats.totalBatches, 0);
    });

    it("changes nothing when one of them has started, ended or is not there", async () => {
      const { fence, batch } = await started(opened.journal, [operation()]);
      const [executing] = await idsOf(opened.journal, batch.id);
      const queued = operation();
      await opened.journal.enqueue([queued]);
      await assert.rejects(opened.journal.cancel([queued.id, executing!]), reason("already-started"));
      await opened.journal.recordOutcome(fence, batch.id, {
        settled: [{ result: { id: executing!, status: "failed" } }],
      });
      await assert.rejects(opened.journal.cancel([queued.id, executing!]), reason("already-started"));
      await assert.rejects(opened.journal.cancel([queued.id, operation().id]), reason("not-found"));
      assert.deepEqual(await queuedIds(opened.journal), [queued.id]);
    });

    it("clears what is queued and pending of one side, and nothing that executes", async () => {
      const { batch } = await started(opened.journal, [operation()]);
      await opened.journal.enqueue([operation(), operation("request")]);
      await opened.journal.seal([{ group: git }]);
      await opened.journal.enqueue([operation()]);
      assert.equal((await opened.journal.clear("git")).length, 2);
      const state = await opened.journal.state();
      assert.deepEqual([state.git.queuedCount, state.git.pending.length, state.llm.queuedCount], [0, 0, 1]);
      assert.deepEqual(
        state.git.executing.map(({ id }) => id),
        [batch.id],
      );
      assert.equal((await opened.journal.clear(undefined)).length, 1);
    });

    it("cancels a pending batch at once and asks for an executing one", async () => {
      const { fence, batch } = await started(opened.journal, [operation()]);
      await opened.journal.requestCancel(batch.id);
      assert.equal((await opened.journal.batch(batch.id))?.cancelRequested, true);
      await opened.journal.enqueue([operation()]);
      const [pending] = await opened.journal.seal([{ group: git }]);
      await opened.journal.requestCancel(pending!.id);
      assert.equal((await opened.journal.batch(pending!.id))?.status, "cancelled");
      const [id] = await idsOf(opened.journal, batch.id);
      await opened.journal.recordOutcome(fence, batch.id, {
        settled: [{ result: { id: id!, status: "cancelled" } }],
      });
      await assert.rejects(opened.journal.requestCancel(batch.id), reason("already-ended"));
      await assert.rejects(opened.journal.requestCancel("none"), reason("not-found"));
    });
  });
}
