import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { InputError, JournalError } from "../../../src/core/errors.ts";
import type { EndpointDeps } from "../../../src/agents/endpoint.ts";
import { toolTexts } from "../../../src/agents/tool-texts.ts";
import { McpSession } from "../../support/agents/mcp-session.ts";
import { FakeUser } from "../../support/agents/windows.ts";
import { root } from "../../support/paths.ts";

const program = path.join(root, "src/agents/mcp.ts");

describe("The MCP server", function () {
  this.timeout(30_000);
  let user: FakeUser;
  let folder: string;
  const sessions: McpSession[] = [];

  beforeEach(async () => {
    user = await FakeUser.create();
    folder = await mkdtemp(path.join(tmpdir(), "batch-control-mcp-"));
  });

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.close()));
    await user.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (env: Readonly<Record<string, string>> = {}): Promise<McpSession> => {
    const home = { HOME: user.home, USERPROFILE: user.home };
    const session = await McpSession.start({ args: [program], folder, env: { ...home, ...env } });
    sessions.push(session);
    return session;
  };

  it("lists its tools while no window is open", async () => {
    const { client } = await start();
    assert.equal(client.getServerVersion()?.name, "batch-control");
    assert.match(client.getServerVersion()?.version ?? "", /^\d+\.\d+\.\d+$/);
    assert.match(client.getInstructions() ?? "", /batchControl_flush/);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      toolTexts,
    );
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations]),
      [
        ["batchControl_enqueueGit", { destructiveHint: false }],
        ["batchControl_enqueueRequests", { destructiveHint: false }],
        ["batchControl_flush", { openWorldHint: true }],
        ["batchControl_state", { readOnlyHint: true, openWorldHint: false }],
      ],
    );
  });

  it("hands each call on to the window, as it is, and its answer back", async () => {
    const answers: Readonly<Record<string, unknown>> = {
      batchControl_enqueueGit: { id: "one", status: "queued" },
      batchControl_enqueueRequests: { ids: ["two", "three"] },
      batchControl_flush: { batches: [], outcomes: { one: "succeeded" } },
      batchControl_state: { operations: [{ id: "two", result: { text: 'It says "42".\n' } }] },
    };
    const window = await user.open({ run: ({ tool }) => Promise.resolve(answers[tool]) });
    const session = await start();
    const inputs: Readonly<Record<string, Record<string, unknown>>> = {
      batchControl_enqueueGit: { kind: "commit", worktree: "/w", message: "A\n\n-rf $(x) `y` \u0000 ü 🚀" },
      batchControl_enqueueRequests: { requests: [{ type: "judge", model: "m", prompt: "p" }] },
      batchControl_flush: { kind: "git", wait: true },
      batchControl_state: { ids: ["two"], wait: true },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const { text, refused } = await session.call(name, input);
      assert.deepEqual([JSON.parse(text), refused], [answers[name], false]);
    }
    await session.call("batchControl_state");
    assert.deepEqual(window.calls, [
      ...Object.entries(inputs).map(([tool, input]) => ({ tool, input, source: "mcp" })),
      { tool: "batchControl_state", input: {}, source: "mcp" },
    ]);
    assert.equal(session.complaints, "");
  });

  it("lets the model read why a window refused, and goes on", async () => {
    const errors = [
      new InputError("files.0", '"-rf" is not in the worktree; name files of it.'),
      new JournalError("full", "The disk is full. Free some space and try again."),
      new Error("Something else."),
    ];
    const expected = errors.map(({ message }) => message);
    await user.open({
      run: () => {
        const error = errors.shift();
        return error ? Promise.reject(error) : Promise.resolve({ id: "one", status: "queued" });
      },
    });
    const session = await start();
    const commit = { kind: "commit", worktree: folder, message: "m" };
    for (const text of expected) {
      assert.deepEqual(await session.call("batchControl_enqueueGit", commit), { text, refused: true });
    }
    const { refused } = await session.call("batchControl_enqueueGit", commit);
    assert.equal(refused, false);
  });

  it("says what to do where no window is open or trusted, and finds one that opens later", async () => {
    const session = await start();
    const none = await session.call("batchControl_state");
    assert.equal(none.refused, true);
    assert.match(none.text, /No trusted window.*Open the folder/);
    await user.open({ trusted: false });
    const untrusted = await session.call("batchControl_flush");
    assert.equal(untrusted.refused, true);
    assert.match(untrusted.text, /not trusted/);
    const window = await user.open();
    assert.deepEqual(await session.call("batchControl_flush"), { text: "{}", refused: false });
    assert.equal(window.calls.length, 1);
    await window.endpoint.dispose();
    assert.equal((await session.call("batchControl_flush")).refused, true);
    assert.equal((await session.call("batchControl_state")).refused, false);
  });

  it("asks the window that has the worktree open, else that of the folder it runs in, else its own", async () => {
    const there = path.join(folder, "there");
    const [own, ofFolder, ofWorktree] = [
      await user.open(),
      await user.open({ holds: [folder] }),
      await user.open({ holds: [there] }),
    ];
    const asked = (): number[] => [own, ofFolder, ofWorktree].map(({ calls }) => calls.splice(0).length);
    const session = await start({ BATCH_CONTROL_WINDOW: own.endpoint.window });
    await session.call("batchControl_enqueueGit", { kind: "push", worktree: there });
    assert.deepEqual(asked(), [0, 0, 1]);
    await session.call("batchControl_flush");
    assert.deepEqual(asked(), [0, 1, 0]);
    await session.call("batchControl_enqueueGit", { kind: "push", worktree: "there" });
    assert.deepEqual(asked(), [0, 1, 0]);
    await ofFolder.endpoint.dispose();
    await session.call("batchControl_flush");
    assert.deepEqual(asked(), [1, 0, 0]);
  });

  it("calls a tool that does not exist an error of the protocol, and asks no window for it", async () => {
    const window = await user.open();
    const session = await start();
    for (const name of ["batchControl_commit", "../v1/window", "", "constructor", "a\nb"]) {
      await assert.rejects(session.call(name), { code: -32602, message: /There is no tool/ });
    }
    assert.deepEqual(window.calls, []);
  });

  it("takes a request of many megabytes", async () => {
    const window = await user.open();
    const session = await start();
    const prompt = "ü".repeat(5.5 * 1024 * 1024);
    const { refused } = await session.call("batchControl_enqueueRequests", {
      requests: [{ type: "judge", model: "m", prompt }],
    });
    assert.equal(refused, false);
    const { requests } = window.calls[0]!.input as { requests: { prompt: string }[] };
    assert.ok(requests[0]!.prompt === prompt);
  });

  describe("with a window that takes long", () => {
    let called: Promise<void>;
    let aborted: Promise<void>;
    let answer: (value: unknown) => void;
    let run: EndpointDeps["run"];

    beforeEach(() => {
      const [call, abort] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const answered = Promise.withResolvers<unknown>();
      [called, aborted, answer] = [call.promise, abort.promise, answered.resolve];
      run = ({ tool }, signal) => {
        if (tool === "batchControl_state") return Promise.resolve({ paused: false });
        call.resolve(undefined);
        signal.addEventListener("abort", () => abort.resolve(undefined));
        return answered.promise;
      };
    });

    it("answers other calls meanwhile", async () => {
      await user.open({ run });
      const session = await start();
      const flush = session.call("batchControl_flush", { wait: true });
      await called;
      assert.equal((await session.call("batchControl_state")).text, '{"paused":false}');
      answer({ batches: [] });
      assert.equal((await flush).text, '{"batches":[]}');
    });

    it("breaks off a call that is cancelled, and no other", async () => {
      await user.open({ run });
      const session = await start();
      const controller = new AbortController();
      const flush = session.call("batchControl_flush", { wait: true }, controller.signal);
      await called;
      controller.abort();
      await assert.rejects(flush);
      await aborted;
      assert.equal((await session.call("batchControl_state")).text, '{"paused":false}');
    });

    it("ends with its client, and breaks off what is under way", async () => {
      await user.open({ run });
      const session = await start();
      const flush = session.call("batchControl_flush", { wait: true });
      await called;
      await Promise.all([session.close(), assert.rejects(flush), aborted]);
    });

    it("says what holds where the window goes away", async () => {
      const window = await user.open({ run });
      const session = await start();
      const flush = session.call("batchControl_flush", { wait: true });
      await called;
      await window.endpoint.dispose();
      const { text, refused } = await flush;
      assert.equal(refused, true);
      assert.match(text, /went away.*goes on/);
    });
  });
});
