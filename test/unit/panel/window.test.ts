import assert from "node:assert/strict";
import fc from "fast-check";
import { moveFrom } from "../../../webview/model/list-keys.ts";
import { listNodes } from "../../../webview/model/nodes.ts";
import { listRows } from "../../../webview/model/rows.ts";
import { rowTops, rowsWithin } from "../../../webview/model/window.ts";
import { readUiState } from "../../../webview/model/ui-state.ts";
import { batch, idOf, operation, snapshot } from "../../support/panel/snapshots.ts";

describe("The panel's window on its rows", () => {
  it("holds exactly the rows that touch the stretch in view", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 60 }),
        fc.integer({ min: -200, max: 3000 }),
        fc.integer({ min: 1, max: 900 }),
        (heights, from, size) => {
          const tops = rowTops(heights);
          const { start, end } = rowsWithin(tops, from, from + size);
          const touching = heights.flatMap((height, at) =>
            tops[at]! <= from + size && tops[at]! + height > from ? [at] : [],
          );
          assert.deepEqual(
            Array.from({ length: end - start }, (_, at) => start + at),
            touching,
          );
        },
      ),
    );
  });
});

describe("The panel's keys", () => {
  const request = operation(3, { kind: "request", status: "succeeded" });
  const rows = listRows(
    listNodes(snapshot({ git: { queued: [operation(1)] }, llm: { executed: [batch(9, [request])] } })),
    { [idOf(1_000_009)]: true },
  );
  // 0 queue, 1 its operation, 2 batch, 3 its request
  const go = (index: number): unknown => ({ kind: "go", index });

  it("go from row to row and stop at the ends", () => {
    assert.deepEqual(moveFrom(rows, 1, "ArrowDown"), go(2));
    assert.deepEqual(moveFrom(rows, 0, "ArrowUp"), go(0));
    assert.deepEqual(moveFrom(rows, 1, "End"), go(3));
    assert.deepEqual(moveFrom(rows, 3, "PageDown"), go(3));
    assert.deepEqual(moveFrom(rows, 3, "Home"), go(0));
  });

  it("open and close a batch, and go in and out of it", () => {
    assert.deepEqual(moveFrom(rows, 2, "ArrowRight"), go(3));
    assert.deepEqual(moveFrom(rows, 3, "ArrowLeft"), go(2));
    assert.deepEqual(moveFrom(rows, 2, "ArrowLeft"), { kind: "toggle" });
    assert.deepEqual(moveFrom(rows, 2, "Enter"), { kind: "toggle" });
    assert.equal(moveFrom(rows, 3, "ArrowRight"), undefined);
  });

  it("open what stands behind an operation and cancel what waits, and nothing else", () => {
    assert.deepEqual(moveFrom(rows, 3, "Enter"), {
      kind: "ask",
      request: { kind: "openResult", id: idOf(3) },
    });
    assert.deepEqual(moveFrom(rows, 1, "Delete"), {
      kind: "ask",
      request: { kind: "cancelOperation", id: idOf(1) },
    });
    assert.deepEqual(moveFrom(rows, 1, "Enter"), {
      kind: "ask",
      request: { kind: "openChanges", id: idOf(1) },
    });
    assert.equal(moveFrom(rows, 3, "Delete"), undefined);
    assert.equal(moveFrom(rows, 2, "Delete"), undefined);
  });
});

describe("The panel's stored arrangement", () => {
  it("is taken up again", () => {
    const state = {
      filter: { state: "failed", kind: "push", group: "all", text: "x" },
      expansion: { a: true },
      tripSide: "git",
      tables: ["cost"],
      scroll: 40,
    } as const;
    assert.deepEqual(readUiState(structuredClone(state)), state);
  });

  it("has defaults for whatever is missing or was written by another version", () => {
    for (const stored of [undefined, null, 5, { filter: { state: "gone" }, expansion: [1], scroll: "low" }]) {
      const { filter, expansion, scroll, tripSide } = readUiState(stored);
      assert.deepEqual([filter.state, expansion, scroll, tripSide], ["all", {}, 0, "all"]);
    }
  });
});
