import assert from "node:assert/strict";
import { SeenFailures } from "../../../src/host/seen-failures.ts";
import type { NodeRef } from "../../../src/host/tree/node.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";

const failed = (id: string, day: number) =>
  batch(id, { day, operations: [operation(`${id}-1`, { status: "failed" }), operation(`${id}-2`)] });
const older = failed("older", 28);
const newer = failed("newer", 29);
const good = batch("good", { day: 29 });
const state = snapshot({ git: { executed: [newer, good, older] } });

function look() {
  let kept = "";
  return new SeenFailures({ get: () => kept, set: (until) => (kept = until) });
}

describe("What a person has seen of what failed", () => {
  it("is all, once a row that says so was chosen: they stand on top together", () => {
    const rows: readonly NodeRef[] = [
      { kind: "section", side: "git", section: "failed" },
      { kind: "batch", side: "git", batch: "older" },
      { kind: "operation", side: "git", batch: "older", operation: "older-1" },
    ];
    for (const row of rows) {
      const seen = look();
      assert.equal(seen.row(state, row), true, row.kind);
      assert.equal(seen.until(), newer.endedAt, row.kind);
      assert.equal(seen.row(state, row), false, "nothing new");
    }
  });

  it("is nothing where another row was chosen", () => {
    const rows: readonly NodeRef[] = [
      { kind: "side", side: "git" },
      { kind: "section", side: "git", section: "finished" },
      { kind: "batch", side: "git", batch: "good" },
      { kind: "operation", side: "git", batch: "older", operation: "older-2" },
      { kind: "batch", side: "git", batch: "gone" },
    ];
    for (const row of rows) {
      const seen = look();
      assert.equal(seen.row(state, row), false);
      assert.equal(seen.until(), "");
    }
  });

  it("goes as far as the failure whose story was opened, wherever that was", () => {
    const seen = look();
    assert.equal(seen.operation(state, "good-1"), false);
    assert.equal(seen.operation(state, "older-2"), false);
    assert.equal(seen.until(), "");
    assert.equal(seen.operation(state, "older-1"), true);
    assert.equal(seen.until(), older.endedAt);
    assert.equal(seen.operation(state, "newer-1"), true);
    assert.equal(seen.until(), newer.endedAt);
    assert.equal(seen.operation(state, "older-1"), false, "never back");
    assert.equal(seen.until(), newer.endedAt);
  });

  it("is all that there is, where the whole queue was looked at", () => {
    const seen = look();
    assert.equal(seen.all(state), true);
    assert.equal(seen.until(), newer.endedAt);
    assert.equal(seen.all(snapshot()), false);
  });
});
