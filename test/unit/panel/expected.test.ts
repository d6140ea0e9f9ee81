import assert from "node:assert/strict";
import { usualDurations } from "../../../webview/model/expected.ts";
import { listNodes } from "../../../webview/model/nodes.ts";
import { batch, minute, shop, snapshot } from "../../support/panel/snapshots.ts";

const took = (n: number, minutes: number): ReturnType<typeof batch> =>
  batch(n, [], { startedAt: minute(0), endedAt: minute(minutes) });
const usual = (...executed: ReturnType<typeof batch>[]): unknown =>
  usualDurations(listNodes(snapshot({ git: { executed } }))).get(shop);

describe("The time a batch usually takes", () => {
  it("is not told from fewer than three finished ones", () => {
    assert.equal(usual(took(1, 2), took(2, 3)), undefined);
    assert.equal(usual(took(1, 2), took(2, 3), batch(3, [], { status: "failed" })), undefined);
  });

  it("spans the shortest to the longest of a few", () => {
    assert.deepEqual(usual(took(1, 4), took(2, 2), took(3, 9)), { from: 120_000, to: 540_000 });
  });

  it("leaves out the outer tenth of many", () => {
    const many = [500, 5, 6, 7, 8, 9, 10, 11, 12, 0].map((minutes, n) => took(n, minutes));
    assert.deepEqual(usual(...many), { from: 300_000, to: 720_000 });
  });
});
