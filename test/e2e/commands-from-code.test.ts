import assert from "node:assert/strict";
import { startSimulator } from "../support/simulator/index.ts";
import type { Simulator } from "../support/simulator/index.ts";
import { git, receivedPushes } from "../support/sample.ts";
import { until } from "../support/workbench/until.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface State {
  readonly paused: { readonly git: boolean };
  readonly git: {
    readonly queuedCount: number;
    readonly executed: readonly { status: string; id: string }[];
    readonly stats: Record<string, number>;
  };
  readonly llm: { readonly queuedCount: number; readonly stats: Record<string, number> };
  readonly holds: readonly { readonly reason: string }[];
}
interface Flushed {
  readonly batches: readonly { readonly id: string; readonly status: string }[];
  readonly outcomes: Readonly<Record<string, string>>;
}

describe("Commands from code", () => {
  let simulator: Simulator;
  const settings: Record<string, unknown> = {
    "batchControl.git.autoFlush": false,
    "batchControl.llm.autoFlush": false,
    "batchControl.llm.pollInterval": 1,
  };
  const fixture = useSampleWorkbench({
    settings,
    env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined },
  });
  let window: WorkbenchWindow;
  const run = <Result>(name: string, ...args: unknown[]): Promise<Result> =>
    window.bridge.command<Result>(`batchControl.${name}`, ...args);
  const state = (): Promise<State> => run<State>("getState", {});

  before(async () => {
    simulator = await startSimulator();
    await fixture.workbench.server.setSettings({
      ...settings,
      "batchControl.llm.anthropic.baseUrl": simulator.url,
    });
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.waitForSetting("batchControl.llm.anthropic.baseUrl", simulator.url);
  });

  afterEach(() => run("clear", {}));

  after(async () => {
    await simulator.close();
  });

  it("commit in three worktrees and push in one go", async () => {
    const ids: string[] = [];
    for (const { path, files, branch } of fixture.sample.worktrees) {
      const commit = { worktree: path, message: `Work of ${branch}`, files };
      ids.push((await run<{ id: string }>("enqueueCommit", commit)).id);
      ids.push((await run<{ id: string }>("enqueuePush", { worktree: path })).id);
    }
    assert.equal((await state()).git.queuedCount, 6);
    const { outcomes, batches } = await run<Flushed>("flush", { kind: "git", wait: true });
    assert.deepEqual(outcomes, Object.fromEntries(ids.map((id) => [id, "succeeded"])));
    assert.deepEqual(
      batches.map(({ status }) => status),
      ["completed"],
    );
    const [only, ...more] = await receivedPushes(fixture.sample);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [...only!].sort(),
      fixture.sample.worktrees.map(({ branch }) => `refs/heads/${branch}`).sort(),
    );
    for (const { branch, files } of fixture.sample.worktrees) {
      const committed = await git(fixture.sample.remote, "show", "--format=%s", "--name-only", branch);
      assert.deepEqual(committed.split("\n").filter(Boolean), [`Work of ${branch}`, ...[...files].sort()]);
    }
    const { stats } = (await state()).git;
    assert.deepEqual([stats["pushesRequested"], stats["pushesExecuted"], stats["networkSavings"]], [3, 1, 2]);
  });

  it("give the result of each operation", async () => {
    const operations = await run<{ id: string; kind: string; status: string }[]>("getOperations", {
      status: "succeeded",
      limit: 10,
    });
    assert.equal(operations.length, 6);
    const { id } = operations.find(({ kind }) => kind === "commit")!;
    const result = await run<{ status: string; commit: string }>("getResult", { id });
    assert.match(result.commit, /^[0-9a-f]{40}$/);
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ["enqueueCommit", {}, /^worktree: /],
    ["enqueueCommit", null, /^argument: /],
    ["enqueueCommit", "now", /^argument: /],
    ["enqueueCommit", { worktree: "/nowhere/at/all", message: "x" }, /^worktree: /],
    ["enqueueCommit", { worktree: "SAMPLE", message: "  " }, /^message: /],
    ["enqueueCommit", { worktree: "SAMPLE", message: "x", files: ["../outside"] }, /^files/],
    ["enqueueCommit", { worktree: "SAMPLE", message: "x", colour: "red" }, /^colour: /],
    ["enqueuePush", { worktree: "SAMPLE", branch: "no-such-branch" }, /^branch: /],
    ["enqueuePush", { worktree: "SAMPLE", remote: "nowhere" }, /^remote: /],
    ["enqueueMerge", { worktree: "SAMPLE", source: "main" }, /^target: /],
    ["enqueueRequest", { type: "judge", prompt: "x" }, /^model: /],
    ["enqueueRequest", { type: "judge", model: "claude-haiku-4-5" }, /^prompt: /],
    ["flush", { kind: "svn" }, /^kind: /],
    ["cancelOperation", {}, /^id: /],
    ["cancelOperation", { id: "019a0000-0000-7000-8000-000000000000" }, /^id: /],
    ["cancelBatch", { id: "x" }, /^id: /],
    ["moveOperation", { id: "019a0000-0000-7000-8000-000000000000", to: -1 }, /^to: /],
    ["getOperations", {}, /^limit: /],
    ["setApiKey", { provider: "acme", key: "x" }, /^provider: /],
  ];
  for (const [name, argument, message] of bad) {
    it(`${name} refuses ${JSON.stringify(argument)}, naming the field, and queues nothing`, async () => {
      const filled: unknown = JSON.parse(JSON.stringify(argument).replace("SAMPLE", fixture.sample.clone));
      await assert.rejects(
        run(name, filled),
        (error: Error) => message.test(error.message) || assert.fail(error.message),
      );
      const { git: gitSide, llm } = await state();
      assert.equal(gitSide.queuedCount + llm.queuedCount, 0);
    });
  }

  it("take no list and no instance of a class for a wish to flush or cancel everything", async () => {
    await run("enqueuePush", { worktree: fixture.sample.clone, branch: "main" });
    for (const name of ["flush", "clear"]) {
      const refusals = await window.bridge.evaluate(async ({ vscode }, command) => {
        const inputs = [
          [],
          new Map([["kind", "git"]]),
          new Date(0),
          Object.create({ kind: "llm" }),
          new (class {
            kind = "llm";
          })(),
        ] as unknown[];
        const called = inputs.map((input) => vscode.commands.executeCommand(command, input));
        const ended = await Promise.allSettled(called);
        return ended.map((one) => (one.status === "rejected" ? String(one.reason) : "not refused"));
      }, `batchControl.${name}`);
      for (const refusal of refusals) assert.match(refusal, /argument: must be an object literal/);
    }
    const { git: side } = await state();
    assert.equal(side.queuedCount, 1);
  });

  it("edit, move, cancel and retry what is queued", async () => {
    const { path } = fixture.sample.worktrees[0]!;
    const queue = async (branch: string) =>
      (await run<{ id: string }>("enqueuePush", { worktree: path, branch })).id;
    const [first, second] = [await queue("main"), await queue(fixture.sample.worktrees[0]!.branch)];
    await run("moveOperation", { id: second, to: 0 });
    assert.deepEqual(
      (await run<{ id: string }[]>("getOperations", { status: "queued", limit: 5 }))
        .map(({ id }) => id)
        .sort(),
      [first, second].sort(),
    );
    await run("cancelOperation", { id: first });
    await run("cancelOperation", { id: second });
    const { id: again } = await run<{ id: string }>("retryOperation", { id: first });
    assert.equal((await state()).git.queuedCount, 1);
    await run("clear", { kind: "git" });
    assert.equal((await state()).git.queuedCount, 0);
    assert.equal((await run<{ status: string }>("getResult", { id: again })).status, "cancelled");
  });

  it("pause and resume, and flush while paused", async () => {
    await run("pause", { kind: "git" });
    assert.equal((await state()).paused.git, true);
    assert.deepEqual((await run<Flushed>("flush", { kind: "git", wait: true })).outcomes, {});
    await run("resume", { kind: "git" });
    assert.equal((await state()).paused.git, false);
  });

  it("hold requests without a key, ask for one, and send them once it is set", async () => {
    const ids: string[] = [];
    for (const prompt of ["one", "two", "three"])
      ids.push(
        (
          await run<{ id: string }>("enqueueRequest", {
            type: "implementer",
            model: "claude-haiku-4-5",
            prompt,
          })
        ).id,
      );
    await assert.rejects(run("flush", { kind: "llm", wait: true }), /API key/);
    assert.equal((await window.notifications.waitFor("API key")).buttons[0], "Set API Key");
    assert.equal((await state()).llm.queuedCount, 3);
    await assert.rejects(run("flush", { kind: "llm" }), /API key/);
    await run("setApiKey", { provider: "anthropic", key: "sk-ant-test" });
    const flushed = run<Flushed>("flush", { kind: "llm", wait: true });
    const sent = until("a batch at the provider", () => Promise.resolve(simulator.batches.length > 0));
    await Promise.race([sent, flushed]);
    await simulator.endAll();
    assert.deepEqual((await flushed).outcomes, Object.fromEntries(ids.map((id) => [id, "succeeded"])));
    const created = simulator.requests.filter(
      ({ method, path }) => method === "POST" && path === "/v1/messages/batches",
    );
    assert.equal(created.length, 1);
    await run("openResult", { id: ids[0] });
    await window.page.locator(".tab", { hasText: "one.md" }).waitFor();
    const text = await window.bridge.evaluate(({ vscode }) =>
      vscode.window.activeTextEditor?.document.getText(),
    );
    assert.match(text ?? "", /^---\nid: "[\s\S]*\noutput_tokens: \d+\n[\s\S]*\n---\n\n\S/);
  });
});
