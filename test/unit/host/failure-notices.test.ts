import assert from "node:assert/strict";
import type { BatchView, OperationView } from "../../../src/core/snapshot.ts";
import { FailureNotices } from "../../../src/host/failure-notices.ts";
import type { NodeRef } from "../../../src/host/tree/node.ts";
import { ManualClock } from "../../support/core/manual-clock.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const lane = "git:/repos/app/.git";
const mine = [
  { lane, held: true },
  { lane: "git:/repos/lib/.git", held: true },
  { lane: "llm:anthropic", held: true },
];
const conflict = "agent/two conflicts with main in src/a.js";
const failed = (id: string, error = conflict, more: Partial<OperationView> = {}): OperationView =>
  operation(id, {
    kind: "merge",
    label: `Merge ${id}`,
    status: "failed",
    reason: "conflict",
    error,
    ...more,
  });
const good = (id: string): OperationView => operation(id, { status: "succeeded" });
const ended = (id: string, ...operations: readonly OperationView[]): BatchView =>
  batch(id, { status: "completed", operations });
const none: ReadonlySet<string> = new Set();

function watch({ wanted = true, first = snapshot() } = {}) {
  const clock = new ManualClock();
  const told: (readonly [string, NodeRef])[] = [];
  const notices = new FailureNotices(
    {
      t: fill,
      count: String,
      clock,
      wanted: () => wanted,
      tell: (message, row) => void told.push([message, row]),
    },
    first,
  );
  return { clock, notices, told, messages: () => told.map(([message]) => message) };
}

describe("What failed", () => {
  it("is told with how much of it there is, what became of it, and where it stands", async () => {
    const { clock, notices, told } = watch();
    const state = snapshot({ git: { executed: [ended("a", failed("1"), good("2"), good("3"))] } });
    notices.update(state, mine, none);
    await clock.advance(2000);
    assert.deepEqual(told, [
      [
        `1 of 3 operations failed: Merge 1: ${conflict}`,
        { kind: "operation", side: "git", batch: "a", operation: "1" },
      ],
    ]);
    notices.update(state, mine, none);
    await clock.advance(2000);
    assert.equal(told.length, 1, "once");
  });

  it("is told plainly where it was all there was", async () => {
    const { clock, notices, messages } = watch();
    notices.update(snapshot({ git: { executed: [ended("a", failed("1"))] } }), mine, none);
    await clock.advance(2000);
    assert.deepEqual(messages(), [`Merge 1 failed: ${conflict}`]);
  });

  it("is one message for all batches of a flush, however long git works on the last of them", async () => {
    const { clock, notices, messages } = watch();
    const b = batch("b", { status: "executing", group: "git:/repos/lib/.git", operations: [operation("3")] });
    const a = ended("a", failed("1"), good("2"));
    notices.update(snapshot({ git: { executing: [b], executed: [a] } }), mine, none);
    await clock.advance(20_000);
    assert.deepEqual(messages(), []);
    const over = ended("b", failed("3", "the remote refused main (protected branch hook declined)"));
    notices.update(snapshot({ git: { executed: [over, a] } }), mine, none);
    await clock.advance(2000);
    assert.deepEqual(messages(), [
      `2 of 3 operations failed: Merge 1: ${conflict}; Merge 3: the remote refused main (protected branch hook declined)`,
    ]);
  });

  it("is told after a minute at the latest, as where a push hangs", async () => {
    const { clock, notices, messages } = watch();
    const b = batch("b", { status: "executing" });
    notices.update(snapshot({ git: { executing: [b], executed: [ended("a", failed("1"))] } }), mine, none);
    await clock.advance(62_000);
    assert.equal(messages().length, 1);
  });

  it("is not waited for where requests are on their way, which may take a day", async () => {
    const { clock, notices, messages } = watch();
    const llm = { executing: [batch("x", { status: "executing", group: "llm:anthropic/judge/m" })] };
    notices.update(snapshot({ llm, git: { executed: [ended("a", failed("1"))] } }), mine, none);
    await clock.advance(2000);
    assert.equal(messages().length, 1);
  });

  it("names each cause once, as they were queued but for what only follows, three at most, by their first line", async () => {
    const { clock, notices, messages } = watch();
    const follows = failed("0", 'it builds on the commit "1", which did not succeed', {
      reason: "dependency",
    });
    const causes = ["one\nwith more", "one\nwith more", "two", "three", "four"].map((error, at) =>
      failed(`${at + 1}`, error, { reason: "git-failed" }),
    );
    notices.update(
      snapshot({ git: { executed: [ended("a", ...causes.toReversed(), follows)] } }),
      mine,
      none,
    );
    await clock.advance(2000);
    assert.deepEqual(messages(), ["6 of 6 operations failed: Merge 1: one; Merge 3: two; Merge 4: three; …"]);
  });

  it("counts what is not listed, and what expired", async () => {
    const { clock, notices, messages } = watch();
    const many = batch("a", {
      status: "completed",
      group: "llm:anthropic/judge/m",
      operationCount: 1000,
      counts: { failed: 300, expired: 100, succeeded: 600 },
      operations: [operation("1", { kind: "request", label: "Why?", status: "expired", reason: "expired" })],
    });
    notices.update(snapshot({ llm: { executed: [many] } }), mine, none);
    await clock.advance(2000);
    assert.deepEqual(messages(), ["400 of 1000 operations failed: Why?: expired; …"]);
  });

  it("is not told where nothing failed, where a person cancelled it, where another notice tells it, or where nobody wants it", async () => {
    const a = ended("a", failed("1"));
    const cases = [
      { executed: [ended("a", good("1"))] },
      { executed: [{ ...a, status: "cancelled" as const }] },
      { executed: [a], told: new Set(["a"]) },
      { executed: [a], wanted: false },
      { executed: [a], lanes: [{ lane, held: false }] },
      { executed: [a], first: snapshot({ git: { executed: [a] } }) },
    ];
    for (const { executed, told = none, lanes = mine, ...more } of cases) {
      const { clock, notices, messages } = watch(more);
      notices.update(snapshot({ git: { executed } }), lanes, told);
      await clock.advance(2000);
      assert.deepEqual(messages(), []);
    }
  });

  it("is not told any more once the window has closed", async () => {
    const { clock, notices, messages } = watch();
    notices.update(snapshot({ git: { executed: [ended("a", failed("1"))] } }), mine, none);
    notices.dispose();
    await clock.advance(2000);
    assert.deepEqual(messages(), []);
  });
});
