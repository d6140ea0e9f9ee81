import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { windowFile } from "../../../src/agents/window-file.ts";
import { StateError } from "../../../src/core/errors.ts";
import { inputs, toldCommit, useTerminal } from "../../support/agents/terminal.ts";
import type { Answers } from "../../support/agents/terminal.ts";
import { until } from "../../support/faults/until.ts";

describe("The command line that waits", () => {
  const terminal = useTerminal();

  it("waits for what it queued, and ends with 0 where that succeeded", async () => {
    const window = await terminal.answering({
      enqueueGit: { id: "op-1", status: "queued" },
      enqueueRequests: { ids: ["op-1"] },
      flush: { batches: [] },
      state: {
        operations: [toldCommit("succeeded", { result: { text: "Because.\n", commit: "c".repeat(40) } })],
      },
    });
    assert.deepEqual(await terminal.run("ask", "--model", "m", "--wait", "Why?"), {
      code: 0,
      out: "Because.\n",
      err: "",
    });
    assert.deepEqual(
      window.calls.slice(1).map(({ tool, input }) => [tool, input]),
      [
        ["batchControl_flush", { kind: "llm" }],
        ["batchControl_state", { ids: ["op-1"], wait: true }],
      ],
    );
    const { code, out } = await terminal.run("push", "--wait", "--json");
    const { id, status } = JSON.parse(out) as Answers;
    assert.deepEqual([code, id, status], [0, "op-1", "succeeded"]);
    assert.deepEqual(inputs(window)[4], { kind: "git" });
  });

  it("ends with 1 where what it queued did not succeed, and tells the remote's words as text", async () => {
    const error = "\u001b[31mrejected\u001b[0m\nby the hook";
    const reason = "remote-rejected";
    await terminal.answering({
      enqueueGit: { id: "op-1", status: "queued" },
      flush: { batches: [] },
      state: { operations: [toldCommit("failed", { error, reason })] },
    });
    const plain = await terminal.run("push", "--wait");
    assert.deepEqual(plain, { code: 1, out: "", err: "op-1 failed: rejected\nby the hook\n" });
    const { code, out, err } = await terminal.run("push", "--wait", "--json");
    assert.deepEqual([code, err], [1, ""]);
    const data = JSON.parse(out) as Answers & { error: { reason: string } };
    assert.deepEqual([data["id"], data["status"], data.error.reason], ["op-1", "failed", reason]);
  });

  it("tells the id of what is queued though it cannot be flushed", async () => {
    await terminal.answering({
      enqueueGit: { id: "op-1", status: "queued" },
      flush: new StateError("held", "There is no key."),
      state: { operations: [toldCommit("queued")] },
    });
    const { code, err } = await terminal.run("push", "--wait");
    assert.deepEqual([code, err], [1, "op-1 is queued. There is no key.\n"]);
    const { error } = JSON.parse((await terminal.run("push", "--wait", "--json")).out) as { error: Answers };
    assert.deepEqual([error["accepted"], error["reason"]], ["op-1", "held"]);
  });

  it("goes on waiting in the next window where the one it asked goes away", async () => {
    const first = await terminal.open(() => new Promise(() => undefined));
    const { ended } = terminal.start(["wait", "op-1"]);
    await until(() => first.calls.length === 1);
    await first.endpoint.dispose();
    const second = await terminal.answering({ state: { operations: [toldCommit("succeeded")] } });
    assert.deepEqual(await ended, { code: 0, out: "succeeded  commit  op-1  Fix it\n", err: "" });
    assert.deepEqual(inputs(second), inputs(first));
  });

  it("flushes, and ends with 0 only if all succeeded, where it waits for that", async () => {
    const batches = [{ id: "b-1", status: "completed", operationCount: 2 }];
    const answer = {
      batches,
      outcomes: { "op-1": "succeeded", "op-2": "failed" },
      failed: [{ id: "op-2", kind: "merge", status: "failed", error: "no", reason: "conflict" }],
    };
    const window = await terminal.answering({ flush: answer });
    const failed = await terminal.run("flush", "git", "--wait");
    assert.deepEqual(failed, { code: 1, out: "completed  b-1  2 operations\n", err: "op-2 failed: no\n" });
    assert.deepEqual(inputs(window), [{ kind: "git", wait: true }]);
    const whole = await terminal.run("flush", "--wait", "--json");
    const error = { message: "op-2 failed: no", reason: "conflict" };
    assert.deepEqual([whole.code, JSON.parse(whole.out)], [1, { ...answer, error }]);
    await window.endpoint.dispose();
    await terminal.answering({ flush: { batches: [{ ...batches[0], operationCount: 1 }] } });
    const formed = await terminal.run("flush");
    assert.deepEqual(formed, { code: 0, out: "completed  b-1  1 operation\n", err: "" });
  });

  it("waits for operations by their ids, and prints the answers of requests", async () => {
    const window = await terminal.answering({
      state: {
        operations: [
          toldCommit("succeeded", { kind: "request", result: { text: "Because." } }),
          toldCommit("succeeded", { id: "op-2", result: { commit: "c".repeat(40) } }),
        ],
      },
    });
    assert.deepEqual(await terminal.run("wait", "OP-1", "op-2"), {
      code: 0,
      out: `Because.\nsucceeded  commit  op-2  ${"c".repeat(12)}\n`,
      err: "",
    });
    assert.deepEqual(inputs(window), [{ ids: ["op-1", "op-2"], wait: true }]);
  });

  it("says how to go on waiting where the window goes after it has accepted something", async () => {
    const window = await terminal.open(async ({ tool }) => {
      // What is accepted is answered before the window closes.
      if (tool === "batchControl_enqueueGit") await rm(windowFile(terminal.folder, window.endpoint.window));
      return { id: "op-1", status: "queued" };
    });
    const { code, err } = await terminal.run("push", "--wait");
    assert.equal(code, 1);
    assert.equal(
      err,
      'op-1 is queued. No trusted window of VS Code answers now. Once one does, "batch-control wait op-1" tells what came of it.\n',
    );
  });

  it("ends the waiting after Ctrl+C with 130, and says that the work goes on", async () => {
    let stopped = false;
    const window = await terminal.open((_, signal) => {
      signal.addEventListener("abort", () => (stopped = true));
      return new Promise(() => undefined);
    });
    const { child, ended } = terminal.start(["wait", "op-1"]);
    await until(() => window.calls.length === 1);
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    assert.deepEqual([code, out], [130, ""]);
    assert.match(err, /goes on/);
    await until(() => stopped);
  });

  it("ends with 130 while it reads a prompt, and queues nothing then", async () => {
    const window = await terminal.answering({});
    const { child, ended } = terminal.start(["ask", "--model", "m", "-"]);
    child.stdin.on("error", () => undefined);
    // More than fits on the way to it: once it is gone, the program is reading, and can be told to stop.
    child.stdin.write("x".repeat(4 * 1024 * 1024));
    await until(() => child.stdin.writableLength === 0);
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    assert.deepEqual([code, out], [130, ""]);
    assert.equal(err, "It was stopped before anything was asked of a window.\n");
    assert.deepEqual(window.calls, []);
  });
});
