import assert from "node:assert/strict";
import { Cancelled } from "../../../src/host/commands/cancelled.ts";
import { controlCommands } from "../../../src/host/commands/control.ts";
import { Flusher } from "../../../src/host/commands/flush.ts";
import { NothingToDo } from "../../../src/host/commands/nothing-to-do.ts";
import { QueueNode } from "../../../src/host/tree/node.ts";
import { openBatchers, push, request } from "../../support/core/batchers.ts";
import { fill } from "../../support/host/translate.ts";

async function open(agrees: boolean) {
  const batchers = await openBatchers();
  const asked: { readonly question: string; readonly agree: string }[] = [];
  const unused = (): never => {
    throw new Error("Nothing is flushed here.");
  };
  const { clear } = controlCommands(
    { ...batchers, preview: { git: unused, cost: unused, limits: unused, providerWithoutKey: unused } },
    {
      flusher: new Flusher({ ...batchers, refusal: unused, mayPay: unused, t: fill }),
      nothingToFlush: () => undefined,
      showPlan: unused,
      confirm: (question, agree) => {
        asked.push({ question, agree });
        return agrees ? Promise.resolve() : Promise.reject(new Cancelled());
      },
      t: fill,
      count: String,
    },
  );
  const { git, llm } = batchers;
  await git.enqueue(push("one"));
  await git.flush();
  await git.enqueue(push("two"));
  await llm.enqueue(request("hello"));
  const left = () => [git.queueSize(), git.getPendingBatch() === undefined ? 0 : 1, llm.queueSize()];
  return { clear, asked, left };
}

describe("Cancelling everything that waits", () => {
  it("asks a person first, with the number of what is queued and pending", async () => {
    const { clear, asked, left } = await open(true);
    await clear.fromPerson({ kind: "none" });
    assert.equal(asked.length, 1);
    assert.match(asked[0]!.question, /^Waiting operations: 3\. Cancel all/);
    assert.deepEqual(left(), [0, 0, 0]);
  });

  it("cancels nothing where the person does not agree", async () => {
    const { clear, left } = await open(false);
    await assert.rejects(clear.fromPerson({ kind: "none" }), Cancelled);
    assert.deepEqual(left(), [1, 1, 1]);
  });

  it("counts and cancels only the side that was pointed at", async () => {
    const { clear, asked, left } = await open(true);
    const row = new QueueNode({ kind: "side", side: "llm" });
    await clear.fromPerson({ kind: "nodes", nodes: [row] });
    assert.match(asked[0]!.question, /^Waiting operations: 1\./);
    assert.deepEqual(left(), [1, 1, 0]);
  });

  it("says that nothing waits, and asks nothing", async () => {
    const { clear, asked } = await open(true);
    await clear.fromCode({});
    await assert.rejects(clear.fromPerson({ kind: "none" }), NothingToDo);
    assert.deepEqual(asked, []);
  });

  it("asks neither code nor the panel", async () => {
    for (const from of ["fromCode", "fromView"] as const) {
      const { clear, asked, left } = await open(false);
      await clear[from]({});
      assert.deepEqual([asked, left()], [[], [0, 0, 0]]);
    }
  });
});
