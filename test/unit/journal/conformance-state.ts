import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import type { JournalEvent } from "../../../src/core/journal.ts";
import { StateError } from "../../../src/core/errors.ts";
import { git, idsOf, llm, operation, self, started } from "./fixtures.ts";
import type { OpenFresh, Opened } from "./fixtures.ts";

/** What every journal must hold of reading, watching, controls and pruning. */
export function stateConformance(open: OpenFresh): void {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  /** Runs a batch of one to its end. */
  async function finished(status: "succeeded" | "failed" = "succeeded"): Promise<string> {
    const { fence, batch } = await started(opened.journal, [operation()]);
    const [id] = await idsOf(opened.journal, batch.id);
    await opened.journal.recordOutcome(fence, batch.id, { settled: [{ result: { id: id!, status } }] });
    return batch.id;
  }

  describe("state", () => {
    it("is bounded: the first 200 queued, the newest 200 executed, counts complete", async () => {
      await opened.journal.enqueue(Array.from({ length: 230 }, () => operation("request")));
      await opened.journal.cancel(
        (await opened.journal.enqueue(Array.from({ length: 210 }, () => operation()))).map(({ id }) => id),
      );
      const last = await finished();
      const state = await opened.journal.state();
      assert.deepEqual([state.llm.queued.length, state.llm.queuedCount], [200, 230]);
      assert.equal(state.git.executed.length, 200);
      opened.clock.time += 1;
      const newest = await finished("failed");
      assert.deepEqual(
        (await opened.journal.state()).git.executed.slice(0, 2).map(({ id }) => id),
        [newest, last],
      );
      assert.ok(Buffer.byteLength(JSON.stringify(state)) < 256_000);
    });

    it("shows failed operations first, then newest, within 200 a batch and 256 kB in all", async () => {
      const given = Array.from({ length: 300 }, () => operation("request", { label: "x".repeat(400) }));
      const { fence, batch } = await started(opened.journal, given);
      const settled = given.map(({ id }, index) => ({
        result: { id, status: index === 10 ? "failed" : index === 20 ? "expired" : "succeeded" } as const,
      }));
      await opened.journal.recordOutcome(fence, batch.id, { settled });
      const state = await opened.journal.state();
      const [view] = state.llm.executed;
      assert.deepEqual([view?.operationCount, view?.operations.length], [300, 200]);
      assert.deepEqual(
        view?.operations.slice(0, 4).map(({ id }) => id),
        [20, 10, 299, 298].map((index) => given[index]!.id),
      );
      await opened.journal.enqueue(
        Array.from({ length: 300 }, () => operation("commit", { detail: "y".repeat(2000) })),
      );
      const full = await opened.journal.state();
      assert.ok(full.git.queued.length > 0);
      assert.equal(full.git.queuedCount, 300);
      assert.ok(Buffer.byteLength(JSON.stringify(full)) < 256_000);
    });

    it("leaves out a view that is too large, and shows those behind it", async () => {
      const [huge, small] = [operation("commit", { detail: "z".repeat(200_000) }), operation()];
      await opened.journal.enqueue([huge, small]);
      const { git: side } = await opened.journal.state();
      assert.deepEqual([side.queuedCount, side.queued.map(({ id }) => id)], [2, [small.id]]);
    });

    it("raises the sequence with every change", async () => {
      const sequences = [(await opened.journal.state()).sequence];
      const note = async (): Promise<void> => void sequences.push((await opened.journal.state()).sequence);
      const { fence, batch } = await started(opened.journal, [operation()]);
      await note();
      await opened.journal.recordOutcome(fence, batch.id, { remoteId: "r" });
      await note();
      await opened.journal.setPaused("git", true);
      await note();
      await opened.journal.setHold({ kind: "llm", reason: "no-key" });
      await note();
      await opened.journal.requestCancel(batch.id);
      await note();
      await opened.journal.release(fence, batch.id, "queue");
      await note();
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => a - b),
      );
    });
  });

  describe("queues and pages", () => {
    it("tells each group's size, oldest unattended operation and whether its lane executes", async () => {
      await started(opened.journal, [operation()]);
      const [person, tool, cli] = [
        operation("commit", { enqueuedAt: 1 }),
        operation("commit", { enqueuedAt: 3, source: "tool" }),
        operation("push", { enqueuedAt: 2, source: "cli" }),
      ];
      await opened.journal.enqueue([
        person,
        tool,
        cli,
        operation("commit", { group: "git:/b", lane: "git:/b" }),
      ]);
      assert.deepEqual(await opened.journal.queues("git"), [
        { group: "git:/b", lane: "git:/b", count: 1, laneExecuting: false },
        { group: git, lane: git, count: 3, oldestUnattended: 2, laneExecuting: true },
      ]);
      assert.deepEqual(await opened.journal.queues("llm"), []);
    });

    it("pages finished batches of one side, newest end first, with their operations and figures", async () => {
      const ended: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        // Two end at one time.
        opened.clock.time += n === 3 ? 0 : 1;
        ended.unshift(await finished());
      }
      const first = await opened.journal.executed({ side: "git", limit: 2 });
      const rest = await opened.journal.executed({ side: "git", limit: 9, after: first.at(-1)!.id });
      assert.deepEqual(
        [...first, ...rest].map(({ id }) => id),
        ended,
      );
      assert.deepEqual(rest, (await opened.journal.state()).git.executed.slice(2));
      assert.deepEqual(await opened.journal.executed({ side: "git", limit: 2, after: ended.at(-1)! }), []);
      assert.deepEqual(await opened.journal.executed({ side: "git", limit: 2, after: "dropped" }), []);
      assert.deepEqual(await opened.journal.executed({ side: "llm", limit: 2 }), []);
    });

    it("pages operations and payloads in order", async () => {
      const given = Array.from({ length: 7 }, () => operation());
      const { batch } = await started(opened.journal, given);
      const pages: string[][] = [];
      for (let after: string | undefined; ;) {
        const page = await opened.journal.operations({
          batch: batch.id,
          limit: 3,
          ...(after === undefined ? {} : { after }),
        });
        if (page.length === 0) break;
        pages.push(page.map(({ id }) => id));
        after = page.at(-1)!.id;
      }
      assert.deepEqual(
        pages.map(({ length }) => length),
        [3, 3, 1],
      );
      assert.deepEqual(
        pages.flat(),
        given.map(({ id }) => id),
      );
      const payloads = await opened.journal.payloads(batch.id, 0, 5);
      const rest = await opened.journal.payloads(batch.id, payloads.at(-1)!.position, 5);
      assert.deepEqual(
        [...payloads, ...rest].map(({ payload }) => payload),
        given.map(({ payload }) => payload),
      );
      await assert.rejects(opened.journal.operations({ after: "none", limit: 1 }), StateError);
    });

    it("cuts a page of large payloads short and goes on after it", async () => {
      const given = Array.from({ length: 3 }, (_, index) =>
        operation("request", { payload: `${index}`.repeat(9_000_000) }),
      );
      const { batch } = await started(opened.journal, given);
      const seen: string[] = [];
      for (let after = 0; ;) {
        const page = await opened.journal.payloads(batch.id, after, 10);
        if (page.length === 0) break;
        assert.equal(page.length, 1);
        assert.ok(page.every(({ id, payload }) => given.find((one) => one.id === id)?.payload === payload));
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1)!.position;
      }
      assert.deepEqual(
        seen,
        given.map(({ id }) => id),
      );
    });
  });

  describe("controls", () => {
    it("keeps pauses, one hold per side and reason, and small facts", async () => {
      await opened.journal.setPaused("llm", true);
      await opened.journal.setHold({ kind: "llm", reason: "credit" });
      await opened.journal.setHold({ kind: "llm", reason: "credit", until: "2026-02-01T00:00:00Z" });
      await opened.journal.setHold({ kind: "llm", reason: "no-key" });
      await opened.journal.setHold({ kind: "git", reason: "no-key" });
      await opened.journal.clearHolds("llm", "no-key");
      const state = await opened.journal.state();
      assert.deepEqual(state.paused, { git: false, llm: true });
      assert.deepEqual(state.holds, [
        { kind: "git", reason: "no-key" },
        { kind: "llm", reason: "credit", until: "2026-02-01T00:00:00Z" },
      ]);
      await opened.journal.clearHolds("git");
      await opened.journal.setHold({ kind: "llm", reason: "credit", lane: "llm:openai" });
      await opened.journal.clearHolds("llm", "credit", "llm:openai");
      assert.deepEqual((await opened.journal.state()).holds, [
        { kind: "llm", reason: "credit", until: "2026-02-01T00:00:00Z" },
      ]);
      const { sequence } = await opened.journal.state();
      await opened.journal.setHold({ kind: "llm", reason: "credit", until: "2026-02-01T00:00:00Z" });
      assert.equal((await opened.journal.state()).sequence, sequence, "nothing that is new to anybody");
      await opened.journal.setPaused("llm", false);
      assert.equal((await opened.journal.state()).holds.length, 1);
      await opened.journal.remember("limit:host", "3");
      assert.equal(await opened.journal.recall("limit:host"), "3");
      await opened.journal.remember("limit:host", undefined);
      assert.equal(await opened.journal.recall("limit:host"), undefined);
      const first = { was: undefined };
      assert.equal(await opened.journal.remember("limit:host", "4", first), true);
      assert.equal(await opened.journal.remember("limit:host", "5", first), false);
      assert.equal(await opened.journal.recall("limit:host"), "4");
      assert.equal(await opened.journal.remember("limit:host", "6", { was: "4" }), true);
      assert.equal(await opened.journal.recall("limit:host"), "6");
    });
  });

  describe("holds of a lane's leader", () => {
    it("are set and lifted by who leads it now, and not by who led it before", async () => {
      const { journal } = opened;
      const [before, other] = [
        await journal.lead(llm, "before", self),
        await journal.lead(git, "other", self),
      ];
      const hold = { kind: "llm", reason: "credit", lane: llm } as const;
      assert.deepEqual(await journal.setHold(hold, before), { kind: "done", value: undefined });
      const now = await journal.lead(llm, "now", self);
      assert.deepEqual(await journal.setHold({ ...hold, reason: "no-key" }, before), { kind: "fenced" });
      assert.deepEqual(await journal.liftHold(before, "credit"), { kind: "fenced" });
      await journal.liftHold(other, "credit");
      await journal.liftHold(now, "no-key");
      assert.deepEqual((await journal.state()).holds, [hold]);
      await journal.liftHold(now, "credit");
      assert.deepEqual((await journal.state()).holds, []);
    });
  });

  describe("prune", () => {
    it("drops what ended before, with its operations, and keeps statistics and everything open", async () => {
      const old = await finished();
      const [oldOperation] = await idsOf(opened.journal, old);
      opened.clock.time += 1000;
      const recent = await finished();
      const keyed = operation("commit", { idempotencyKey: "again", fingerprint: "f" });
      await opened.journal.enqueue([keyed]);
      const before = (await opened.journal.state()).git.stats;
      assert.deepEqual(await opened.journal.prune({ olderThanMs: 0 }), [old]);
      assert.equal(await opened.journal.batch(old), undefined);
      assert.equal(await opened.journal.operation(oldOperation!), undefined);
      assert.equal(await opened.journal.result(oldOperation!), undefined);
      assert.notEqual(await opened.journal.batch(recent), undefined);
      const state = await opened.journal.state();
      assert.deepEqual(state.git.stats, before);
      assert.equal(state.git.queuedCount, 1);
      await opened.journal.cancel([keyed.id]);
      await opened.journal.prune({ olderThanMs: -Infinity });
      const again = await opened.journal.enqueue([{ ...keyed, id: operation().id, fingerprint: "other" }]);
      assert.equal(again[0]?.kind, "inserted");
    });
  });

  describe("watch", () => {
    it("brings every event in order, to late listeners too, and none after it was disposed", async () => {
      const seen: JournalEvent[] = [];
      const late: JournalEvent[] = [];
      const watching = opened.journal.watch(0, (events) => void seen.push(...events));
      const one = operation("request");
      const { fence, batch } = await started(opened.journal, [one]);
      await opened.journal.recordOutcome(fence, batch.id, {
        settled: [{ result: { id: one.id, status: "succeeded" } }],
      });
      while (seen.length < 4) await turn();
      assert.deepEqual(
        seen.map(({ type }) => type),
        ["enqueued", "sealed", "claimed", "settled"],
      );
      assert.deepEqual(seen.at(-1), {
        sequence: seen.at(-1)!.sequence,
        type: "settled",
        batch: batch.id,
        operations: [one.id],
      });
      const sorted = seen.map(({ sequence }) => sequence).sort((a, b) => a - b);
      assert.deepEqual(
        seen.map(({ sequence }) => sequence),
        [...new Set(sorted)],
      );
      watching.dispose();
      opened.journal.watch(seen[1]!.sequence, (events) => void late.push(...events));
      await opened.journal.setPaused("git", true);
      while (late.length < 3) await turn();
      assert.deepEqual(
        late.map(({ type }) => type),
        ["claimed", "settled", "control"],
      );
      assert.equal(seen.length, 4);
    });

    it("names every operation of a large change", async () => {
      const given = Array.from({ length: 1200 }, () => operation());
      const seen = new Set<string>();
      opened.journal.watch(0, (events) => {
        for (const { operations } of events) for (const id of operations ?? []) seen.add(id);
      });
      await opened.journal.enqueue(given);
      while (seen.size < given.length) await turn();
      assert.deepEqual(seen, new Set(given.map(({ id }) => id)));
    });
  });

  it("keeps lanes apart", async () => {
    await opened.journal.enqueue([operation(), operation("request")]);
    await opened.journal.seal([{ group: git }]);
    const fence = await opened.journal.lead(llm, "window", self);
    assert.deepEqual(await opened.journal.claim(fence), { kind: "done", value: undefined });
  });
}
