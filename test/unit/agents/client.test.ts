import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { AgentError } from "../../../src/agents/agent-error.ts";
import { WindowClient } from "../../../src/agents/client.ts";
import { StateError } from "../../../src/core/errors.ts";
import { FakeUser } from "../../support/agents/windows.ts";
import type { FakeWindow } from "../../support/agents/windows.ts";
import { until } from "../../support/faults/until.ts";

describe("Who asks a window", () => {
  let user: FakeUser;
  const ask = (
    worktree?: string,
    {
      preferred,
      signal,
      limitMs,
      tool = "batchControl_flush",
      input = {},
    }: {
      preferred?: FakeWindow;
      signal?: AbortSignal;
      limitMs?: number;
      tool?: string;
      input?: object;
    } = {},
  ): Promise<unknown> =>
    new WindowClient({
      userFolder: user.folder,
      preferred: preferred?.endpoint.window,
      source: "mcp",
      ...(limitMs === undefined ? {} : { limitMs }),
    }).call({ tool, input, worktree }, signal ?? new AbortController().signal);
  const refusal = async (asked: Promise<unknown>): Promise<AgentError["data"]> => {
    try {
      await asked;
    } catch (error) {
      assert.ok(error instanceof AgentError, String(error));
      return error.data;
    }
    throw new Error("It was not refused.");
  };
  const asked = (...windows: readonly FakeWindow[]): readonly number[] =>
    windows.map(({ calls }) => calls.length);
  const there = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );

  beforeEach(async () => {
    user = await FakeUser.create();
  });
  afterEach(() => user.dispose());

  it("gets the answer of the only one", async () => {
    const window = await user.open({ run: () => Promise.resolve({ batches: [] }) });
    assert.deepEqual(await ask(), { batches: [] });
    assert.deepEqual(window.calls, [{ tool: "batchControl_flush", input: {}, source: "mcp" }]);
  });

  it("gets the one that may execute the worktree, though another one is preferred", async () => {
    const first = await user.open({ holds: ["/a"] });
    const second = await user.open({ holds: ["/b"] });
    await ask("/b", { preferred: first });
    await ask("/b");
    assert.deepEqual(asked(first, second), [0, 2]);
    await ask("/a", { preferred: second });
    assert.deepEqual(asked(first, second), [1, 2]);
  });

  it("gets the preferred one where several fit, or none does", async () => {
    const first = await user.open({ holds: ["/a"] });
    const second = await user.open({ holds: ["/a"] });
    await ask("/a", { preferred: second });
    await ask(undefined, { preferred: second });
    await ask("/elsewhere", { preferred: second });
    assert.deepEqual(asked(first, second), [0, 3]);
  });

  it("gets one that can say what is wrong with a worktree that is no path", async () => {
    const window = await user.open();
    for (const worktree of ["a\0b", "", "ü".repeat(4096), "x".repeat(100_000)]) await ask(worktree);
    assert.deepEqual(asked(window), [4]);
  });

  it("never gets one that is not trusted", async () => {
    const untrusted = await user.open({ trusted: false, holds: ["/a"] });
    const { reason, message } = await refusal(ask("/a", { preferred: untrusted }));
    assert.equal(reason, "untrusted");
    assert.match(message, /Trust/);
    const trusted = await user.open();
    await ask("/a", { preferred: untrusted });
    assert.deepEqual(asked(untrusted, trusted), [0, 1]);
  });

  it("gets one that is not trusted to look at the queue, where there is no other", async () => {
    const untrusted = await user.open({ trusted: false });
    await ask("/a", { tool: "batchControl_state" });
    const trusted = await user.open();
    await ask("/a", { tool: "batchControl_state", preferred: untrusted });
    assert.deepEqual(asked(untrusted, trusted), [1, 1]);
  });

  it("is told what to do where none is open", async () => {
    const { reason, message } = await refusal(ask("/a"));
    assert.equal(reason, "no-window");
    assert.match(message, /Open the folder in VS Code and try again/);
  });

  it("clears away the files of windows that crashed, and no others", async () => {
    const window = await user.open();
    const entry = await window.entry();
    const ended = spawn(process.execPath, ["--eval", ""]);
    await once(ended, "exit");
    const nowhere = path.join(user.home, "nowhere");
    const crashed = { ...entry, address: nowhere, pid: ended.pid };
    const dead = await user.leave("dead", JSON.stringify(crashed));
    const kept = await Promise.all([
      user.leave("busy", JSON.stringify({ ...entry, address: nowhere })),
      user.leave("another-machine", JSON.stringify({ ...crashed, machine: `not-${hostname()}` })),
      user.leave("garbled", '{"version":1,'),
      user.leave("later-version", JSON.stringify({ ...crashed, version: 2 })),
    ]);
    await ask("/a");
    assert.deepEqual(asked(window), [1]);
    assert.equal(await there(dead), false);
    assert.deepEqual(await Promise.all(kept.map(there)), [true, true, true, true]);
  });

  it("is told that a window hangs where there is no other", async () => {
    const window = await user.open();
    const socket = path.join(user.home, "hangs");
    const silent = createServer(() => undefined).listen(socket);
    await once(silent, "listening");
    const hanging = { ...(await window.entry()), address: socket };
    await window.endpoint.dispose();
    await user.leave("hangs", JSON.stringify(hanging));
    const { reason, message } = await refusal(ask("/a", { limitMs: 200 }));
    assert.equal(reason, "no-answer");
    assert.match(message, /^A window is open but does not answer\./);
    silent.close();
  });

  it("passes over a window that hangs", async () => {
    const window = await user.open();
    const socket = path.join(user.home, "hangs");
    const silent = createServer(() => undefined).listen(socket);
    await once(silent, "listening");
    await user.leave("hangs", JSON.stringify({ ...(await window.entry()), address: socket, startedAt: "0" }));
    await ask("/a", { limitMs: 1_000 });
    assert.deepEqual(asked(window), [1]);
    silent.close();
  });

  it("hands on a refusal with its reason", async () => {
    await user.open({ run: () => Promise.reject(new StateError("held", "There is no key.")) });
    assert.deepEqual(await refusal(ask()), {
      name: "StateError",
      message: "There is no key.",
      reason: "held",
    });
  });

  it("is told that what was accepted is kept, where the window goes away", async () => {
    const window = await user.open({ run: () => new Promise(() => undefined) });
    const keyed = { idempotencyKey: "k" };
    const told = [
      refusal(ask()),
      refusal(ask(undefined, { tool: "batchControl_enqueueGit", input: keyed })),
      refusal(ask(undefined, { tool: "batchControl_enqueueRequests", input: { requests: [keyed, keyed] } })),
      refusal(ask(undefined, { tool: "batchControl_enqueueRequests", input: { requests: [keyed, {}] } })),
    ];
    await until(() => window.calls.length === told.length);
    await window.endpoint.dispose();
    const [flush, ...queued] = await Promise.all(told);
    assert.deepEqual(
      [flush, ...queued].map((each) => each?.reason),
      told.map(() => "window-lost"),
    );
    assert.match(flush?.message ?? "", /goes on/);
    assert.doesNotMatch(flush?.message ?? "", /key/i);
    for (const each of queued.slice(0, 2)) assert.match(each.message, /is kept; .*the same idempotencyKey/);
    assert.match(queued[2]?.message ?? "", /look at the state before you ask again/);
  });

  it("ends the waiting in the window, too, when it has had enough", async () => {
    let ended: boolean | undefined;
    await user.open({
      run: (_, signal) => {
        ended = false;
        signal.addEventListener("abort", () => (ended = true));
        return new Promise(() => undefined);
      },
    });
    const enough = new AbortController();
    const waiting = assert.rejects(ask(undefined, { signal: enough.signal }), { name: "AbortError" });
    await until(() => ended === false);
    enough.abort();
    await waiting;
    await until(() => ended === true);
  });
});
