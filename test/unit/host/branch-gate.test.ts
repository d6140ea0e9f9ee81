import assert from "node:assert/strict";
import type { StoredOperation } from "../../../src/core/operation.ts";
import { BranchGate } from "../../../src/host/branch-gate.ts";
import { Cancelled } from "../../../src/host/commands/cancelled.ts";
import { fill } from "../../support/host/translate.ts";

const input = { kind: "push", worktree: "/repo", branch: "main" } as const;
const operation = (id: string, kind: StoredOperation["kind"]) => ({ id, kind }) as StoredOperation;

function gate(agrees = true) {
  const asked: (readonly [string, string | undefined])[] = [];
  const branches = new BranchGate({
    targets: {
      protectedTarget: ({ worktree }) =>
        Promise.resolve(worktree === "/free" ? undefined : { branch: "main", glob: "ma*" }),
      protectedAgain: ({ id }) =>
        Promise.resolve(id === "free" ? undefined : { branch: id.slice(0, 4), glob: "*" }),
    },
    t: fill,
    confirm: (question, agree) => {
      asked.push([question, agree]);
      return agrees ? Promise.resolve() : Promise.reject(new Cancelled());
    },
  });
  return { asked, branches };
}

describe("What concerns a protected branch", () => {
  it("passes with a person's consent, asked with the branch and the setting", async () => {
    const { asked, branches } = gate();
    await branches.pass(input, "person");
    await branches.pass({ kind: "merge", worktree: "/repo", source: "x", target: "main" }, "person");
    const question =
      "main is protected by the pattern ma* in the setting batchControl.git.protectedBranches.\nQueue it all the same?";
    assert.deepEqual(asked, [
      [question, "Push"],
      [question, "Merge"],
    ]);
  });

  it("does not pass without", async () => {
    const { branches } = gate(false);
    await assert.rejects(branches.pass(input, "person"), Cancelled);
    await assert.rejects(branches.passAgain([operation("main", "push")], "person"), Cancelled);
  });

  it("is asked about once, however much is repeated", async () => {
    const { asked, branches } = gate();
    const all = [
      operation("main 1", "push"),
      operation("main 2", "merge"),
      operation("next", "push"),
      operation("free", "push"),
      operation("llm", "request"),
    ];
    await branches.passAgain(all, "person");
    assert.equal(asked.length, 1);
    assert.match(asked[0]![0], /^main is [^\n]+\nnext is [^\n]+\nQueue it all the same\?$/);
  });

  it("leaves everything else, and code, unasked", async () => {
    const { asked, branches } = gate(false);
    await branches.pass({ ...input, worktree: "/free" }, "person");
    await branches.passAgain([operation("free", "push"), operation("llm", "request")], "person");
    // Code is refused where it queues.
    await branches.pass(input, "code");
    await branches.passAgain([operation("main", "push")], "code");
    assert.deepEqual(asked, []);
  });
});
