import assert from "node:assert/strict";
import { StateError } from "../../../src/core/errors.ts";
import type { InfoBatch } from "../../../src/core/batch-info.ts";
import type { Hold } from "../../../src/core/snapshot.ts";
import { Flusher, parseFlush } from "../../../src/host/commands/flush.ts";
import type { Passed } from "../../../src/host/cost-gate.ts";
import { costAllowed, overDayAllowed } from "../../../src/llm/index.ts";
import { fill } from "../../support/host/translate.ts";
import { openBatchers, push, request } from "../../support/core/batchers.ts";

const passed: Passed = { mark: costAllowed, lift: () => Promise.resolve() };

async function open(
  refusals: Readonly<Record<string, string>> = {},
  mayPay: (caller: string, limits: readonly Hold[]) => Promise<Passed> = () => Promise.resolve(passed),
) {
  const batchers = await openBatchers();
  const flusher = new Flusher({
    ...batchers,
    refusal: (lane) => Promise.resolve(refusals[lane]),
    mayPay,
    t: fill,
  });
  return { ...batchers, flusher };
}

async function until<Found>(look: () => Found | undefined | false): Promise<Found> {
  for (;;) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("Flushing", () => {
  it("forms batches of both sides and answers them", async () => {
    const { git, llm, flusher } = await open();
    await git.enqueue(push("main"));
    await llm.enqueue(request("hello"));
    const { batches, outcomes } = await flusher.flush({}, "code");
    assert.deepEqual(batches.map(({ group }) => group).sort(), [
      "git:/repo",
      "llm:anthropic/implementer/claude-opus-5-5",
    ]);
    assert.equal(outcomes, undefined);
    assert.equal(git.queueSize() + llm.queueSize(), 0);
  });

  it("leaves the other side alone", async () => {
    const { git, llm, flusher } = await open();
    await git.enqueue(push("main"));
    await llm.enqueue(request("hello"));
    await flusher.flush({ kind: "llm" }, "code");
    assert.equal(git.queueSize(), 1);
    assert.equal(llm.queueSize(), 0);
  });

  it("answers what was pending or executing before, too", async () => {
    const { git, flusher } = await open();
    await git.enqueue(push("one"));
    const [first] = await git.flush();
    await git.markBatchExecuting(first!.id);
    await git.enqueue(push("two"));
    const { batches } = await flusher.flush({ kind: "git" }, "code");
    assert.deepEqual(batches.map(({ status }) => status).sort(), ["executing", "pending"]);
    assert.ok(batches.some(({ id }) => id === first!.id));
  });

  it("answers nothing where nothing waits", async () => {
    const { flusher } = await open();
    assert.deepEqual(await flusher.flush({}, "code"), { batches: [] });
    assert.deepEqual(await flusher.flush({ wait: true }, "code"), { batches: [], outcomes: {} });
  });

  it("forms batches while paused", async () => {
    const { git, flusher } = await open();
    await git.pause();
    await git.enqueue(push("main"));
    assert.equal((await flusher.flush({}, "code")).batches.length, 1);
  });

  it("waits until all are final; a failed one does not reject", async () => {
    const { git, llm, flusher } = await open();
    const pushed = await git.enqueue(push("main"));
    const asked = await llm.enqueue(request("hello"));
    const answer = flusher.flush({ wait: true }, "code");
    const gitBatch = await pending(git);
    const llmBatch = await pending(llm);
    await git.markBatchExecuting(gitBatch);
    await llm.markBatchExecuting(llmBatch);
    await llm.markBatchFailed(llmBatch, "the API is down");
    await git.markBatchCompleted(gitBatch, new Map([[pushed.id, { id: pushed.id, status: "succeeded" }]]));
    const { batches, outcomes } = await answer;
    assert.deepEqual(outcomes, { [pushed.id]: "succeeded", [asked.id]: "failed" });
    assert.deepEqual(batches.map(({ status }) => status).sort(), ["completed", "failed"]);
  });

  it("rejects on a hold with its reason and forms nothing", async () => {
    const { journal, state, llm, flusher } = await open();
    await llm.enqueue(request("hello"));
    await journal.setHold({ kind: "llm", reason: "no-key" });
    await state.refresh();
    await assert.rejects(flusher.flush({ kind: "llm" }, "code"), /No API key is set/);
    await assert.rejects(flusher.flush({}, "code"), StateError);
    assert.equal(llm.queueSize(), 1);
  });

  it("asks whether what a limit on money stops may go out, and marks what it forms as allowed before the hold is lifted", async () => {
    const asked: unknown[] = [];
    const formed: number[] = [];
    const { journal, state, llm, flusher } = await open({}, (...question) => {
      asked.push(question);
      const lift = async (): Promise<void> => {
        formed.push((await journal.state()).llm.pending.length);
      };
      return Promise.resolve({ mark: overDayAllowed, lift });
    });
    await llm.enqueue(request("hello"));
    const hold: Hold = { kind: "llm", reason: "daily-cost-limit", lane: "llm:anthropic" };
    await journal.setHold(hold);
    await journal.setHold({ ...hold, lane: "llm:openai" });
    await state.refresh();
    const { batches } = await flusher.flush({ kind: "llm" }, "person");
    assert.deepEqual(asked, [["person", [hold]]]);
    assert.deepEqual(formed, [1]);
    assert.deepEqual((await journal.batch(batches[0]!.id))?.detail, overDayAllowed);
  });

  it("forms nothing where nobody agrees to the cost", async () => {
    const { llm, flusher } = await open({}, () => Promise.reject(new Error("no")));
    await llm.enqueue(request("hello"));
    await assert.rejects(flusher.flush({}, "code"), /no/);
    assert.equal(llm.queueSize(), 1);
  });

  it("flushes the side that can run while the other is held", async () => {
    const { journal, state, git, llm, flusher } = await open();
    await llm.enqueue(request("hello"));
    await git.enqueue(push("main"));
    await journal.setHold({ kind: "llm", reason: "no credit" });
    await state.refresh();
    assert.deepEqual(
      (await flusher.flush({}, "code")).batches.map(({ group }) => group),
      ["git:/repo"],
    );
    assert.equal(llm.queueSize(), 1);
  });

  it("rejects where no window may claim the lane, and flushes only what one may", async () => {
    const { git, flusher } = await open({ "git:/closed": "Nobody has /closed open." });
    await git.enqueue(push("main", "/closed"));
    await assert.rejects(
      flusher.flush({ kind: "git" }, "code"),
      new StateError("unclaimed", "Nobody has /closed open."),
    );
    await git.enqueue(push("main", "/repo"));
    assert.deepEqual(
      (await flusher.flush({}, "code")).batches.map(({ group }) => group),
      ["git:/repo"],
    );
    assert.equal(git.queueSize(), 1);
  });

  it("is not refused what runs because something else may not, and does not wait for that", async () => {
    const { journal, state, git, flusher } = await open({ "git:/closed": "Nobody has /closed open." });
    const closed = await git.enqueue(push("main", "/closed"));
    // A window that had it open has formed its batch and gone.
    await git.flush();
    const own = await git.enqueue(push("main", "/repo"));
    const answer = flusher.flush({ kind: "git", wait: true }, "code");
    const batch = await until(() => git.getQueuedOps().length === 0 && batchOf("git:/repo"));
    await git.markBatchExecuting(batch.id);
    await git.markBatchCompleted(batch.id, new Map([[own.id, { id: own.id, status: "succeeded" }]]));
    assert.deepEqual((await answer).outcomes, { [closed.id]: "pending", [own.id]: "succeeded" });
    await assert.rejects(
      flusher.flush({ kind: "git", wait: true }, "code"),
      new StateError("unclaimed", "Nobody has /closed open."),
    );
    assert.equal((await journal.operation(closed.id))?.status, "pending");

    function batchOf(group: string): InfoBatch | undefined {
      const found = state.current().git.pending.find((each) => each.group === group);
      return found && git.getBatchById(found.id);
    }
  });

  it("does not wait for a batch whose window has gone and that no other may go on with", async () => {
    const refusals: Record<string, string> = {};
    const { git, flusher } = await open(refusals);
    const { id } = await git.enqueue(push("main", "/closed"));
    const [batch] = await git.flush();
    await git.markBatchExecuting(batch!.id);
    refusals["git:/closed"] = "Nobody has /closed open.";
    await git.enqueue(push("main", "/repo"));
    const answer = flusher.flush({ kind: "git", wait: true }, "code");
    const own = await until(() => git.getPendingBatch());
    await git.markBatchExecuting(own.id);
    await git.markBatchCompleted(own.id, new Map());
    assert.equal((await answer).outcomes?.[id], "executing");
  });

  it("stops waiting, with the reason, when a hold sends everything back to the queue", async () => {
    const { clock, journal, llm, flusher } = await open();
    await llm.enqueue(request("hello"));
    const answer = flusher.flush({ kind: "llm", wait: true }, "code");
    const rejected = assert.rejects(answer, (error: StateError) => error.reason === "no-key");
    const batch = await pending(llm);
    const fence = await journal.lead("llm:anthropic", "window", { pid: 0, start: "" });
    await journal.claim(fence);
    await journal.setHold({ kind: "llm", reason: "no-key" });
    await journal.release(fence, batch, "queue");
    await clock.advance(1000);
    await rejected;
  });

  it("refuses arguments that it does not know, naming the field", () => {
    assert.throws(() => parseFlush({ kind: "svn" }), /^InputError: kind: must be "git" or "llm"/);
    assert.throws(() => parseFlush({ wait: "yes" }), /^InputError: wait: /);
    assert.throws(() => parseFlush({ force: true }), /^InputError: force: /);
    assert.throws(() => parseFlush("all"), /^InputError: argument: /);
  });
});

/** The id of the first pending batch, once there is one. */
async function pending(side: { getPendingBatch(): { id: string } | undefined }): Promise<string> {
  for (;;) {
    const batch = side.getPendingBatch();
    if (batch) return batch.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
