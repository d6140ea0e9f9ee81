import assert from "node:assert/strict";
import { kindCounts, listNodes, shortGroup } from "../../../webview/model/nodes.ts";
import { listRows, successor } from "../../../webview/model/rows.ts";
import { batch, idOf, operation, pushBatch, snapshot } from "../../support/panel/snapshots.ts";

describe("The panel's list", () => {
  it("puts what waits first, then what runs, then what is finished, newest first across both sides", () => {
    const nodes = listNodes(
      snapshot({
        git: { queued: [operation(1, { group: "git:/a/.git" })], executed: [batch(20, []), batch(10, [])] },
        llm: {
          pending: [batch(5, [], { status: "pending" })],
          executing: [batch(4, [], { status: "executing" })],
          executed: [batch(15, [])],
        },
      }),
    );
    assert.deepEqual(
      nodes.map(({ phase, batch: { createdAt } = {} }) => [phase, createdAt?.slice(14, 16)]),
      [
        ["queued", undefined],
        ["pending", "05"],
        ["executing", "04"],
        ["finished", "20"],
        ["finished", "15"],
        ["finished", "10"],
      ],
    );
  });

  it("has one row for each group that waits, and counts what the snapshot left out", () => {
    const queued = [
      operation(1, { group: "git:/a/.git" }),
      operation(2, { group: "git:/b/.git" }),
      operation(3, { group: "git:/a/.git" }),
    ];
    const nodes = listNodes(snapshot({ git: { queued, queuedCount: 10 } }));
    assert.deepEqual(
      nodes.map(({ key, operationCount }) => [key, operationCount]),
      [
        ["queue:git:/a/.git", 2],
        ["queue:git:/b/.git", 8],
      ],
    );
  });

  it("opens what goes on and closes what is finished, unless the reader did otherwise", () => {
    const nodes = listNodes(
      snapshot({
        git: {
          executing: [batch(1, [operation(1)], { status: "executing" })],
          executed: [batch(2, [operation(2)])],
        },
      }),
    );
    const shown = (expansion: Record<string, boolean>): string[] =>
      listRows(nodes, expansion).map(({ kind }) => kind);
    assert.deepEqual(shown({}), ["node", "operation", "node"]);
    assert.deepEqual(shown({ [nodes[0]!.key]: false, [nodes[1]!.key]: true }), ["node", "node", "operation"]);
  });

  it("says how many operations are not listed, and counts that line among the siblings", () => {
    const nodes = listNodes(
      snapshot({
        git: { executing: [batch(1, [operation(1)], { status: "executing", operationCount: 250 })] },
      }),
    );
    const rows = listRows(nodes, {});
    assert.deepEqual(
      rows.map(({ position, of }) => [position, of]),
      [
        [1, 1],
        [1, 2],
        [2, 2],
      ],
    );
    assert.equal(rows[2]?.kind === "more" && rows[2].hidden, 249);
  });

  it("finds the row that a vanished one went into", () => {
    const before = listRows(listNodes(snapshot({ git: { queued: [operation(1), operation(2)] } })), {});
    const nodes = listNodes(snapshot({ git: { executed: [batch(9, [operation(1)])] } }));
    const after = listRows(nodes, {});
    assert.equal(successor(before, [], idOf(2), 2), idOf(2));
    assert.equal(successor(after, nodes, idOf(1), 1), nodes[0]!.key, "the batch it is in now");
    assert.equal(successor(after, nodes, idOf(2), 2), nodes[0]!.key, "the nearest row");
    assert.equal(successor([], [], idOf(1), 1), undefined);
  });

  it("tells a batch's operations by kind only where it knows them all", () => {
    const [whole] = listNodes(snapshot({ git: { executed: [pushBatch(1)] } }));
    assert.deepEqual(
      [...kindCounts(whole!)!],
      [
        ["commit", 3],
        ["push", 3],
      ],
    );
    assert.equal(kindCounts({ ...whole!, operationCount: 7 }), undefined);
  });

  it("names a group by what tells it from others", () => {
    assert.equal(shortGroup("git:/home/ada/shop/.git"), "shop");
    assert.equal(shortGroup("git:/srv/mirror/shop.git"), "shop");
    assert.equal(shortGroup("git:C:\\Users\\ada\\shop\\.git"), "shop");
    assert.equal(shortGroup("llm:anthropic/implementer/claude"), "implementer · claude");
  });
});
