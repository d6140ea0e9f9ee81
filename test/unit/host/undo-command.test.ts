import assert from "node:assert/strict";
import { Cancelled } from "../../../src/host/commands/cancelled.ts";
import type { Subject } from "../../../src/host/commands/caller.ts";
import { undoCommand } from "../../../src/host/commands/undo.ts";
import type { UndoReport } from "../../../src/host/parts.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";
import { mayUndo } from "../../../src/host/undoable.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { ManualClock } from "../../support/core/manual-clock.ts";
import { batch, operation } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const lane = "git:/repo/.git";
const done: UndoReport = { restored: ["refs/heads/main"], left: [] };

/** A finished batch of these operations, of which all succeeded but those named `bad`. */
async function finished(kinds: readonly ("commit" | "push" | "merge")[], bad: readonly number[] = []) {
  let next = 0;
  const newId = (): string => `00000000-0000-7000-8000-${String((next += 1)).padStart(12, "0")}`;
  const clock = new ManualClock();
  const journal = new MemoryJournal({ clock, newId });
  const operations = kinds.map((kind, n) => ({
    ...{ id: newId(), kind, group: lane, lane, label: `${kind} ${n}`, source: "person" as const },
    ...{ enqueuedAt: clock.now(), payload: "{}", fingerprint: String(n) },
  }));
  await journal.enqueue(operations);
  const [sealed] = await journal.seal([{ group: lane }]);
  const fence = await journal.lead(lane, "window", { pid: 1, startedAt: "1" } as never);
  await journal.claim(fence);
  await journal.recordOutcome(fence, sealed!.id, {
    settled: operations.map(({ id }, n) => ({
      result: bad.includes(n)
        ? { id, status: "failed" as const, error: "no", reason: "conflict" }
        : { id, status: "succeeded" as const },
    })),
  });
  const asked: string[] = [];
  const undone: string[] = [];
  const told: UndoReport[] = [];
  const undo = ({ id }: { readonly id: string }): Promise<UndoReport> => {
    undone.push(id);
    return Promise.resolve(done);
  };
  const command = (agrees: boolean) =>
    undoCommand(
      { journal, undo },
      {
        batch: () => assert.fail("a row was pointed at"),
        agreeToUndo: (_batch, names) => {
          asked.push(names.join());
          return agrees ? Promise.resolve() : Promise.reject(new Cancelled());
        },
        tellUndone: (report) => void told.push(report),
      },
      fill,
    ).undoBatch;
  const row: Subject = {
    kind: "nodes",
    nodes: [new QueueNode({ kind: "batch", side: "git", batch: sealed!.id })],
  };
  return { id: sealed!.id, command, row, asked, undone, told };
}

describe("Undoing a batch", () => {
  it("names to a person what goes back, and only that, before anything does", async () => {
    const { id, command, row, asked, undone, told } = await finished(
      ["commit", "push", "merge", "merge"],
      [3],
    );
    await assert.rejects(command(false).fromPerson(row), Cancelled);
    assert.deepEqual([asked, undone], [["commit 0,merge 2"], []]);
    assert.deepEqual(await command(true).fromPerson(row), done);
    assert.deepEqual([undone, told], [[id], [done]]);
  });

  it("asks nobody where code does it", async () => {
    const { id, command, asked, undone } = await finished(["commit"]);
    assert.deepEqual(await command(false).fromCode({ id }), done);
    assert.deepEqual([asked, undone], [[], [id]]);
  });

  it("says that there is nothing to put back where only a push was made", async () => {
    const { command, row, undone } = await finished(["push", "merge"], [1]);
    await assert.rejects(command(true).fromPerson(row), /it has made no commit and no merge/);
    assert.deepEqual(undone, []);
  });

  it("is offered for what has moved a branch", () => {
    const of = (kind: "commit" | "push", status: "succeeded" | "failed" | "cancelled"): boolean =>
      mayUndo(batch("b", { operations: [operation("a", { kind, status })] }));
    assert.equal(of("commit", "succeeded"), true);
    assert.equal(of("commit", "cancelled"), false);
    assert.equal(of("commit", "failed"), false);
    assert.equal(of("push", "succeeded"), false);
    const good = [operation("a", { kind: "commit", status: "succeeded" })];
    assert.equal(mayUndo(batch("b", { operations: good, status: "executing" })), false);
    assert.equal(mayUndo(batch("b", { operations: good, group: "llm:anthropic/judge/m" })), false);
    // Not all of it is in the view, so it may well be among the rest.
    const large = { operations: [], operationCount: 300, counts: { succeeded: 300 } };
    assert.equal(mayUndo(batch("b", large)), true);
  });
});
