import assert from "node:assert/strict";
import { StateError } from "../../../src/core/errors.ts";
import { inputs, toldCommit, useTerminal } from "../../support/agents/terminal.ts";
import type { Answers } from "../../support/agents/terminal.ts";
import { until } from "../../support/faults/until.ts";

const side = { queued: [], queuedCount: 0, pending: [], executing: [], executed: [] };
const held = (...holds: readonly object[]): object => ({
  paused: { git: false, llm: false },
  holds,
  git: side,
  llm: side,
});
const request = (status: string, more: object = {}): object =>
  toldCommit(status, { kind: "request", group: "llm:openai/judge/m", ...more });

describe("The command line, once something is accepted", () => {
  const terminal = useTerminal();

  /** A window where the operation goes through these states, one at each look; the last stays. */
  const going = (through: readonly object[], { state = held(), ...answers }: Answers = {}) => {
    const left = [...through];
    return terminal.open(({ tool, input }, signal) => {
      const { ids, wait } = input as { ids?: unknown; wait?: boolean };
      if (tool === "batchControl_state") {
        if (ids === undefined) return Promise.resolve(state);
        if (wait && left.length === 1)
          return new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(new Error("gone"))),
          );
        const [now] = left.length > 1 && !wait ? left.splice(0, 1) : left;
        return Promise.resolve({ operations: [now] });
      }
      const answer = answers[tool.replace("batchControl_", "")];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    });
  };
  const git = { enqueueGit: { id: "op-1", status: "queued" } };
  const llm = { enqueueRequests: { ids: ["op-1"], statuses: ["queued"] }, flush: { batches: [] } };

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
    const window = await going([toldCommit("failed", { error: "no" })], {
      enqueueGit: { id: "op-1", status: "failed" },
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
    const flush = new StateError("held", "Another window executes.");
    const window = await going([toldCommit("pending"), toldCommit("executing"), toldCommit("succeeded")], {
      ...git,
      flush,
    });
    assert.deepEqual(await terminal.run("push", "--wait"), {
      code: 0,
      out: "succeeded  commit  op-1  Fix it\n",
      err: "",
    });
    assert.ok(inputs(window).some((input) => (input as { wait?: boolean }).wait));
    await window.endpoint.dispose();
    await going([toldCommit("failed", { error: "no" })], { ...git, flush });
    assert.deepEqual(await terminal.run("push", "--wait"), { code: 1, out: "", err: "op-1 failed: no\n" });
  });

  it("ends with 1 where a hold stops it, and says what to do", async () => {
    await going([request("pending"), request("queued")], {
      ...llm,
      state: held({ kind: "llm", lane: "llm:openai", reason: "no-key" }),
    });
    const { code, out } = await terminal.run("ask", "--model", "m", "--wait", "Why?", "--json");
    const { error } = JSON.parse(out) as { error: Answers };
    assert.deepEqual([code, error["reason"], error["accepted"]], [1, "held", "op-1"]);
    assert.equal(
      error["message"],
      'op-1 is accepted, but held. No API key is set. Set one in VS Code. Then ask "batch-control wait op-1".',
    );
    const waited = await terminal.run("wait", "op-1");
    assert.deepEqual([waited.code, waited.err], [1, `${error["message"] as string}\n`]);
  });

  it("waits where holds are for others, or end by themselves", async () => {
    const holds = [
      { kind: "llm", lane: "llm:anthropic", reason: "no-key" },
      { kind: "git", lane: "git:/elsewhere", reason: "untrusted" },
      { kind: "llm", reason: "rate", until: "2100-01-01T00:00:00.000Z" },
    ];
    await going([request("queued"), request("pending"), request("executing"), request("succeeded")], {
      ...llm,
      state: held(...holds),
    });
    const { code } = await terminal.run("ask", "--model", "m", "--wait", "Why?");
    assert.equal(code, 0);
  });

  it("notices a hold that comes while it waits", async () => {
    let holds: readonly object[] = [];
    const window = await terminal.open(({ input }) => {
      const { ids, wait } = input as { ids?: unknown; wait?: boolean };
      if (wait) return new Promise(() => undefined);
      return Promise.resolve(ids === undefined ? held(...holds) : { operations: [toldCommit("queued")] });
    });
    const { ended } = terminal.start(["wait", "op-1"]);
    await until(() => inputs(window).some((input) => (input as { wait?: boolean }).wait));
    holds = [{ kind: "git", reason: "No window may execute it. Trust one." }];
    const { code, err } = await ended;
    assert.equal(code, 1);
    assert.match(err, /^op-1 is accepted, but held\. No window may execute it\. Trust one\./);
  }).timeout(20_000);
});
