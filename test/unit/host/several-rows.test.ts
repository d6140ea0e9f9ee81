import assert from "node:assert/strict";
import { Moves } from "../../../src/host/moves.ts";
import type { Subject } from "../../../src/host/commands/caller.ts";
import { sideOfBatch, toldBatches } from "../../../src/host/commands/of-operation.ts";
import { operationCommands } from "../../../src/host/commands/operations.ts";
import { placeCommands } from "../../../src/host/commands/places.ts";
import { batchRetrier } from "../../../src/host/commands/retry.ts";
import { rowCommands } from "../../../src/host/commands/rows.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";
import type { NodeRef } from "../../../src/host/tree/node.ts";
import { openBatchers, push, request } from "../../support/core/batchers.ts";
import { fill } from "../../support/host/translate.ts";

const rows = (...refs: readonly NodeRef[]): Subject => ({
  kind: "nodes",
  nodes: refs.map((ref) => new QueueNode(ref)),
});
const row = (operation: string): NodeRef => ({ kind: "operation", side: "git", operation });
const unasked = (): never => assert.fail("nobody is to be asked");

async function open() {
  const batchers = await openBatchers({ autoFlush: false });
  const { git, llm, journal } = batchers;
  const add = async (branch: string, worktree?: string): Promise<string> =>
    (await git.enqueue(push(branch, worktree), { source: "person" })).id;
  const parts = { git, llm, journal } as unknown as Parameters<typeof operationCommands>[0]["parts"];
  const branches = { passAgain: () => Promise.resolve() } as unknown as Parameters<
    typeof operationCommands
  >[0]["branches"];
  const pickers = {
    operation: unasked,
    batch: unasked,
    position: () => Promise.resolve(0),
  } as unknown as Parameters<typeof operationCommands>[0]["pickers"];
  const moves = new Moves(journal);
  const hints: string[] = [];
  const hint = (message: string): void => void hints.push(message);
  const table = operationCommands({
    parts,
    pickers,
    branches,
    edits: { ask: unasked, open: unasked },
    moves,
    retryBatches: batchRetrier(
      journal,
      sideOfBatch(parts, fill),
      branches,
      toldBatches(journal, fill, String),
      hint,
    ),
    hint,
    t: fill,
    count: String,
  });
  const rest = rowCommands({
    parts,
    moves,
    showMore: unasked,
    copy: () => Promise.resolve(),
    hint,
    t: fill,
    count: String,
  });
  const statuses = (...ids: readonly string[]): Promise<readonly (string | undefined)[]> =>
    Promise.all(ids.map(async (id) => (await journal.operation(id))?.status));
  const queue = async (): Promise<string> =>
    (await journal.operations({ status: "queued", limit: 100 }))
      .toSorted((a, b) => a.position - b.position)
      .map(({ label }) => label.replace("push ", ""))
      .join();
  return { ...batchers, parts, add, table, rest, hints, statuses, queue };
}

describe("A command on several rows", () => {
  it("cancels all that can be, and then says how many, and why the others were left", async () => {
    const { add, table, journal, git, statuses } = await open();
    const begun = await add("begun");
    await git.flush();
    const fence = await journal.lead("git:/repo", "window", { pid: 1, started: "1" } as never);
    await journal.claim(fence);
    const [b, c] = [await add("b"), await add("c")];
    await assert.rejects(
      table.cancelOperation.fromPerson(rows(row(begun), row(b), row(c))),
      /^StateError: Done: 2 of 3\. The rest was left as it is\. .*"push begun" cannot be changed any more: it is executing\.$/,
    );
    assert.deepEqual(await statuses(begun, b, c), ["executing", "cancelled", "cancelled"]);
  });

  it("says of one row just what is wrong with it", async () => {
    const { add, table, git } = await open();
    const one = await add("one");
    await git.cancel(one);
    await assert.rejects(
      table.cancelOperation.fromPerson(rows(row(one))),
      /^StateError: "push one" cannot be changed any more: it is cancelled\.$/,
    );
  });

  it("takes of a range the operations, and not the rows that hold them", async () => {
    const { add, table, statuses } = await open();
    const [a, b] = [await add("a"), await add("b")];
    const place: NodeRef = { kind: "place", side: "git", place: "/elsewhere" };
    await table.cancelOperation.fromPerson(
      rows(place, row(a), { kind: "section", side: "git", section: "queued" }),
    );
    assert.deepEqual(await statuses(a, b), ["cancelled", "queued"]);
  });

  it("retries all that can be, and then says why the others were not", async () => {
    const { add, table, git, queue } = await open();
    const [a, b, c] = [await add("a"), await add("b"), await add("c")];
    await git.cancel(a);
    await git.cancel(c);
    await assert.rejects(
      table.retryOperation.fromPerson(rows(row(a), row(b), row(c))),
      /Done: 2 of 3\..*push b: Operation .* is queued; only a finished one can be retried/,
    );
    assert.equal(await queue(), "b,a,c");
  });

  it("says how many are queued again or copied, to a person alone", async () => {
    const { add, table, rest, git, state, hints } = await open();
    const [a, b, c] = [await add("a"), await add("b"), await add("c")];
    for (const id of [a, b, c]) await git.cancel(id);
    const batches = state
      .current()
      .git.executed.map(({ id }): NodeRef => ({ kind: "batch", side: "git", batch: id }));
    await table.retryOperation.fromPerson(rows(row(a), row(b)));
    await table.retryBatch.fromPerson(rows(...batches));
    await rest.copyId.fromPerson(rows(row(a), row(b), row(c)));
    assert.deepEqual(hints.splice(0), ["Queued again: 2", "Queued again: 3", "Ids copied: 3"]);
    await table.retryOperation.fromCode({ id: c });
    await rest.copyId.fromCode({ id: c });
    assert.deepEqual(hints, []);
  });

  it("moves them together", async () => {
    const { add, table, rest, queue } = await open();
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d"]) ids.push(await add(name));
    const two = rows(row(ids[2]!), row(ids[3]!));
    await rest.moveUp.fromPerson(two);
    assert.equal(await queue(), "a,c,d,b");
    await rest.moveDown.fromPerson(two);
    assert.equal(await queue(), "a,b,c,d");
    await table.moveOperation.fromPerson(two);
    assert.equal(await queue(), "c,d,a,b");
  });

  it("retries several batches, whatever becomes of one", async () => {
    const { add, table, git, state, queue } = await open();
    for (const name of ["a", "b"]) await git.cancel(await add(name));
    const batches = state.current().git.executed.map(({ id }) => id);
    await add("open");
    const [open1] = await git.flush();
    const refs = [...batches, open1!.id].map((batch): NodeRef => ({ kind: "batch", side: "git", batch }));
    await assert.rejects(table.retryBatch.fromPerson(rows(...refs)), /Done: 2 of 3\./);
    assert.deepEqual((await queue()).split(",").sort(), ["a", "b"]);
  });
});

describe("The row of a place", () => {
  it("cancels what is queued there, once the person agrees to the number", async () => {
    const { add, parts, llm, queue } = await open();
    await add("a", "/one");
    await add("b", "/two");
    await add("c", "/one");
    await llm.enqueue(request("Why?"), { source: "person" });
    const agreed: number[] = [];
    const { cancelPlace } = placeCommands(
      parts,
      { agreeToCancel: (many) => Promise.resolve(void agreed.push(many)) },
      fill,
      String,
    );
    // Without a worktree of its own in the detail, the group is the place.
    await cancelPlace.fromPerson(rows({ kind: "place", side: "git", place: "git:/one" }));
    assert.deepEqual(agreed, [2]);
    assert.equal(await queue(), "b,Why?");
    await assert.rejects(
      cancelPlace.fromPerson(rows({ kind: "place", side: "git", place: "git:/one" })),
      /Nothing is queued here any more/,
    );
    await assert.rejects(cancelPlace.fromPerson({ kind: "none" }), /Choose a worktree or a group/);
  });
});

describe("A row that stands for more", () => {
  it("has to be pointed at", async () => {
    const { rest } = await open();
    await assert.rejects(rest.showMore.fromPerson({ kind: "none" }), /Choose a row of the queue/);
  });
});
