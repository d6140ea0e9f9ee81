import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ToolCall } from "../../../src/agents/endpoint.ts";
import { InputError } from "../../../src/core/errors.ts";
import { inputs, toldCommit, useTerminal } from "../../support/agents/terminal.ts";
import type { Answers } from "../../support/agents/terminal.ts";
import { root } from "../../support/paths.ts";

describe("The command line", () => {
  const terminal = useTerminal();

  it("queues a commit of files that were named from a folder in the worktree", async () => {
    const window = await terminal.answering({ enqueueGit: { id: "op-1", status: "queued" } });
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
    const absolute = path.join(terminal.worktree, "e.ts");
    const ended = await terminal.start(
      [...args, absolute, "--signoff"],
      path.join(terminal.worktree, "src", "deep"),
    ).ended;
    assert.deepEqual(ended, { code: 0, out: "queued  op-1\n", err: "" });
    const call: ToolCall = {
      tool: "batchControl_enqueueGit",
      source: "cli",
      input: {
        kind: "commit",
        worktree: terminal.worktree,
        message: "Fix it\n\nFor good.",
        files: ["src/deep/a.ts", "src/b.ts", "c.ts", path.join(terminal.worktree, "../d.ts"), absolute],
        signoff: true,
      },
    };
    assert.deepEqual(window.calls, [call]);
  });

  it("hands on names as they are, whatever a shell or an option would make of them", async () => {
    const window = await terminal.answering({ enqueueGit: { id: "op-1", status: "queued" } });
    const hostile = ["-rf", "$(touch x)", "a\nb", "--json", "'", "ü \\", ":(top)x", "*"];
    const ended = await terminal.run(
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
        worktree: terminal.worktree,
        message: "-m $(id)\n`id`",
        files: hostile,
        branch: "-b",
        idempotencyKey: "k;k",
      },
    ]);
  });

  it("works for the folder that -C names, through a link as well", async () => {
    const window = await terminal.answering({ enqueueGit: { id: "op-1", status: "queued" } });
    await symlink(path.join(terminal.worktree, "src"), path.join(terminal.home, "link"));
    const ended = await terminal.start(["commit", "-C", "link", "-m", "x", "a.ts"], terminal.home).ended;
    assert.equal(ended.code, 0, ended.err);
    assert.deepEqual(inputs(window), [
      { kind: "commit", worktree: terminal.worktree, message: "x", files: ["src/a.ts"] },
    ]);
    const file = await terminal.start(["push", "-C", "link/../work tree/.git"], terminal.home).ended;
    assert.deepEqual([file.code, file.err.includes("There is no folder")], [1, true]);
    const nowhere = await terminal.start(["push", "-C", "nowhere"], terminal.home).ended;
    assert.deepEqual([nowhere.code, nowhere.err.includes("There is no folder")], [1, true]);
    const outside = await terminal.start(["push"], terminal.home).ended;
    assert.deepEqual([outside.code, outside.err.includes("lies in no worktree")], [1, true]);
  });

  it("finds files that were named by a link to the worktree, and does not follow the last part", async () => {
    const window = await terminal.answering({ enqueueGit: { id: "op-1", status: "queued" } });
    const link = path.join(terminal.home, "link");
    await symlink(terminal.worktree, link);
    await symlink("/nowhere", path.join(terminal.worktree, "src", "a-link"));
    const missing = path.join(link, "missing", "b.ts");
    const names = [path.join(link, "a.ts"), path.join(link, "src/a-link"), "../link/src/c.ts", missing];
    await terminal.run("commit", "-m", "x", ...names);
    const files = ["a.ts", "src/a-link", "src/c.ts", missing];
    assert.deepEqual(inputs(window), [{ kind: "commit", worktree: terminal.worktree, message: "x", files }]);
  });

  it("takes no folder for a worktree that holds an empty .git", async () => {
    const window = await terminal.answering({ enqueueGit: { id: "op-1", status: "queued" } });
    const folder = path.join(terminal.worktree, "src");
    await mkdir(path.join(folder, ".git"));
    await terminal.start(["push"], folder).ended;
    await writeFile(path.join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
    await terminal.start(["push"], folder).ended;
    assert.deepEqual(inputs(window), [
      { kind: "push", worktree: terminal.worktree },
      { kind: "push", worktree: folder },
    ]);
  });

  it("calls the key as it is called here where the window refuses it", async () => {
    const used = new InputError("idempotencyKey", "was used before for other content; use a new key");
    await terminal.answering({ enqueueGit: used });
    const { code, err } = await terminal.run("push", "--key", "k");
    assert.deepEqual([code, err], [1, "--key: was used before for other content; use a new key\n"]);
  });

  it("tells how far it has come where the key was used before", async () => {
    await terminal.answering({ enqueueGit: { id: "op-1", status: "succeeded" } });
    assert.equal((await terminal.run("push", "--key", "once")).out, "succeeded  op-1\n");
  });

  it("queues pushes and merges with all that can be said of them", async () => {
    const window = await terminal.answering({ enqueueGit: { id: "op-1", status: "queued" } });
    await terminal.run("push");
    await terminal.run(
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
    await terminal.run("merge", "topic", "--into", "main", "-m", "Take it", "--mode", "squash", "--push");
    assert.deepEqual(inputs(window), [
      { kind: "push", worktree: terminal.worktree },
      {
        kind: "push",
        worktree: terminal.worktree,
        branch: "topic",
        remote: "origin",
        force: "with-lease",
        setUpstream: true,
        tags: ["v1", "v2"],
      },
      {
        kind: "merge",
        worktree: terminal.worktree,
        source: "topic",
        target: "main",
        message: "Take it",
        mode: "squash",
        push: true,
      },
    ]);
  });

  it("queues a prompt, also from standard input", async () => {
    const window = await terminal.answering({ enqueueRequests: { ids: ["op-1"] } });
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
    await terminal.run("ask", "--model", "m", ...options, "--urgency", "soon", "Why?");
    const { child, ended } = terminal.start(["ask", "--model", "m", "-", "--json"], terminal.home);
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

  it("tells the state for people, and whole for programs", async () => {
    const none = { queued: [], queuedCount: 0, pending: [], executing: [], executed: [] };
    const executing = [
      {
        id: "b-1",
        operationCount: 3,
        group: "git:/x",
        operations: [toldCommit("executing", { id: "op-2" })],
      },
    ];
    const finished = [8, 7, 6, 5, 4, 3].map((number) =>
      toldCommit("succeeded", { id: `op-${number}`, label: `Step ${number}` }),
    );
    const executed = [
      { operationCount: 1, operations: [toldCommit("failed", { id: "op-9", error: "no\nway" })] },
      { operationCount: 6, operations: finished },
    ];
    const snapshot = {
      sequence: 7,
      paused: { git: true, llm: false },
      holds: [{ kind: "llm", reason: "no-key" }],
      git: {
        ...none,
        queued: [toldCommit("queued", { label: "Fix\n\u001b[2Jit" })],
        queuedCount: 1,
        executing,
        executed,
      },
      llm: none,
    };
    await terminal.answering({ state: snapshot });
    const { out } = await terminal.run("state");
    assert.deepEqual(out.split("\n"), [
      "git  1 queued, 0 pending, 3 executing, paused",
      "  succeeded  commit  op-5  Step 5",
      "  succeeded  commit  op-6  Step 6",
      "  succeeded  commit  op-7  Step 7",
      "  succeeded  commit  op-8  Step 8",
      "  failed  commit  op-9  no way",
      "  executing  commit  op-2  Fix it",
      "  queued  commit  op-1  Fix it",
      "llm  0 queued, 0 pending, 0 executing",
      "held  llm  no-key",
      "",
    ]);
    assert.deepEqual(JSON.parse((await terminal.run("state", "--json")).out), snapshot);
  });

  it("ends with 1 and the window's words where that refuses", async () => {
    await terminal.answering({ enqueueGit: new InputError("files", "src/a.ts has no changes") });
    const plain = await terminal.run("commit", "-m", "x", "src/a.ts");
    assert.deepEqual(plain, { code: 1, out: "", err: "files: src/a.ts has no changes\n" });
    const { code, out, err } = await terminal.run("commit", "-m", "x", "src/a.ts", "--json");
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
    const closed = await terminal.run("state");
    assert.deepEqual([closed.code, closed.out], [1, ""]);
    assert.match(closed.err, /^No trusted window with Batch Control is open\./);
    await terminal.answering({ state: { other: true } });
    const strange = await terminal.run("state");
    assert.equal(strange.code, 1);
    assert.match(strange.err, /is not understood/);
  });

  it("ends with 2 and the usage where the command line is wrong", async () => {
    const window = await terminal.answering({});
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
      [["ask", "--model", "m", "--max-tokens", "2147483648", "Why?"], /up to 2147483647/],
      [["help", "comit"], /no command "comit"/],
      [["flush", "all"], /no "all"/],
      [["wait"], /the id/],
      [["state", "op-1"], /"op-1" is more/],
    ];
    for (const [args, message] of wrong) {
      const { code, out, err } = await terminal.run(...args);
      assert.deepEqual([code, out], [2, ""], args.join(" "));
      assert.match(err, message);
      assert.match(err, /^Usage: batch-control /m);
    }
    assert.deepEqual(window.calls, []);
  }).timeout(20_000);

  it("helps, and tells its version", async () => {
    const all = await terminal.run("--help");
    assert.deepEqual(await terminal.run("help"), all);
    assert.deepEqual(await terminal.run("help", "push"), await terminal.run("push", "--help"));
    for (const name of ["commit", "push", "merge", "ask", "flush", "state", "wait"]) {
      assert.match(all.out, new RegExp(`^  batch-control ${name}\\b`, "m"));
      const one = await terminal.run(name, "--help");
      assert.deepEqual([one.code, one.err], [0, ""]);
      assert.match(one.out, new RegExp(`^Usage: batch-control ${name}\\b[^]*--json`));
    }
    const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as Answers;
    assert.deepEqual(await terminal.run("--version"), { code: 0, out: `${version as string}\n`, err: "" });
  }).timeout(20_000);
});
