import assert from "node:assert/strict";
import type { OperationKind, OperationStatus } from "../../../src/core/operation.ts";
import { numbersIn } from "../../../src/host/numbers.ts";
import { QueueNode, nodeId } from "../../../src/host/tree/node.ts";
import type { NodeRef } from "../../../src/host/tree/node.ts";
import { renderRow } from "../../../src/host/tree/render.ts";
import { childRefs, parentRef, rootRefs, withDismissed } from "../../../src/host/tree/structure.ts";
import type { TreeSnapshot } from "../../../src/host/tree/structure.ts";
import { tooltip } from "../../../src/host/tree/tooltip.ts";
import type { Snapshot } from "../../../src/core/snapshot.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const context = {
  t: fill,
  time: (iso: string) => iso.slice(11, 16),
  day: (day: string) => `day ${day}`,
  count: numbersIn("en").count,
  usd: (value: number) => `$${value}`,
  dayOf: (iso: string) => iso.slice(0, 10),
};
const children = (of: TreeSnapshot, ref: NodeRef) => childRefs(of, ref, context.dayOf);
const row = (of: TreeSnapshot, ref: NodeRef) => renderRow(of, ref, context);
const section = (
  side: "git" | "llm",
  name: "failed" | "executing" | "pending" | "queued" | "finished",
): NodeRef => ({
  kind: "section",
  side,
  section: name,
});

/** The whole tree as indented labels and descriptions. */
function drawn(of: Snapshot): string[] {
  const walk = (refs: readonly NodeRef[], depth: number): string[] =>
    refs.flatMap((ref) => {
      const { label, description } = row(of, ref)!;
      return [`${"  ".repeat(depth)}${label} | ${description}`, ...walk(children(of, ref), depth + 1)];
    });
  return walk(rootRefs(of), 0);
}

describe("The tree", () => {
  it("opens, on a click or Enter, what says most about an operation", () => {
    const opens = (kind: OperationKind, status: OperationStatus): string | undefined => {
      const one = operation("a", { kind, status });
      const of = snapshot({ git: { executed: [batch("b", { operations: [one] })] } });
      return row(of, { kind: "operation", side: "git", operation: "a", batch: "b" })?.opens;
    };
    assert.equal(opens("commit", "pending"), "openChanges");
    assert.equal(opens("commit", "succeeded"), "openChanges");
    assert.equal(opens("commit", "failed"), "openDetails");
    assert.equal(opens("merge", "pending"), "openDetails");
    assert.equal(opens("merge", "succeeded"), "openChanges");
    assert.equal(opens("push", "succeeded"), "openDetails");
    assert.equal(opens("request", "executing"), "openDetails");
    assert.equal(opens("request", "succeeded"), "openResult");
    assert.equal(opens("request", "expired"), "openDetails");
  });

  it("is empty where there is nothing, so that the welcome content shows", () => {
    assert.deepEqual(rootRefs(snapshot()), []);
  });

  it("shows both sides as soon as one has something, and only sections that hold something", () => {
    const of = snapshot({
      git: { queued: [operation("a", { label: "Push main", enqueuedAt: "2026-11-29T12:30:00.000Z" })] },
    });
    assert.deepEqual(drawn(of), [
      "Git | ",
      "  Queued | 1",
      "    Push main | 12:30",
      "LLM requests | nothing here",
    ]);
  });

  it("puts what failed first, then what runs, waits and is done, by day", () => {
    const failed = batch("f", {
      day: 28,
      status: "failed",
      operations: [operation("f-1", { status: "failed" })],
    });
    const of = snapshot({
      git: {
        queued: [operation("q")],
        pending: [batch("p", { status: "pending" })],
        executing: [batch("e", { status: "executing" })],
        executed: [batch("d2", { day: 29 }), failed, batch("d1", { day: 27 })],
      },
    });
    assert.deepEqual(
      children(of, { kind: "side", side: "git" }).map((ref) => ref.kind === "section" && ref.section),
      ["failed", "executing", "pending", "queued", "finished"],
    );
    assert.deepEqual(children(of, section("git", "failed")).map(nodeId), ["batch/f"]);
    assert.deepEqual(children(of, section("git", "finished")), [
      { kind: "day", side: "git", day: "2026-11-29" },
      { kind: "day", side: "git", day: "2026-11-27" },
    ]);
    assert.deepEqual(children(of, { kind: "day", side: "git", day: "2026-11-27" }).map(nodeId), ["batch/d1"]);
  });

  it("puts a failure that was dismissed under its day, folded, and a new one on top again", () => {
    const failed = (id: string) =>
      batch(id, { status: "failed", operations: [operation(`${id}-1`, { status: "failed" })] });
    const of = withDismissed(
      snapshot({ git: { executed: [failed("new"), failed("old"), batch("good")] } }),
      new Set(["old"]),
    );
    assert.deepEqual(children(of, section("git", "failed")).map(nodeId), ["batch/new"]);
    assert.equal(row(of, section("git", "failed"))?.description, "1");
    const day: NodeRef = { kind: "day", side: "git", day: "2026-11-29" };
    assert.deepEqual(children(of, day).map(nodeId), ["batch/old", "batch/good"]);
    const old: NodeRef = { kind: "batch", side: "git", batch: "old" };
    assert.deepEqual(parentRef(of, old, context.dayOf), day);
    assert.equal(row(of, old)?.open, "collapsed");
    assert.equal(row(of, old)?.contextValue, "batch.failed.git.unsuccessful");
    assert.equal(row(of, { ...old, batch: "new" })?.open, "expanded");
    const only = withDismissed(snapshot({ git: { executed: [failed("old")] } }), new Set(["old"]));
    assert.deepEqual(children(only, { kind: "side", side: "git" }).map(nodeId), ["git/finished"]);
  });

  it("counts what is queued beyond what the snapshot holds", () => {
    const of = snapshot({ llm: { queued: [operation("a")], queuedCount: 10_000 } });
    assert.equal(row(of, section("llm", "queued"))?.description, "10,000");
    assert.equal(row(of, { kind: "more", side: "llm" })?.description, "not shown: 9,999");
  });

  it("sums up a finished day, with what was paid where that is known", () => {
    const paid = batch("a", { stats: { "llm.costPico": 1_500_000_000_000 } });
    const of = snapshot({ llm: { executed: [paid, batch("b")] }, git: { executed: [batch("c")] } });
    assert.equal(row(of, { kind: "day", side: "llm", day: "2026-11-29" })?.description, "batches: 2 · $1.5");
    assert.equal(row(of, { kind: "day", side: "git", day: "2026-11-29" })?.description, "batches: 1");
    assert.match(row(of, { kind: "batch", side: "llm", batch: "a" })!.description, / · \$1\.5 · /);
  });

  it("says how far the push of an executing batch is", () => {
    const progress = { target: "origin", step: "writing", percent: 45 } as const;
    const of = snapshot({ git: { executing: [batch("a", { status: "executing", progress })] } });
    const { description } = row(of, { kind: "batch", side: "git", batch: "a" })!;
    assert.match(description, / · pushing to origin: writing objects, 45 % · /);
  });

  it("keeps the id of a row while its state changes, and gives no two rows one id", () => {
    const before = snapshot({ git: { executing: [batch("b", { status: "executing" })] } });
    const after = snapshot({ git: { executed: [batch("b")] } });
    assert.deepEqual(children(before, section("git", "executing")).map(nodeId), ["batch/b"]);
    assert.equal(row(after, { kind: "batch", side: "git", batch: "b" })?.icon, "pass");
    const ids = [...walkIds(before)];
    assert.equal(new Set(ids).size, ids.length);
  });

  it("says what can be done to a row, for the menus", () => {
    const of = snapshot({
      git: {
        queued: [operation("q", { kind: "commit" })],
        executed: [batch("b", { operations: [operation("x", { status: "failed" })] })],
      },
    });
    assert.equal(
      row(of, { kind: "operation", side: "git", operation: "q" })?.contextValue,
      "operation.queued.commit",
    );
    assert.equal(
      row(of, { kind: "batch", side: "git", batch: "b" })?.contextValue,
      "batch.completed.git.unsuccessful.top",
    );
    assert.equal(row(of, { kind: "side", side: "git" })?.contextValue, "side.git.running");
    assert.equal(
      row(snapshot({ ...of, paused: { git: true, llm: false } }), { kind: "side", side: "git" })
        ?.contextValue,
      "side.git.paused",
    );
  });

  it("shows why something failed, in words, colour and icon", () => {
    const bad = operation("x", { status: "failed", label: "Push main", error: "the remote refused it" });
    const of = snapshot({ git: { executed: [batch("b", { status: "failed", operations: [bad] })] } });
    const shown = row(of, { kind: "operation", side: "git", operation: "x", batch: "b" });
    assert.equal(shown?.description, "the remote refused it");
    assert.equal(shown.icon, "error");
    assert.equal(shown.color, "list.errorForeground");
    assert.equal(shown.spoken, "Push main, the remote refused it");
  });

  it("shows of a long error what comes first, and the whole in the tooltip", () => {
    const bad = operation("x", { status: "failed", label: "Push main", error: "refused\nremote: line two" });
    const of = snapshot({ git: { executed: [batch("b", { operations: [bad, operation("y")] })] } });
    const ref: NodeRef = { kind: "operation", side: "git", operation: "x", batch: "b" };
    assert.equal(row(of, ref)?.spoken, "Push main, refused");
    assert.match(tooltip(of, ref, context)!, /line two/);
    // That it is over goes without saying where some failed.
    const { description } = row(of, { kind: "batch", side: "git", batch: "b" })!;
    assert.match(description, /^operations: 2 · failed: 1 · /);
  });

  it("begins a row of requests with what tells it from others, and ends it with the model", () => {
    const group = "llm:anthropic/judge/claude-haiku-4-5";
    const of = snapshot({
      llm: {
        queued: [
          operation("q", { group, kind: "request" }),
          operation("r", { group: `${group}x`, kind: "request" }),
        ],
        executed: [batch("b", { group })],
      },
    });
    const place = row(of, { kind: "place", side: "llm", place: group });
    assert.deepEqual([place?.label, place?.description], ["judge", "1 · claude-haiku-4-5"]);
    const done = row(of, { kind: "batch", side: "llm", batch: "b" });
    assert.equal(done?.label, "judge");
    assert.match(done.description, /^operations: 1 · completed · .* · claude-haiku-4-5$/);
  });

  it("says of an executing batch that met an error that it is tried again, and why", () => {
    const error = "no-connection: Connection error.\nfetch failed";
    const of = snapshot({ llm: { executing: [batch("b", { status: "executing", error })] } });
    const { description } = row(of, { kind: "batch", side: "llm", batch: "b" })!;
    assert.match(description, / · trying again: Connection error\. · /);
  });

  it("marks an answer that was cut off", () => {
    const one = operation("a", { kind: "request", status: "succeeded", error: "Cut", reason: "cut" });
    const of = snapshot({ llm: { executed: [batch("b", { operations: [one] })] } });
    const cut = row(of, { kind: "operation", side: "llm", operation: "a", batch: "b" });
    assert.deepEqual([cut?.icon, cut?.opens], ["warning", "openResult"]);
  });

  it("shows a hold and a pause at the side they stop", () => {
    const of = snapshot({
      holds: [{ kind: "llm", reason: "no API key" }],
      paused: { git: true, llm: true },
      git: { queued: [operation("a")] },
      llm: { queued: [operation("b")] },
    });
    const held = row(of, { kind: "side", side: "llm" });
    assert.equal(held?.description, "no API key, paused");
    assert.equal(held.spoken, "LLM requests, on hold: no API key, paused");
    assert.equal(held.icon, "warning");
    assert.equal(row(of, { kind: "side", side: "git" })?.description, "paused");
  });

  it("has no row for what the snapshot no longer holds", () => {
    assert.equal(row(snapshot(), { kind: "batch", side: "git", batch: "gone" }), undefined);
    assert.equal(row(snapshot(), { kind: "operation", side: "git", operation: "gone" }), undefined);
  });

  it("tells in the tooltip of a failed merge what to do about it", () => {
    const merge = operation("a", {
      kind: "merge",
      status: "failed",
      reason: "conflict",
      error: "agent/two conflicts with main in a.js",
      detail: { source: "agent/two", target: "main" },
    });
    const of = snapshot({ git: { executed: [batch("b", { operations: [merge] })] } });
    const text = tooltip(of, { kind: "operation", side: "git", batch: "b", operation: "a" }, context)!;
    assert.match(
      text,
      /conflicts with main in a\.js\n\nMerge main into agent\/two where agent\/two is checked out/,
    );
  });

  it("tells the story of an operation in a tooltip, with outside text as plain text", () => {
    const of = snapshot({ git: { queued: [operation("a", { label: "[click](command:evil) $(error)" })] } });
    const text = tooltip(of, { kind: "operation", side: "git", operation: "a" }, context)!;
    assert.ok(text.startsWith("**\\[click\\](command:evil) \\$(error)**"), text);
    assert.equal(tooltip(of, { kind: "side", side: "git" }, context), undefined);
  });

  it("says that an outcome is being found out, and what waits for that", () => {
    const sent = operation("a", { status: "executing", group: "llm:x", detail: { checking: true } });
    const known = operation("b", { status: "executing", group: "llm:x" });
    const of = snapshot({
      llm: { executing: [batch("e", { status: "executing", group: "llm:x", operations: [sent, known] })] },
    });
    const said = (ref: NodeRef): string =>
      `${row(of, ref)?.spoken ?? ""}\n${tooltip(of, ref, context) ?? ""}`;
    const ofOperation = (id: string) => said({ kind: "operation", side: "llm", operation: id, batch: "e" });
    const text = /, .*finding out what happened[\s\S]*waits; batchControl\.llm\.unknownOutcomeWait limits/;
    assert.match(said({ kind: "batch", side: "llm", batch: "e" }), text);
    assert.match(ofOperation("a"), text);
    assert.match(ofOperation("b"), /, executing\n/);
    assert.doesNotMatch(ofOperation("b"), /finding out|found out/);
  });

  it("has rows that no command takes for an argument from code", () => {
    const node = new QueueNode({ kind: "side", side: "git" });
    assert.notEqual(Object.getPrototypeOf(node), Object.prototype);
  });
});

function* walkIds(of: Snapshot, refs = rootRefs(of)): Generator<string> {
  for (const ref of refs) {
    yield nodeId(ref);
    yield* walkIds(of, children(of, ref));
  }
}
