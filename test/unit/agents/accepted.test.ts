import assert from "node:assert/strict";
import { StateError } from "../../../src/core/errors.ts";
import { inputs, toldCommit, useTerminal } from "../../support/agents/terminal.ts";
import type { Answers } from "../../support/agents/terminal.ts";

describe("The command line, once something is accepted", () => {
  const terminal = useTerminal();

  const git = { enqueueGit: { id: "op-1", status: "queued" } };
  const flush = new StateError("held", "Another window executes.");
  /** A window where the operation is as `first` until it is waited for, and then as `last`. */
  const going = (first: object, last: object, answers: Answers) =>
    terminal.open(({ tool, input }) => {
      const told = (input as { wait?: boolean }).wait ? last : first;
      const answer = tool === "batchControl_state" ? told : answers[tool.replace("batchControl_", "")];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    });

  it("ends with 1 where a key is used again whose operation came to nothing", async () => {
    for (const status of ["cancelled", "failed", "expired"]) {
      const window = await terminal.answering({
        enqueueGit: { id: "op-1", status },
        enqueueRequests: { ids: ["op-1"], statuses: [status] },
      });
      for (const args of [
        ["commit", "-m", "x"],
        ["ask", "--model", "m", "Why?"],
      ]) {
        assert.deepEqual(await terminal.run(...args, "--key", "k"), {
          code: 1,
          out: `${status}  op-1\n`,
          err: `op-1 is ${status} already. Use a new key to ask again.\n`,
        });
      }
      await window.endpoint.dispose();
    }
  }).timeout(20_000);

  it("ends with 0 where a key is used again whose request succeeded, and tells so", async () => {
    await terminal.answering({ enqueueRequests: { ids: ["op-1"], statuses: ["succeeded"] } });
    const { code, out } = await terminal.run("ask", "--model", "m", "--key", "k", "Why?", "--json");
    assert.deepEqual([code, JSON.parse(out)], [0, { id: "op-1", status: "succeeded" }]);
  });

  it("executes nothing of others where what a key stands for is over", async () => {
    const window = await terminal.answering({
      enqueueGit: { id: "op-1", status: "failed" },
      state: { operations: [toldCommit("failed", { error: "no" })] },
    });
    assert.deepEqual(await terminal.run("push", "--key", "k", "--wait"), {
      code: 1,
      out: "",
      err: "op-1 failed: no. Use a new key to ask again.\n",
    });
    assert.deepEqual(
      window.calls.map(({ tool }) => tool),
      ["batchControl_enqueueGit", "batchControl_state"],
    );
  });

  it("waits on where a flush is refused and another one has taken the operation along", async () => {
    const taken = { operations: [toldCommit("pending")] };
    const done = { operations: [toldCommit("succeeded")] };
    const window = await going(taken, done, { ...git, flush });
    const succeeded = { code: 0, out: "succeeded  commit  op-1  Fix it\n", err: "" };
    assert.deepEqual(await terminal.run("push", "--wait"), succeeded);
    assert.deepEqual(inputs(window).slice(2), [{ ids: ["op-1"] }, { ids: ["op-1"], wait: true }]);
    await window.endpoint.dispose();
    const failed = { operations: [toldCommit("failed", { error: "no" })] };
    await going(failed, failed, { ...git, flush });
    assert.deepEqual(await terminal.run("push", "--wait"), { code: 1, out: "", err: "op-1 failed: no\n" });
  });

  it("ends with 1 where something stops it that a person has to mend, and says what to do", async () => {
    const stopped = {
      operations: [toldCommit("queued", { kind: "request" })],
      holds: ["OpenAI: No API key is set.\nSet one."],
    };
    await terminal.answering({ enqueueRequests: { ids: ["op-1"] }, flush: { batches: [] }, state: stopped });
    const { code, out } = await terminal.run("ask", "--model", "m", "--wait", "Why?", "--json");
    const { error } = JSON.parse(out) as { error: Answers };
    assert.deepEqual([code, error["reason"], error["accepted"]], [1, "held", "op-1"]);
    assert.equal(
      error["message"],
      'op-1 is accepted, but held. OpenAI: No API key is set. Set one. Then ask "batch-control wait op-1".',
    );
    const waited = await terminal.run("wait", "op-1");
    assert.deepEqual([waited.code, waited.err], [1, `${error["message"] as string}\n`]);
  });

  it("tells of all that is stopped, and of nothing that is over", async () => {
    const operations = ["op-1", "op-2", "op-3"].map((id, place) =>
      toldCommit(place === 0 ? "succeeded" : "queued", { id }),
    );
    await terminal.answering({ state: { operations, holds: ["No window may execute it."] } });
    const { code, err } = await terminal.run("wait", "op-1", "op-2", "op-3");
    assert.equal(code, 1);
    assert.match(err, /^op-2, op-3 are accepted, but held\. No window may execute it\. Then ask/);
  });
});
