import assert from "node:assert/strict";
import { chartShape, nearest, niceCeiling } from "../../../webview/model/chart.ts";
import { groupOutcomes } from "../../../webview/model/groups.ts";
import { listNodes } from "../../../webview/model/nodes.ts";
import { costSeries, tripSeries } from "../../../webview/model/series.ts";
import { openCount, totals } from "../../../webview/model/totals.ts";
import {
  answerBatch,
  batch,
  busySnapshot,
  idOf,
  llmGroup,
  operation,
  pushBatch,
  shop,
  snapshot,
} from "../../support/panel/snapshots.ts";

const pairs = (series: ReturnType<typeof tripSeries>): number[][] =>
  series.points.map(({ alone, batched }) => [alone, batched]);

describe("The panel's charts", () => {
  const nodes = listNodes(
    snapshot({ git: { executed: [pushBatch(30), pushBatch(10)] }, llm: { executed: [answerBatch(20, 8)] } }),
  );

  it("add up what was asked for and the round trips made, oldest batch first", () => {
    assert.deepEqual(pairs(tripSeries(nodes, "all")), [
      [3, 1],
      [11, 2],
      [14, 3],
    ]);
    assert.deepEqual(pairs(tripSeries(nodes, "git")), [
      [3, 1],
      [6, 2],
    ]);
    assert.deepEqual(pairs(tripSeries(nodes, "llm")), [[8, 1]]);
  });

  it("add up standard and paid prices in dollars", () => {
    assert.deepEqual(pairs(costSeries(nodes)), [[0.0336, 0.0168]]);
  });

  it("end at the same savings as the headline when every batch is listed", () => {
    const busy = busySnapshot();
    const last = tripSeries(listNodes(busy), "all").points.at(-1);
    const { alone, batched } = totals(busy).trips;
    assert.deepEqual([last?.alone, last?.batched], [alone, batched]);
  });

  it("leave out batches that do not say what they took, and count them; what was cancelled took nothing", () => {
    const executed = [
      batch(2, [operation(1, { status: "succeeded" })]),
      batch(1, [operation(2, { status: "cancelled" })], { status: "cancelled" }),
    ];
    assert.deepEqual(tripSeries(listNodes(snapshot({ git: { executed } })), "all"), {
      points: [],
      leftOut: 1,
    });
  });

  it("fill the gap below what was asked for as saved, and above it as lost, each in one piece from crossing to crossing", () => {
    const shape = chartShape(
      [
        { alone: 0, batched: 2 },
        { alone: 4, batched: 2 },
      ],
      100,
      100,
    );
    assert.equal(shape.lost, "M0 100L50 100L75 50L75 50L50 50L0 100Z");
    assert.equal(shape.saved, "M75 50L100 0L100 50L75 50Z");
  });

  it("draw no area where nothing was saved", () => {
    const { saved, lost } = chartShape(
      [
        { alone: 1, batched: 1 },
        { alone: 2, batched: 2 },
      ],
      100,
      100,
    );
    assert.deepEqual([saved, lost], ["", ""]);
  });

  it("scale to a round number at or above the highest value", () => {
    assert.deepEqual(
      [0, 1, 2, 3, 5, 7, 10, 30, 61, 0.003].map(niceCeiling),
      [2, 2, 2, 4, 6, 10, 10, 40, 100, 0.004],
    );
  });

  it("find the batch nearest to the pointer, never the origin", () => {
    const { spots } = chartShape(
      [
        { alone: 1, batched: 1 },
        { alone: 2, batched: 1 },
      ],
      100,
      100,
    );
    assert.deepEqual(
      [0, 60, 80, 500].map((x) => nearest(spots, x)),
      [1, 1, 2, 2],
    );
  });
});

describe("The panel's totals", () => {
  it("count what waits in queues and pending batches, and what runs without what is done", () => {
    const { waiting, executing, finished, failed } = totals(busySnapshot());
    assert.deepEqual(
      { waiting, executing, finished, failed },
      { waiting: 4, executing: 4, finished: 38, failed: 1 },
    );
  });

  it("count a batch's open operations from its counts, not from the ones listed", () => {
    const large = batch(1, [operation(1, { status: "failed" })], {
      status: "executing",
      operationCount: 1000,
      counts: { succeeded: 600, failed: 1, cancelled: 2, expired: 3, executing: 394 },
    });
    assert.equal(openCount(large), 394);
  });
});

describe("The panel's outcome by group", () => {
  it("sums what became of each group's finished batches", () => {
    const [repository, model] = groupOutcomes(listNodes(busySnapshot()));
    assert.deepEqual(
      { ...repository, cost: undefined },
      {
        group: shop,
        batches: 3,
        cancelledBatches: 0,
        succeeded: 14,
        failed: 1,
        cancelled: 0,
        trips: { alone: 7, batched: 3 },
        cost: undefined,
        measured: true,
      },
    );
    assert.equal(model?.group, llmGroup);
    assert.equal(model.succeeded, 23);
    assert.deepEqual(model.trips, { alone: 23, batched: 3 });
    assert.ok(Math.abs(model.cost.alone - 2 * model.cost.batched) < 1e-9);
  });

  it("does not count what was cancelled in the queue as a batch that ran, but names it", () => {
    const cancelled = batch(1, [operation(1, { status: "cancelled", id: idOf(5) })], { status: "cancelled" });
    const [outcome] = groupOutcomes(listNodes(snapshot({ git: { executed: [cancelled] } })));
    const { batches, cancelledBatches, cancelled: operations, measured } = outcome!;
    assert.deepEqual([batches, cancelledBatches, operations, measured], [0, 1, 1, false]);
  });
});
