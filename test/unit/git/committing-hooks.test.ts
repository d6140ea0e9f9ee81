import assert from "node:assert/strict";
import { join } from "node:path";
import { FencedError } from "../../../src/core/errors.ts";
import { undoBatch } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

const once = '[ -n "$INNER" ] && exit 0; INNER=1; export INNER';
const bump = "echo v >> version.txt; git add version.txt; git commit -q -m bump";

describe("git: hooks that commit themselves", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let worktree: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    worktree = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
  });
  afterEach(() => sandbox.dispose());
  const queue = (message: string, file: string): Promise<string> => {
    sandbox.write(join(worktree, file), `${message}\n`);
    return desk.enqueue({ worktree, message, files: [file] });
  };
  const log = (): string => sandbox.git(worktree, "log", "--format=%s");
  const subjectOf = (id: string): string =>
    sandbox.git(worktree, "log", "-1", "--format=%s", desk.result(id).commit ?? "").trim();

  for (const [how, unset] of [
    ["", ""],
    [", without our mark in the reflog", "unset GIT_REFLOG_ACTION; "],
  ] as const) {
    it(`a second commit of a post-commit hook stays, and so does ours${how}`, async () => {
      sandbox.hook(worktree, "post-commit", `${once}; ${unset}${bump}`);
      const ids = [await queue("one", "a.txt"), await queue("two", "b.txt")];
      await desk.flush();
      assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
      assert.equal(log(), "bump\ntwo\nbump\none\nfirst\n");
      assert.deepEqual(ids.map(subjectOf), ["one", "two"]);
      assert.equal(sandbox.status(worktree), "");
    });

    it(`a post-commit hook that amends has the last word on our commit${how}`, async () => {
      sandbox.hook(
        worktree,
        "post-commit",
        `${once}; ${unset}echo g > gen.txt; git add gen.txt; git commit -q --amend --no-edit`,
      );
      const id = await queue("one", "a.txt");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(desk.result(id).commit, sandbox.tip(worktree, "main"));
      assert.equal(log(), "one\nfirst\n");
      assert.equal(sandbox.status(worktree), "");
    });
  }

  it("a post-commit hook that takes our commit away: it failed, and the next one goes in", async () => {
    sandbox.hook(
      worktree,
      "post-commit",
      "git log -1 --format=%s | grep -q one && git reset -q --soft HEAD~1",
    );
    const ids = [await queue("one", "a.txt"), await queue("two", "b.txt")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["moved", "succeeded"]);
    assert.match(desk.result(ids[0]!).error ?? "", /main does not have the commit; a hook may have taken it/);
    assert.equal(log(), "two\nfirst\n");
  });

  it("where something else is staged, the second commit is in the index too and the staged change stays", async () => {
    sandbox.hook(worktree, "post-commit", `${once}; ${bump}`);
    sandbox.write(join(worktree, "staged.txt"), "s\n");
    sandbox.git(worktree, "add", "staged.txt");
    const id = await queue("one", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.status(worktree), "A  staged.txt\n");
  });

  it("a commit of a pre-commit hook is never taken for ours", async () => {
    sandbox.hook(
      worktree,
      "pre-commit",
      `${once}; unset GIT_INDEX_FILE; git commit -q --allow-empty -m sneaky`,
    );
    const id = await queue("one", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["moved"]);
    assert.match(desk.result(id).error ?? "", /main moved while git commit ran/);
    assert.equal(log(), "sneaky\nfirst\n");
    assert.equal(sandbox.status(worktree), " M a.txt\n");
    sandbox.hook(worktree, "pre-commit", "exit 0");
    const again = await queue("again", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([again]), ["succeeded"]);
    assert.equal(log(), "again\nsneaky\nfirst\n");
  });

  /** A window that dies when the commit is made, before it has written so. */
  async function dieAfterCommit(): Promise<void> {
    const batch = desk.seal([...desk.operations.values()].filter(({ status }) => status === "queued"));
    const context = desk.context(batch, new AbortController().signal);
    await desk.executor.run(batch, { ...context, outcome: () => Promise.reject(new FencedError("test")) });
    await desk.execute(batch);
  }

  it("after a crash the second commit stays and ours is found", async () => {
    sandbox.hook(worktree, "post-commit", `${once}; ${bump}`);
    const id = await queue("one", "a.txt");
    await dieAfterCommit();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(desk.detail(id)["recovered"], true);
    assert.equal(subjectOf(id), "one");
    assert.equal(log(), "bump\none\nfirst\n");
    assert.equal(sandbox.status(worktree), "");
  });

  it("after a crash ours is found where a hook wrote a message of its own", async () => {
    sandbox.hook(worktree, "commit-msg", 'echo "Other words" > "$1"');
    const input = { worktree, message: "one", files: ["a.txt"], allowEmpty: true };
    sandbox.write(join(worktree, "a.txt"), "2\n");
    const id = await desk.enqueue(input);
    await dieAfterCommit();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(log(), "Other words\nfirst\n");
  });

  it("undo takes out what a hook committed between two of ours", async () => {
    sandbox.hook(worktree, "post-commit", `${once}; test -e version.txt && exit 0; ${bump}`);
    const ids = [await queue("one", "a.txt"), await queue("two", "b.txt")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
    assert.equal(log(), "two\nbump\none\nfirst\n");
    const report = await undoBatch(desk.git, join(worktree, ".git"), "batch-1");
    assert.deepEqual(report, { restored: ["refs/heads/main"], left: [] });
    assert.equal(log(), "first\n");
    assert.equal(sandbox.status(worktree), " M a.txt\n M b.txt\n?? version.txt\n");
  });

  it("undo leaves a branch on whose end a hook committed, and says so", async () => {
    sandbox.hook(worktree, "post-commit", `${once}; ${bump}`);
    await queue("one", "a.txt");
    await desk.flush();
    const tip = sandbox.tip(worktree, "main");
    const report = await undoBatch(desk.git, join(worktree, ".git"), "batch-1");
    assert.deepEqual(report.restored, []);
    assert.deepEqual(
      report.left.map(({ ref }) => ref),
      ["refs/heads/main"],
    );
    assert.equal(sandbox.tip(worktree, "main"), tip);
  });

  it("after a crash a pre-commit hook's commit is neither taken for ours nor taken back", async () => {
    sandbox.hook(
      worktree,
      "pre-commit",
      `test -e .git/sneaked && exit 0; touch .git/sneaked; unset GIT_INDEX_FILE; git commit -q --allow-empty -m sneaky`,
    );
    const id = await queue("one", "a.txt");
    await dieAfterCommit();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(subjectOf(id), "one");
    assert.equal(log(), "one\nsneaky\nfirst\n");
  });

  it("a pre-commit hook's commit of a part of what is asked for is never taken for ours", async () => {
    sandbox.hook(worktree, "pre-commit", `${once}; git commit -q --no-verify -m bump b.txt`);
    for (const file of ["a.txt", "b.txt"]) sandbox.write(join(worktree, file), "2\n");
    const id = await desk.enqueue({ worktree, message: "one", files: ["a.txt", "b.txt"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["moved"]);
    assert.equal(log(), "bump\nfirst\n");
    assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "1\n");
  });

  it("a message that begins with an empty line and is kept as it is makes one commit", async () => {
    sandbox.git(worktree, "config", "commit.cleanup", "verbatim");
    sandbox.hook(worktree, "pre-commit", "exit 0");
    const id = await desk.enqueue({ worktree, message: "\nRelease\n", files: ["a.txt"], allowEmpty: true });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(desk.result(id).commit, sandbox.tip(worktree, "main"));
  });
});
