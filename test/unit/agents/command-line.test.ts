import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { EndpointDeps, ToolCall } from "../../../src/agents/endpoint.ts";
import { InputError, StateError } from "../../../src/core/errors.ts";
import { FakeUser } from "../../support/agents/windows.ts";
import type { FakeWindow } from "../../support/agents/windows.ts";
import { until } from "../../support/faults/until.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const program = path.join(root, "src/agents/cli.ts");
type Answers = Readonly<Record<string, unknown>>;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe("The command line", () => {
  let user: FakeUser;
  let worktree: string;

  const start = (args: readonly string[], cwd = worktree) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: user.home },
    });
    const all = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    const ended = all.then(([[code], out, err]): Ended => ({ code: code as number | null, out, err }));
    return { child, ended };
  };
  const run = (...args: readonly string[]): Promise<Ended> => start(args).ended;
  const open = (run: EndpointDeps["run"]): Promise<FakeWindow> => user.open({ run });
  /** A window whose tools answer the same every time. */
  const answering = (answers: Answers): Promise<FakeWindow> =>
    open(({ tool }) => {
      const answer = answers[tool.replace("batchControl_", "")];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    });
  const inputs = ({ calls }: FakeWindow): readonly unknown[] => calls.map(({ input }) => input);
  const operation = (status: string, more: object = {}) => ({
    id: "op-1",
    kind: "commit",
    label: "Fix it",
    status,
    ...more,
  });

  beforeEach(async () => {
    user = await FakeUser.create();
    worktree = path.join(await realpath(user.home), "work tree");
    await mkdir(path.join(worktree, "src", "deep"), { recursive: true });
    // As in a linked worktree.
    await writeFile(path.join(worktree, ".git"), "gitdir: elsewhere\n");
  });
  afterEach(() => user.dispose());

  it("queues a commit of files that were named from a folder in the worktree", async () => {
    const window = await answering({ enqueueGit: { id: "op-1", status: "queued" } });
    const args = [
      "commit",
      "-m",
      "Fix it",
      "-m",
      "For good.",
      "a.ts",
      "../b.ts",
      "../../c.ts",
      "../../../d.ts",
    ];
    const absolute = path.join(worktree, "e.ts");
    const ended = await start([...args, absolute, "--signoff"], path.join(worktree, "src", "deep")).ended;
    assert.deepEqual(ended, { code: 0, out: "queued  op-1\n", err: "" });
    const call: ToolCall = {
      tool: "batchControl_enqueueGit",
      source: "cli",
      input: {
        kind: "commit",
        worktree,
        message: "Fix it\n\nFor good.",
        files: ["src/deep/a.ts", "src/b.ts", "c.ts", path.join(worktree, "../d.ts"), absolute],
        signoff: true,
      },
    };
    assert.deepEqual(window.calls, [call]);
  });

  it("hands on names as they are, whatever a shell or an option would make of them", async () => {
    const window = await answering({ enqueueGit: { id: "op-1", status: "queued" } });
    const hostile = ["-rf", "$(touch x)", "a\nb", "--json", "'", "ü \\", ":(top)x", "*"];
    const ended = await run(
      "commit",
      "--message=-m $(id)\n`id`",
      "--branch=-b",
      "--key",
      "k;k",
      "--",
      ...hostile,
    );
    assert.deepEqual(ended, { code: 0, out: "queued  op-1\n", err: "" });
    assert.deepEqual(inputs(window), [
      {
        kind: "commit",
        worktree,
        message: "-m $(id)\n`id`",
        files: hostile,
        branch: "-b",
        idempotencyKey: "k;k",
      },
    ]);
  });

  it("works for the folder that -C names, through a link as well", async () => {
    const window = await answering({ enqueueGit: { id: "op-1", status: "queued" } });
    await symlink(path.join(worktree, "src"), path.join(user.home, "link"));
    const ended = await start(["commit", "-C", "link", "-m", "x", "a.ts"], user.home).ended;
    assert.equal(ended.code, 0, ended.err);
    assert.deepEqual(inputs(window), [{ kind: "commit", worktree, message: "x", files: ["src/a.ts"] }]);
    const nowhere = await start(["push", "-C", "nowhere"], user.home).ended;
    assert.deepEqual([nowhere.code, nowhere.err.includes("There is no folder")], [1, true]);
    const outside = await start(["push"], user.home).ended;
    assert.deepEqual([outside.code, outside.err.includes("lies in no worktree")], [1, true]);
  });

  it("tells how far it has come where the key was used before", async () => {
    await answering({ enqueueGit: { id: "op-1", status: "succeeded" } });
    assert.equal((await run("push", "--key", "once")).out, "succeeded  op-1\n");
  });

  it("queues pushes and merges with all that can be said of them", async () => {
    const window = await answering({ enqueueGit: { id: "op-1", status: "queued" } });
    await run("push");
    await run(
      "push",
      "topic",
      "--remote",
      "origin",
      "--force-with-lease",
      "-u",
      "--tag",
      "v1",
      "--tag",
      "v2",
    );
    await run("merge", "topic", "--into", "main", "-m", "Take it", "--mode", "squash", "--push");
    assert.deepEqual(inputs(window), [
      { kind: "push", worktree },
      {
        kind: "push",
        worktree,
        branch: "topic",
        remote: "origin",
        force: "with-lease",
        setUpstream: true,
        tags: ["v1", "v2"],
      },
      {
        kind: "merge",
        worktree,
        source: "topic",
        target: "main",
        message: "Take it",
        mode: "squash",
        push: true,
      },
    ]);
  });

  it("queues a prompt, also from standard input", async () => {
    const window = await answering({ enqueueRequests: { ids: ["op-1"] } });
    const options = [
      "--type",
      "judge",
      "--system",
      "Be brief.",
      "--max-tokens",
      "50",
      "--provider",
      "openai",
    ];
    await run("ask", "--model", "m", ...options, "--urgency", "soon", "Why?");
    const { child, ended } = start(["ask", "--model", "m", "-", "--json"], user.home);
    child.stdin.end("Why,\n$(id)?\n");
    assert.deepEqual(JSON.parse((await ended).out), { id: "op-1", status: "queued" });
    assert.deepEqual(inputs(window), [
      {
        requests: [
          {
            type: "judge",
            model: "m",
            prompt: "Why?",
            system: "Be brief.",
            maxTokens: 50,
            provider: "openai",
            urgency: "soon",
          },
        ],
      },
      { requests: [{ type: "implementer", model: "m", prompt: "Why,\n$(id)?\n" }] },
    ]);
  });

  it("waits for what it queued, and ends with 0 where that succeeded", async () => {
    const window = await answering({
      enqueueGit: { id: "op-1", status: "queued" },
      enqueueRequests: { ids: ["op-1"] },
      flush: { batches: [] },
      state: {
        operations: [operation("succeeded", { result: { text: "Because.\n", commit: "c".repeat(40) } })],
      },
    });
    assert.deepEqual(await run("ask", "--model", "m", "--wait", "Why?"), {
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
    const { code, out } = await run("push", "--wait", "--json");
    const { id, status } = JSON.parse(out) as Answers;
    assert.deepEqual([code, id, status], [0, "op-1", "succeeded"]);
    assert.deepEqual(inputs(window)[4], { kind: "git" });
  });

  it("ends with 1 where what it queued did not succeed, and tells the remote's words as text", async () => {
    const error = "\u001b[31mrejected\u001b[0m\nby the hook";
    const reason = "remote-rejected";
    await answering({
      enqueueGit: { id: "op-1", status: "queued" },
      flush: { batches: [] },
      state: { operations: [operation("failed", { error, reason })] },
    });
    const plain = await run("push", "--wait");
    assert.deepEqual(plain, { code: 1, out: "", err: "op-1 failed: rejected\nby the hook\n" });
    const { code, out, err } = await run("push", "--wait", "--json");
    assert.deepEqual([code, err], [1, ""]);
    const data = JSON.parse(out) as Answers & { error: { reason: string } };
    assert.deepEqual([data["id"], data["status"], data.error.reason], ["op-1", "failed", reason]);
  });

  it("tells the id of what is queued though it cannot be flushed", async () => {
    await answering({
      enqueueGit: { id: "op-1", status: "queued" },
      flush: new StateError("held", "There is no key."),
    });
    const { code, err } = await run("push", "--wait");
    assert.deepEqual([code, err], [1, "op-1 is queued, but cannot be waited for: There is no key.\n"]);
  });

  it("flushes, and ends with 0 only if all succeeded, where it waits for that", async () => {
    const batches = [{ id: "b-1", status: "completed", operationCount: 2 }];
    const window = await answering({
      flush: {
        batches,
        outcomes: { "op-1": "succeeded", "op-2": "failed" },
        failed: [{ id: "op-2", status: "failed", error: "no", reason: "conflict" }],
      },
    });
    const failed = await run("flush", "git", "--wait");
    assert.deepEqual(failed, { code: 1, out: "completed  b-1  2 operations\n", err: "op-2 failed: no\n" });
    assert.deepEqual(inputs(window), [{ kind: "git", wait: true }]);
    await window.endpoint.dispose();
    await answering({ flush: { batches } });
    assert.equal((await run("flush")).code, 0);
  });

  it("waits for operations by their ids, and prints the answers of requests", async () => {
    const window = await answering({
      state: {
        operations: [
          operation("succeeded", { kind: "request", result: { text: "Because." } }),
          operation("succeeded", { id: "op-2", result: { commit: "c".repeat(40) } }),
        ],
      },
    });
    assert.deepEqual(await run("wait", "op-1", "op-2"), {
      code: 0,
      out: `Because.\nsucceeded  commit  op-2  ${"c".repeat(12)}\n`,
      err: "",
    });
    assert.deepEqual(inputs(window), [{ ids: ["op-1", "op-2"], wait: true }]);
  });

  it("tells the state for people, and whole for programs", async () => {
    const none = { queued: [], queuedCount: 0, pending: [], executing: [], executed: [] };
    const executing = [{ id: "b-1", operationCount: 3, group: "git:/x" }];
    const snapshot = {
      sequence: 7,
      paused: { git: true, llm: false },
      holds: [{ kind: "llm", reason: "no-key" }],
      git: {
        ...none,
        queued: [operation("queued", { label: "Fix\n\u001b[2Jit" })],
        queuedCount: 1,
        executing,
      },
      llm: none,
    };
    await answering({ state: snapshot });
    const { out } = await run("state");
    assert.deepEqual(out.split("\n"), [
      "git  1 queued, 0 pending, 3 executing, paused",
      "  queued  commit  op-1  Fix it",
      "llm  0 queued, 0 pending, 0 executing",
      "held  llm  no-key",
      "",
    ]);
    assert.deepEqual(JSON.parse((await run("state", "--json")).out), snapshot);
  });

  it("ends with 1 and the window's words where that refuses", async () => {
    await answering({ enqueueGit: new InputError("files", "src/a.ts has no changes") });
    const plain = await run("commit", "-m", "x", "src/a.ts");
    assert.deepEqual(plain, { code: 1, out: "", err: "files: src/a.ts has no changes\n" });
    const { code, out, err } = await run("commit", "-m", "x", "src/a.ts", "--json");
    assert.deepEqual([code, err], [1, ""]);
    assert.deepEqual(JSON.parse(out), {
      error: {
        message: "files: src/a.ts has no changes",
        name: "InputError",
        field: "files",
        reason: "invalid-input",
      },
    });
  });

  it("ends with 1 where no window is open, or it says something strange", async () => {
    const closed = await run("state");
    assert.deepEqual([closed.code, closed.out], [1, ""]);
    assert.match(closed.err, /^No trusted window with Batch Control is open\./);
    await answering({ state: { other: true } });
    const strange = await run("state");
    assert.equal(strange.code, 1);
    assert.match(strange.err, /is not understood/);
  });

  it("ends with 2 and the usage where the command line is wrong", async () => {
    const window = await answering({});
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /Name a command/],
      [["comit"], /no command "comit"/],
      [["toString"], /no command "toString"/],
      [["commit"], /Give a message with -m/],
      [["commit", "-m"], /argument missing/],
      [["commit", "-m", "x", "--all"], /Unknown option '--all'/],
      [["push", "a", "b"], /"b" is more/],
      [["merge", "a"], /--into/],
      [["merge", "--into", "a"], /the branch to merge/],
      [["ask", "Why?"], /--model/],
      [["ask", "--model", "m"], /the prompt/],
      [["ask", "--model", "m", "--max-tokens", "1e3", "Why?"], /whole number/],
      [["flush", "all"], /no "all"/],
      [["wait"], /the id/],
      [["state", "op-1"], /"op-1" is more/],
    ];
    for (const [args, message] of wrong) {
      const { code, out, err } = await run(...args);
      assert.deepEqual([code, out], [2, ""], args.join(" "));
      assert.match(err, message);
      assert.match(err, /^Usage: batch-control /m);
    }
    assert.deepEqual(window.calls, []);
  }).timeout(20_000);

  it("helps, and tells its version", async () => {
    const all = await run("--help");
    for (const name of ["commit", "push", "merge", "ask", "flush", "state", "wait"]) {
      assert.match(all.out, new RegExp(`^  batch-control ${name}\\b`, "m"));
      const one = await run(name, "--help");
      assert.deepEqual([one.code, one.err], [0, ""]);
      assert.match(one.out, new RegExp(`^Usage: batch-control ${name}\\b[^]*--json`));
    }
    const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as Answers;
    assert.deepEqual(await run("--version"), { code: 0, out: `${version as string}\n`, err: "" });
  }).timeout(20_000);

  it("ends the waiting after Ctrl+C with 130, and says that the work goes on", async () => {
    let stopped = false;
    const window = await open((_, signal) => {
      signal.addEventListener("abort", () => (stopped = true));
      return new Promise(() => undefined);
    });
    const { child, ended } = start(["wait", "op-1"]);
    await until(() => window.calls.length === 1);
    child.kill("SIGINT");
    const { code, out, err } = await ended;
    assert.deepEqual([code, out], [130, ""]);
    assert.match(err, /goes on/);
    await until(() => stopped);
  });
});
