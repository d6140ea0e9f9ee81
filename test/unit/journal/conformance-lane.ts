import assert from "node:assert/strict";
import { StateError } from "../../../src/core/errors.ts";
import type { Fence } from "../../../src/core/journal.ts";
import { done, git, idsOf, llm, operation, queuedIds, self, started } from "./fixtures.ts";
import type { OpenFresh, Opened } from "./fixtures.ts";

const reason = (expected: string) => (error: unknown) =>
  error instanceof StateError && error.reason === expected;

/** What every journal must hold of sealing, leading and executing. */
export function laneConformance(open: OpenFresh): void {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  describe("seal", () => {
    it("takes everything queued of each group at once, groups in order of their first operation", async () => {
      const [b1, a1, b2] = [
        operation("commit", { group: "b", lane: "b" }),
        operation("push", { group: "a", lane: "a" }),
        operation("merge", { group: "b", lane: "b" }),
      ];
      await opened.journal.enqueue([b1, a1, b2]);
      const batches = await opened.journal.seal([
        { group: "a" },
        { group: "b" },
        { group: "none" },
        { group: "a" },
      ]);
      assert.deepEqual(
        batches.map(({ group, status, operationCount }) => ({ group, status, operationCount })),
        [
          { group: "b", status: "pending", operationCount: 2 },
          { group: "a", status: "pending", operationCount: 1 },
        ],
      );
      assert.deepEqual(await idsOf(opened.journal, batches[0]!.id), [b1.id, b2.id]);
      assert.deepEqual(await queuedIds(opened.journal), []);
      assert.equal((await opened.journal.operation(a1.id))?.status, "pending");
      assert.deepEqual(await opened.journal.openLanes(), ["a", "b"]);
    });

    it("splits by count and by bytes, in order, and lets one that is too large stand alone", async () => {
      const sizes = [4, 4, 20, 4, 4, 4];
      const given = sizes.map((size) => operation("request", { payload: "x".repeat(size) }));
      await opened.journal.enqueue(given);
      const limits = { maxCount: 2, maxBytes: 10 };
      const batches = await opened.journal.seal([{ group: given[0]!.group, limits }]);
      const parts = await Promise.all(batches.map(({ id }) => idsOf(opened.journal, id)));
      assert.deepEqual(
        parts,
        [[0, 1], [2], [3, 4], [5]].map((part) => part.map((index) => given[index]!.id)),
      );
      assert.deepEqual(
        batches.map(({ bytes }) => bytes),
        [8, 20, 8, 4],
      );
    });
  });

  describe("lead and claim", () => {
    it("hands out the lane's batches oldest first, each once", async () => {
      const given = [operation(), operation("request"), operation("push")];
      const sealed: string[] = [];
      for (const one of given) {
        await opened.journal.enqueue([one]);
        sealed.push((await opened.journal.seal([{ group: one.group }]))[0]!.id);
      }
      const fence = await opened.journal.lead(git, "window", self);
      opened.clock.time += 5;
      const first = done(await opened.journal.claim(fence));
      assert.deepEqual(
        [first?.id, first?.status, first?.startedAt],
        [sealed[0], "executing", opened.clock.time],
      );
      assert.equal((await opened.journal.operation(given[0]!.id))?.status, "executing");
      assert.equal(done(await opened.journal.claim(fence))?.id, sealed[2]);
      assert.equal(done(await opened.journal.claim(fence)), undefined);
      assert.deepEqual(
        (await opened.journal.executing(git)).map(({ id }) => id),
        [sealed[0], sealed[2]],
      );
    });

    it("hands out a batch by its id where that is pending in the lane", async () => {
      await opened.journal.enqueue([operation(), operation(), operation("request")]);
      const [first, second] = await opened.journal.seal([{ group: git, limits: { maxCount: 1 } }]);
      const [other] = await opened.journal.seal([{ group: `${llm}/batch/model` }]);
      const fence = await opened.journal.lead(git, "window", self);
      assert.equal(done(await opened.journal.claim(fence, second!.id))?.id, second!.id);
      assert.equal(done(await opened.journal.claim(fence, second!.id)), undefined);
      await assert.rejects(opened.journal.claim(fence, other!.id), reason("wrong-lane"));
      await assert.rejects(opened.journal.claim(fence, "none"), reason("not-found"));
      assert.equal(done(await opened.journal.claim(fence))?.id, first!.id);
    });

    it("answers fenced to a former leader, whatever it tries, and changes nothing", async () => {
      const { fence: old, batch } = await started(opened.journal, [operation()]);
      done(await opened.journal.recordIntent(old, batch.id, { kind: "push", plan: {} }));
      const now = await opened.journal.lead(git, "other", self);
      assert.ok(now.epoch > old.epoch);
      const before = await opened.journal.state();
      const [id] = await idsOf(opened.journal, batch.id);
      const outcome = {
        settled: [{ result: { id: id!, status: "succeeded" } }],
        stats: { "git.pushesExecuted": 1 },
      } as const;
      const attempts = (fence: Fence) => [
        opened.journal.claim(fence),
        opened.journal.recordIntent(fence, batch.id, { kind: "x", plan: 1 }),
        opened.journal.recordStart(fence, batch.id, 0, self),
        opened.journal.recordOutcome(fence, batch.id, outcome),
        opened.journal.release(fence, batch.id, "queue"),
        opened.journal.beat(fence),
      ];
      const stale: Fence[] = [
        old,
        { ...now, holder: "window" },
        { ...now, epoch: now.epoch + 1 },
        { ...now, lane: llm },
      ];
      for (const fence of stale) {
        for (const answer of await Promise.all(attempts(fence))) assert.deepEqual(answer, { kind: "fenced" });
      }
      assert.deepEqual(await opened.journal.state(), before);
      assert.equal(done(await opened.journal.recordOutcome(now, batch.id, outcome)).status, "completed");
    });

    it("shows who leads and that it is alive", async () => {
      const fence = await opened.journal.lead(git, "window", self);
      await opened.journal.beat(fence);
      await opened.journal.beat(fence);
      assert.deepEqual(await opened.journal.owners(), [
        { lane: git, holder: "window", epoch: fence.epoch, process: self, beat: 2 },
      ]);
      await opened.journal.lead(git, "other", self);
      assert.equal((await opened.journal.owners())[0]?.beat, 0);
    });
  });

  describe("effects", () => {
    it("numbers them within the batch and keeps plan, process and result", async () => {
      const { fence, batch } = await started(opened.journal, [operation()]);
      const at = opened.clock.time;
      const plan = { old: "\ud800" };
      assert.equal(done(await opened.journal.recordIntent(fence, batch.id, { kind: "refs", plan })), 0);
      assert.equal(done(await opened.journal.recordIntent(fence, batch.id, { kind: "push", plan: 1 })), 1);
      await opened.journal.recordStart(fence, batch.id, 1, self);
      await opened.journal.recordOutcome(fence, batch.id, {
        effect: { n: 0, state: "done", result: { ok: true } },
      });
      const { epoch } = fence;
      assert.deepEqual(await opened.journal.effects(batch.id), [
        {
          batch: batch.id,
          n: 0,
          kind: "refs",
          state: "done",
          epoch,
          plan: JSON.stringify(plan),
          result: '{"ok":true}',
          at,
        },
        { batch: batch.id, n: 1, kind: "push", state: "started", epoch, plan: "1", process: self, at },
      ]);
    });

    it("refuses effects of a batch that does not execute in this lane, and unknown ones", async () => {
      const { fence, batch } = await started(opened.journal, [operation()]);
      await opened.journal.enqueue([operation()]);
      const [pending] = await opened.journal.seal([{ group: git }]);
      const intent = { kind: "x", plan: 1 };
      await assert.rejects(opened.journal.recordIntent(fence, pending!.id, intent), reason("not-executing"));
      await assert.rejects(opened.journal.recordOutcome(fence, pending!.id, {}), reason("not-executing"));
      await assert.rejects(opened.journal.recordStart(fence, batch.id, 7, self), reason("not-found"));
      const other = await opened.journal.lead(llm, "window", self);
      await assert.rejects(opened.journal.recordIntent(other, batch.id, intent), reason("wrong-lane"));
      await assert.rejects(opened.journal.recordIntent(fence, "none", intent), reason("not-found"));
    });
  });

  describe("outcomes", () => {
    it("ends the batch with its last operation and counts what happened", async () => {
      const given = [operation("commit"), operation("merge"), operation("push"), operation("commit")];
      const { fence, batch } = await started(opened.journal, given);
      const [commit, merge, push, last] = given;
      const open = done(
        await opened.journal.recordOutcome(fence, batch.id, {
          settled: [
            { result: { id: commit!.id, status: "succeeded", commit: "c0ffee" }, detail: { seen: 1 } },
            { result: { id: merge!.id, status: "succeeded" } },
          ],
          details: new Map([[push!.id, { checking: true }]]),
          stats: { "git.pushesRequested": 1n, "git.pushesExecuted": 1 },
          remoteId: "remote",
          detail: { phase: 1 },
        }),
      );
      assert.deepEqual([open.status, open.counts], ["executing", { executing: 2, succeeded: 2 }]);
      assert.deepEqual((await opened.journal.operation(push!.id))?.detail, { checking: true });
      assert.deepEqual((await opened.journal.operation(commit!.id))?.detail, { seen: 1 });
      opened.clock.time += 250;
      const failed = { id: push!.id, status: "failed", error: "no \udc00", reason: "rejected" } as const;
      const settled = [{ result: failed }, { result: { id: last!.id, status: "cancelled" } }] as const;
      const ended = done(
        await opened.journal.recordOutcome(fence, batch.id, { settled, error: "one failed" }),
      );
      assert.deepEqual(await opened.journal.batch(batch.id), ended);
      assert.deepEqual(
        [ended.status, ended.endedAt, ended.remoteId, ended.detail, ended.error],
        ["completed", opened.clock.time, "remote", { phase: 1 }, "one failed"],
      );
      assert.deepEqual(await opened.journal.result(commit!.id), {
        id: commit!.id,
        status: "succeeded",
        commit: "c0ffee",
      });
      const kept = await opened.journal.operation(push!.id);
      assert.deepEqual([kept?.error, kept?.reason], ["no \udc00", "rejected"]);
      const { executed, stats } = (await opened.journal.state()).git;
      assert.deepEqual(executed[0]?.stats, {
        "git.commits": 1,
        "git.failed": 1,
        "git.merges": 1,
        "git.pushesExecuted": 1,
        "git.pushesRequested": 1,
        "git.totalBatches": 1,
        "git.totalExecuteTimeMs": 250,
        "git.totalOps": 3,
      });
      assert.deepEqual(stats, {
        totalOps: 3,
        totalBatches: 1,
        avgOpsPerBatch: 3,
        networkSavings: -1,
        pushesRequested: 1,
        pushesExecuted: 1,
        commits: 1,
        merges: 1,
        failed: 1,
        totalExecuteTimeMs: 250,
      });
    });

    it("never changes what is final and counts it once", async () => {
      const given = [operation("request"), operation("request")];
      const { fence, batch } = await started(opened.journal, given);
      const id = given[0]!.id;
      const first = {
        result: { id, status: "succeeded", text: "one" },
        stats: { "llm.outputTokens": 7 },
      } as const;
      await opened.journal.recordOutcome(fence, batch.id, { settled: [first, first] });
      const second = {
        result: { id, status: "failed", text: "two" },
        stats: { "llm.outputTokens": 9 },
      } as const;
      await opened.journal.recordOutcome(fence, batch.id, {
        settled: [second],
        details: new Map([[id, "late"]]),
      });
      assert.equal((await opened.journal.result(id))?.text, "one");
      const kept = await opened.journal.operation(id);
      assert.deepEqual([kept?.status, kept?.detail], ["succeeded", undefined]);
      const { stats } = (await opened.journal.state()).llm;
      assert.deepEqual([stats.outputTokens, stats.failed, stats.totalRequests], [7, 0, 0]);
      assert.deepEqual((await opened.journal.batch(batch.id))?.counts, { executing: 1, succeeded: 1 });
    });

    it("refuses the whole outcome when it names an operation of another batch", async () => {
      const given = [operation("request")];
      const { fence, batch } = await started(opened.journal, given);
      const settled = [{ result: { id: operation().id, status: "succeeded" } }] as const;
      await assert.rejects(opened.journal.recordOutcome(fence, batch.id, { settled }), reason("not-found"));
      assert.equal(await opened.journal.result(given[0]!.id), undefined);
    });

    it("adds money exactly, beyond what a double holds", async () => {
      const { fence, batch } = await started(opened.journal, [operation("request")]);
      const large = 2n ** 70n;
      for (const amount of [large, 1n, -large]) {
        await opened.journal.recordOutcome(fence, batch.id, { stats: { "llm.costPico": amount } });
      }
      assert.equal((await opened.journal.state()).llm.stats.costUsd, 1e-12);
    });
  });

  describe("progress", () => {
    it("of a push is shown while its batch executes", async () => {
      const given = operation("push");
      const { fence, batch } = await started(opened.journal, [given]);
      const progress = { target: "origin", step: "writing", percent: 45 };
      done(await opened.journal.recordOutcome(fence, batch.id, { detail: { progress } }));
      assert.deepEqual((await opened.journal.state()).git.executing[0]?.progress, progress);
      const settled = [{ result: { id: given.id, status: "succeeded" } } as const];
      done(await opened.journal.recordOutcome(fence, batch.id, { settled }));
      assert.equal((await opened.journal.state()).git.executed[0]?.progress, undefined);
    });
  });

  describe("release", () => {
    it("puts operations back in front of what was queued meanwhile, and the batch is gone", async () => {
      const given = [operation(), operation()];
      const { fence, batch } = await started(opened.journal, given);
      const later = operation();
      await opened.journal.enqueue([later]);
      done(await opened.journal.release(fence, batch.id, "queue"));
      assert.deepEqual(
        await queuedIds(opened.journal),
        [...given, later].map(({ id }) => id),
      );
      assert.equal(await opened.journal.batch(batch.id), undefined);
      assert.deepEqual((await opened.journal.state()).git.executing, []);
      assert.equal((await opened.journal.operation(given[0]!.id))?.batch, undefined);
      const [again] = await opened.journal.seal([{ group: git }]);
      assert.equal(again?.operationCount, 3);
    });

    it("leaves what is final in the batch, which ends with that", async () => {
      const given = [operation(), operation("commit", { payload: "123456" })];
      const { fence, batch } = await started(opened.journal, given);
      await opened.journal.recordOutcome(fence, batch.id, {
        settled: [{ result: { id: given[0]!.id, status: "succeeded" } }],
      });
      await opened.journal.release(fence, batch.id, "queue");
      const ended = await opened.journal.batch(batch.id);
      assert.deepEqual(
        [ended?.status, ended?.operationCount, ended?.counts],
        ["completed", 1, { succeeded: 1 }],
      );
      assert.equal(ended?.bytes, Buffer.byteLength(given[0]!.payload));
      assert.deepEqual(await queuedIds(opened.journal), [given[1]!.id]);
    });

    it("gives back what stands behind a place, and the batch goes on with the rest", async () => {
      const given = [operation(), operation(), operation("commit", { payload: "123456" })];
      const { fence, batch } = await started(opened.journal, given);
      const from = (await opened.journal.operation(given[1]!.id))!.position;
      done(await opened.journal.release(fence, batch.id, "queue", from));
      assert.deepEqual(
        await queuedIds(opened.journal),
        given.slice(1).map(({ id }) => id),
      );
      const goesOn = await opened.journal.batch(batch.id);
      assert.deepEqual(
        [goesOn?.status, goesOn?.operationCount, goesOn?.counts, goesOn?.bytes],
        ["executing", 1, { executing: 1 }, Buffer.byteLength(given[0]!.payload)],
      );
      await opened.journal.recordOutcome(fence, batch.id, {
        settled: [{ result: { id: given[0]!.id, status: "succeeded" } }],
      });
      assert.equal((await opened.journal.batch(batch.id))?.status, "completed");
    });

    it("lets a batch wait to be claimed again, before those that came later", async () => {
      const { fence, batch } = await started(opened.journal, [operation()]);
      await opened.journal.enqueue([operation()]);
      await opened.journal.seal([{ group: git }]);
      await opened.journal.release(fence, batch.id, "pending");
      const waiting = await opened.journal.batch(batch.id);
      assert.deepEqual(
        [waiting?.status, waiting?.startedAt, waiting?.counts],
        ["pending", undefined, { pending: 1 }],
      );
      assert.equal(done(await opened.journal.claim(fence))?.id, batch.id);
    });
  });
}
