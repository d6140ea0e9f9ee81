import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import type { GitInput } from "../../../src/core/schema/inputs.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: refusals when queued", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let worktree: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    worktree = sandbox.repository("clone", {
      "a.txt": "1\n",
      "dir/b.txt": "1\n",
      ".gitignore": "*.log\nforced.txt\n",
    });
  });
  afterEach(() => sandbox.dispose());

  const refused = async (input: GitInput, field: string, message: RegExp): Promise<void> => {
    const refs = sandbox.git(worktree, "for-each-ref");
    await assert.rejects(desk.enqueue(input), (error: unknown) => {
      assert.ok(error instanceof InputError, String(error));
      assert.equal(error.field, field);
      assert.match(error.message, message);
      return true;
    });
    assert.equal(sandbox.git(worktree, "for-each-ref"), refs);
  };

  it("takes a tracked file that an ignore rule matches, a sub-folder as worktree, an absolute path inside", async () => {
    sandbox.write(join(worktree, "forced.txt"), "1\n");
    sandbox.git(worktree, "add", "-f", "forced.txt");
    sandbox.git(worktree, "commit", "-q", "-m", "forced");
    sandbox.write(join(worktree, "forced.txt"), "2\n");
    sandbox.write(join(worktree, "dir/b.txt"), "2\n");
    const id = await desk.enqueue({
      worktree: join(worktree, "dir"),
      message: "m",
      files: ["forced.txt", join(worktree, "dir/b.txt")],
    });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(
      sandbox.git(worktree, "show", "--name-only", "--format=", "HEAD"),
      "dir/b.txt\nforced.txt\n",
    );
  });

  it("one bad input of several takes no other with it", async () => {
    sandbox.write(join(worktree, "a.txt"), "2\n");
    const [good, bad] = await Promise.allSettled([
      desk.enqueue({ worktree, message: "good", files: ["a.txt"] }),
      desk.enqueue({ worktree, message: "bad", files: ["missing.txt"] }),
    ]);
    assert.equal(good.status, "fulfilled");
    assert.equal(bad.status, "rejected");
  });

  it("says what is wrong with the worktree", async () => {
    await refused({ worktree: "relative", message: "m" }, "worktree", /is not an absolute path/);
    await refused({ worktree: sandbox.path("nowhere"), message: "m" }, "worktree", /does not exist/);
    await refused({ worktree: sandbox.root, message: "m" }, "worktree", /is not in a git repository/);
    await refused(
      { worktree: join(worktree, ".git"), message: "m" },
      "worktree",
      /bare repository or inside \.git/,
    );
    await refused({ worktree, message: "  " }, "message", /is empty/);
    sandbox.git(worktree, "checkout", "-q", "--detach");
    await refused({ worktree, message: "m" }, "branch", /has a detached HEAD/);
    await refused({ worktree }, "branch", /has a detached HEAD/);
  });

  it("refuses messages that git could not keep as they are", async () => {
    sandbox.git(worktree, "branch", "topic");
    sandbox.write(join(worktree, "a.txt"), "2\n");
    for (const input of [
      { worktree, files: ["a.txt"] },
      { worktree, source: "topic", target: "main" },
    ]) {
      await refused({ ...input, message: "" }, "message", /is empty; write a (commit|merge) message/);
      await refused({ ...input, message: " \n\t" }, "message", /is empty/);
      await refused({ ...input, message: "a\0b" }, "message", /contains a NUL character/);
      await refused({ ...input, message: "a\ud800b" }, "message", /half of a surrogate pair/);
    }
    await refused({ worktree, files: ["a\udc00.txt"], message: "m" }, "files.0", /half of a surrogate pair/);
    const id = await desk.enqueue({ worktree, files: ["a.txt"], message: "two halves: \ud83d\ude80" });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(worktree, "log", "-1", "--format=%s"), "two halves: 🚀\n");
  });

  it("refuses a commit of what is staged where nothing is, unless it may be empty", async () => {
    sandbox.write(join(worktree, "a.txt"), "2\n");
    const nothing = /nothing is staged in .*: name files or stage some/;
    await refused({ worktree, message: "m" }, "files", nothing);
    const empty = await desk.enqueue({ worktree, message: "empty", allowEmpty: true });
    sandbox.git(worktree, "add", "a.txt");
    const staged = await desk.enqueue({ worktree, message: "staged" });
    await desk.flush();
    assert.deepEqual(desk.ends([empty, staged]), ["succeeded", "succeeded"]);
    assert.equal(sandbox.git(worktree, "show", "--name-only", "--format=%s"), "staged\n\na.txt\n");
    await refused({ worktree, message: "m" }, "files", nothing);
  });

  it("names the branches, tags and remotes that there are", async () => {
    sandbox.git(worktree, "branch", "other");
    await refused(
      { worktree, branch: "nope" },
      "branch",
      /there is no branch nope; there are main and other/,
    );
    await refused({ worktree, source: "nope", target: "main" }, "source", /there is no branch nope/);
    await refused({ worktree, source: "main", target: "main" }, "source", /is the target itself/);
    await refused({ worktree }, "remote", / main has no remote to go to; add one with git remote add$/);
    sandbox.remote(worktree);
    await refused({ worktree, remote: "third" }, "remote", /there is no remote third; there is only origin$/);
    sandbox.remote(worktree, "second.git", "second");
    await refused(
      { worktree },
      "remote",
      /could go to several remotes; name one; there are origin and second/,
    );
    await refused(
      { worktree, remote: "third" },
      "remote",
      /there is no remote third; there are origin and second/,
    );
    await refused(
      { worktree, remote: "origin", tags: ["v1"] },
      "tags.0",
      /there is no tag v1; there are none/,
    );
  });

  it("refuses protected branches from code and names the setting", async () => {
    sandbox.remote(worktree);
    sandbox.git(worktree, "branch", "release/1");
    sandbox.git(worktree, "branch", "free");
    desk.settings = { ...desk.settings, protectedBranches: ["main", "release/*"] };
    await refused(
      { worktree },
      "branch",
      /main is protected by "main" in the setting batchControl\.git\.protectedBranches/,
    );
    await refused(
      { worktree, source: "main", target: "release/1" },
      "target",
      /batchControl\.git\.protectedBranches/,
    );
    // A person is asked instead.
    const { acceptor } = desk;
    assert.deepEqual(await acceptor.protectedTarget({ worktree }), { branch: "main", glob: "main" });
    const merge = { worktree, source: "main", target: "release/1" };
    assert.deepEqual(await acceptor.protectedTarget(merge), { branch: "release/1", glob: "release/*" });
    assert.equal(await acceptor.protectedTarget({ worktree, branch: "free" }), undefined);
  });

  it("refuses code to repeat or change what would go into a protected branch, wherever the worktree is by then", async () => {
    sandbox.remote(worktree);
    for (const branch of ["release/1", "free"]) sandbox.git(worktree, "branch", branch);
    const push = desk.operations.get(await desk.enqueue({ worktree }))!;
    const merge = desk.operations.get(
      await desk.enqueue({ worktree, source: "main", target: "release/1", message: "m" }),
    )!;
    const free = desk.operations.get(await desk.enqueue({ worktree, branch: "free" }))!;
    sandbox.git(worktree, "checkout", "-q", "free");
    desk.settings = { ...desk.settings, protectedBranches: ["main", "release/*"] };
    const { acceptor } = desk;
    const code = { id: desk.newId(), source: "extension", interactive: false } as const;
    const person = { ...code, source: "person", interactive: true } as const;
    const cases = [
      [push, undefined, { branch: "main", glob: "main" }, "branch"],
      [merge, undefined, { branch: "release/1", glob: "release/*" }, "target"],
      [merge, { message: "n" }, { branch: "release/1", glob: "release/*" }, "target"],
      [free, { branch: "main" }, { branch: "main", glob: "main" }, "branch"],
    ] as const;
    for (const [operation, patch, target, field] of cases) {
      assert.deepEqual(await acceptor.protectedAgain(operation, patch), target);
      await assert.rejects(acceptor.again(operation, code, patch), (error) => {
        assert.ok(error instanceof InputError);
        assert.equal(error.field, field);
        assert.match(error.message, /batchControl\.git\.protectedBranches/);
        return true;
      });
      assert.equal((await acceptor.again(operation, person, patch)).kind, operation.kind);
    }
    assert.equal(await acceptor.protectedAgain(free), undefined);
    assert.equal((await acceptor.again(free, code)).kind, "push");
  });

  it("refuses a worktree and a branch that git holds for something else", async () => {
    const other = sandbox.worktree(worktree, "topic");
    for (const [place, content] of [
      [worktree, "main\n"],
      [other, "topic\n"],
    ] as const) {
      sandbox.write(join(place, "a.txt"), content);
      sandbox.git(place, "commit", "-q", "-am", "change");
    }
    assert.equal(sandbox.gitWorks(other, "rebase", "main"), false);
    await refused(
      { worktree: other, message: "m", branch: "topic", files: ["dir/b.txt"] },
      "worktree",
      /in the middle of a rebase/,
    );
    await refused({ worktree, source: "main", target: "topic" }, "target", /topic is held by a rebase in/);
    sandbox.git(other, "rebase", "--abort");
    assert.equal(sandbox.gitWorks(worktree, "merge", "topic"), false);
    await refused({ worktree, message: "m", files: ["dir/b.txt"] }, "worktree", /in the middle of a merge/);
  });

  it("says how to trust a repository of another user", async function () {
    if (process.getuid?.() !== 0) this.skip();
    execFileSync("chown", ["-R", "12345", worktree]);
    await assert.rejects(
      desk.enqueue({ worktree, message: "m" }),
      /git config --global --add safe\.directory/,
    );
    execFileSync("chown", ["-R", "0", worktree]);
  });

  it("refuses a commit to a branch that is checked out elsewhere", async () => {
    const other = sandbox.worktree(worktree, "topic");
    sandbox.write(join(worktree, "a.txt"), "2\n");
    await refused(
      { worktree, message: "m", branch: "topic", files: ["a.txt"] },
      "branch",
      new RegExp(`topic is checked out in ${other}`),
    );
  });

  it("does not take a folder without commits for a branch", async () => {
    const empty = sandbox.path("empty");
    mkdirSync(empty);
    sandbox.git(empty, "init", "-q", "-b", "main");
    sandbox.git(empty, "remote", "add", "origin", sandbox.path("none.git"));
    await assert.rejects(desk.enqueue({ worktree: empty }), /main has no commits yet; queue a commit first/);
  });
});
