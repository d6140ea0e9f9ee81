import assert from "node:assert/strict";
import { filterNodes, noFilter } from "../../../webview/model/filter.ts";
import type { Filter } from "../../../webview/model/filter.ts";
import { listNodes } from "../../../webview/model/nodes.ts";
import {
  answerBatch,
  batch,
  busySnapshot,
  llmGroup,
  operation,
  shop,
  snapshot,
} from "../../support/panel/snapshots.ts";

const busy = listNodes(busySnapshot());
const found = (change: Partial<Filter>, nodes = busy): string[] =>
  filterNodes(nodes, { ...noFilter, ...change }).flatMap(({ operations }) =>
    operations.map(({ label }) => label),
  );

describe("The panel's filters", () => {
  it("leave everything as it is when nothing is asked for", () => {
    assert.equal(filterNodes(busy, noFilter), busy);
  });

  it("by state: what waits is queued or in a batch that has not started", () => {
    assert.deepEqual(found({ state: "waiting" }), [
      "Show the total in the header",
      "feature/header",
      "Summarise the changelog",
      "Bump the version",
    ]);
  });

  it("by failure: only the failed operations of a batch that succeeded in part", () => {
    assert.deepEqual(found({ state: "failed" }), ["Merge feature/a into main"]);
    const [node] = filterNodes(busy, { ...noFilter, state: "failed" });
    assert.deepEqual([node?.operationCount, node?.filteredFrom], [1, 3]);
  });

  it("by failure: a request that expired at the provider too", () => {
    const expired = batch(1, [operation(1, { kind: "request", label: "Too late", status: "expired" })], {
      status: "failed",
    });
    assert.deepEqual(found({ state: "failed" }, listNodes(snapshot({ llm: { executed: [expired] } }))), [
      "Too late",
    ]);
  });

  it("by kind: operations of that kind in whatever state", () => {
    assert.deepEqual(found({ kind: "merge" }), ["Merge feature/a into main", "Merge feature/c into main"]);
  });

  it("by group: queued and finished ones", () => {
    const nodes = filterNodes(busy, { ...noFilter, group: llmGroup });
    assert.deepEqual(
      nodes.map(({ phase }) => phase),
      ["queued", "finished", "finished", "finished"],
    );
  });

  it("by text: in labels and errors, whatever the case", () => {
    assert.deepEqual(found({ text: "  CHANGELOG " }), ["Summarise the changelog"]);
    assert.deepEqual(found({ text: "conflicts with feature/b" }), ["Merge feature/a into main"]);
  });

  it("by text: a batch's own name keeps all its operations and its full count", () => {
    const long = answerBatch(1, 3, { operationCount: 500 });
    const [node] = filterNodes(listNodes(snapshot({ llm: { executed: [long] } })), {
      ...noFilter,
      text: "claude-sonnet",
    });
    assert.equal(node?.operations.length, 3);
    assert.deepEqual([node.operationCount, node.filteredFrom], [500, undefined]);
  });

  it("together: each narrows further", () => {
    assert.deepEqual(found({ group: shop, kind: "push", state: "waiting" }), ["feature/header"]);
    assert.deepEqual(found({ group: shop, kind: "request" }), []);
  });
});
