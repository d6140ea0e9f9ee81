import assert from "node:assert/strict";
import { FinishedNotices } from "../../../src/host/finished-notices.ts";
import type { BatchView } from "../../../src/core/snapshot.ts";
import { ManualClock } from "../../support/core/manual-clock.ts";
import { nodeId } from "../../../src/host/tree/node.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const group = "llm:anthropic/judge/m";
const mine = [{ lane: "llm:anthropic", held: true }];
const start = Date.UTC(2026, 10, 29);
const running = (...ids: readonly string[]) =>
  snapshot({ llm: { executing: ids.map((id) => batch(id, { status: "executing", group })) } });
const ended = (id: string, minutes: number, more: Partial<BatchView> = {}): BatchView =>
  batch(id, {
    group,
    startedAt: new Date(start).toISOString(),
    endedAt: new Date(start + minutes * 60_000).toISOString(),
    counts: { succeeded: 2, failed: 1 },
    operations: [operation("why", { kind: "request", status: "failed" })],
    ...more,
  });
const over = (...batches: readonly BatchView[]) => snapshot({ llm: { executed: batches } });

function watch({ when = "whenLong", focused = true, first = running("a", "b") } = {}) {
  const clock = new ManualClock();
  const told: (readonly [message: string, newest: string, answers: number, failed: string | undefined])[] =
    [];
  const notices = new FinishedNotices(
    {
      t: fill,
      numbers: { count: String },
      clock,
      when: () => when,
      focused: () => focused,
      tell: ({ message, newest, answers, failed }) =>
        void told.push([message, newest, answers, failed && nodeId(failed)]),
    },
    first,
  );
  return { clock, notices, told };
}

describe("A finished batch of requests", () => {
  it("is told with what came of it where it took minutes", async () => {
    const { clock, notices, told } = watch();
    notices.update(over(ended("a", 5)), mine);
    await clock.advance(2000);
    assert.deepEqual(told, [
      ["An LLM batch has finished. Answers: 2. Failed: 1.", "a", 2, "operation/a/why"],
    ]);
    notices.update(over(ended("a", 5)), mine);
    await clock.advance(2000);
    assert.equal(told.length, 1, "once");
  });

  it("is told together with others, naming the newest", async () => {
    const { clock, notices, told } = watch();
    notices.update(over(ended("b", 9), ended("a", 5)), mine);
    await clock.advance(2000);
    assert.deepEqual(told, [
      ["LLM batches have finished: 2. Answers: 4. Failed: 2.", "b", 4, "operation/b/why"],
    ]);
  });

  it("is not told where it was quick and the person looks on, but where the window is not in front", async () => {
    for (const focused of [true, false]) {
      const { clock, notices, told } = watch({ focused });
      notices.update(over(ended("a", 0.1)), mine);
      await clock.advance(2000);
      assert.equal(told.length, focused ? 0 : 1);
    }
  });

  it("is told always or never where the setting says so", async () => {
    for (const when of ["always", "never"]) {
      const { clock, notices, told } = watch({ when, focused: when === "always" });
      notices.update(over(ended("a", when === "always" ? 0.1 : 60)), mine);
      await clock.advance(2000);
      assert.equal(told.length, when === "always" ? 1 : 0);
    }
  });

  it("is told in no window but the one that executed it, and not where a person cancelled it", async () => {
    const { clock, notices, told } = watch();
    notices.update(over(ended("a", 9)), [{ lane: "llm:anthropic", held: false }]);
    notices.update(over(ended("b", 9, { status: "cancelled" })), mine);
    await clock.advance(2000);
    assert.deepEqual(told, []);
  });

  it("is not told where it had ended before this window looked", async () => {
    const { clock, notices, told } = watch({ first: over(ended("a", 9)) });
    notices.update(over(ended("a", 9)), mine);
    await clock.advance(2000);
    assert.deepEqual(told, []);
  });

  it("is named as told at once, so that nothing else tells of it", () => {
    const { notices } = watch();
    assert.deepEqual([...notices.update(over(ended("a", 9), ended("b", 0.1)), mine)], ["a"]);
    assert.deepEqual([...notices.update(over(ended("a", 9), ended("b", 0.1)), mine)], []);
  });
});
