import assert from "node:assert/strict";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

for (const engine of ["fast", "porcelain"] as const) {
  describe(`git: commits, ${engine}`, function () {
    this.timeout(60_000);
    let sandbox: Sandbox;
    let desk: Desk;
    beforeEach(() => {
      sandbox = new Sandbox();
      desk = new Desk(sandbox);
    });
    afterEach(() => sandbox.dispose());

    const repository = (files: Readonly<Record<string, string>>): string => {
      const path = sandbox.repository("clone", files);
      // A hook that does nothing asks for `git commit`.
      if (engine === "porcelain") sandbox.hook(path, "post-commit", "exit 0");
      return path;
    };
    const commit = async (
      worktree: string,
      files?: readonly string[],
      message = "change",
    ): Promise<string> => {
      const id = await desk.enqueue({ worktree, message, ...(files ? { files: [...files] } : {}) });
      await desk.flush();
      assert.equal(desk.result(id).error, undefined);
      assert.equal(desk.detail(id)["engine"], engine);
      return id;
    };
    const raw = (worktree: string): readonly string[] =>
      sandbox
        .git(worktree, "diff-tree", "-r", "-z", "--no-commit-id", "--name-status", "-M", "HEAD~1", "HEAD")
        .split("\0")
        .filter((part) => part !== "");

    it("hides no change that was made in the second in which the index was written", async () => {
      const worktree = repository({ "a.txt": "1\n", "b.txt": "1\n" });
      sandbox.git(worktree, "config", "core.trustctime", "false");
      const second = 1_700_000_000;
      utimesSync(join(worktree, "b.txt"), second, second);
      sandbox.git(worktree, "update-index", "--refresh");
      writeFileSync(join(worktree, "b.txt"), "2\n");
      utimesSync(join(worktree, "b.txt"), second, second);
      utimesSync(join(worktree, ".git/index"), second, second);
      sandbox.write(join(worktree, "a.txt"), "2\n");
      await commit(worktree, ["a.txt"]);
      assert.equal(sandbox.status(worktree), " M b.txt\n");
    });

    it("keeps what somebody staged for a path after it was queued", async () => {
      const worktree = repository({ "a.txt": "1\n" });
      sandbox.write(join(worktree, "a.txt"), "queued\n");
      const id = await desk.enqueue({ worktree, message: "a", files: ["a.txt"] });
      sandbox.write(join(worktree, "a.txt"), "staged later\n");
      sandbox.git(worktree, "add", "a.txt");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "queued\n");
      assert.equal(sandbox.git(worktree, "show", ":a.txt"), "staged later\n");
    });

    it("fails with nothing to commit, unless an empty commit was asked for", async () => {
      const worktree = repository({ "a.txt": "1\n" });
      const nothing = await desk.enqueue({ worktree, message: "nothing", files: ["a.txt"] });
      const empty = await desk.enqueue({ worktree, message: "empty", allowEmpty: true });
      await desk.flush();
      assert.deepEqual(desk.ends([nothing, empty]), ["nothing-to-commit", "succeeded"]);
      assert.equal(desk.result(nothing).error, "nothing to commit");
      assert.deepEqual(sandbox.git(worktree, "log", "--format=%s").trim().split("\n"), ["empty", "first"]);
    });

    it("takes what is staged where no files are named, and clears it from the index", async () => {
      const worktree = repository({ "a.txt": "1\n", "b.txt": "1\n" });
      sandbox.write(join(worktree, "a.txt"), "staged\n");
      sandbox.write(join(worktree, "new.txt"), "staged\n");
      sandbox.git(worktree, "add", "-A");
      sandbox.write(join(worktree, "a.txt"), "unstaged\n");
      sandbox.write(join(worktree, "b.txt"), "unstaged\n");
      await commit(worktree);
      assert.deepEqual(raw(worktree), ["M", "a.txt", "A", "new.txt"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "staged\n");
      assert.equal(sandbox.status(worktree), " M a.txt\n M b.txt\n");
    });

    it("applies clean filters and line endings as git commit does", async () => {
      const worktree = repository({
        ".gitattributes": "*.txt text eol=crlf\n*.up filter=up\n",
        "a.txt": "1\n",
      });
      sandbox.git(worktree, "config", "filter.up.clean", "tr a-z A-Z");
      sandbox.write(join(worktree, "a.txt"), "1\r\n2\r\n");
      sandbox.write(join(worktree, "b.up"), "loud\n");
      await commit(worktree, ["a.txt", "b.up"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "1\n2\n");
      assert.equal(sandbox.git(worktree, "show", "HEAD:b.up"), "LOUD\n");
      assert.equal(sandbox.status(worktree), "");
    });

    it("normalizes line ends only where git add would: not in files that have CRLF in the index or in a queued commit", async () => {
      const worktree = repository({ "crlf.txt": "1\r\n", "lf.txt": "1\n" });
      sandbox.write(join(worktree, ".gitattributes"), "* text=auto\n");
      for (const file of ["crlf.txt", "lf.txt"]) sandbox.write(join(worktree, file), "1\r\n2\r\n");
      await commit(worktree, ["crlf.txt", "lf.txt"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:crlf.txt"), "1\r\n2\r\n");
      assert.equal(sandbox.git(worktree, "show", "HEAD:lf.txt"), "1\n2\n");
      for (const content of ["3\n", "3\r\n4\r\n"]) {
        sandbox.write(join(worktree, "crlf.txt"), content);
        await desk.enqueue({ worktree, message: content, files: ["crlf.txt"] });
      }
      await desk.flush();
      assert.equal(sandbox.git(worktree, "show", "HEAD:crlf.txt"), "3\n4\n");
    });

    it("makes the first commit of an empty repository", async () => {
      const worktree = sandbox.path("empty");
      mkdirSync(worktree);
      sandbox.git(worktree, "init", "-q", "-b", "main");
      if (engine === "porcelain") sandbox.hook(worktree, "post-commit", "exit 0");
      sandbox.write(join(worktree, "a.txt"), "1\n");
      sandbox.write(join(worktree, "other.txt"), "1\n");
      sandbox.git(worktree, "add", "other.txt");
      await commit(worktree, ["a.txt"]);
      assert.equal(sandbox.git(worktree, "ls-tree", "-r", "--name-only", "HEAD"), "a.txt\n");
      assert.equal(sandbox.status(worktree), "A  other.txt\n");
    });

    it("cleans messages as configured", async () => {
      const worktree = repository({ "a.txt": "1\n" });
      const message = "\n\nsubject  \n\n\n# kept\nbody\t\n\n";
      sandbox.write(join(worktree, "a.txt"), "2\n");
      await commit(worktree, ["a.txt"], message);
      assert.equal(sandbox.git(worktree, "log", "-1", "--format=%B"), "subject\n\n# kept\nbody\n\n");
      sandbox.git(worktree, "config", "commit.cleanup", "strip");
      sandbox.write(join(worktree, "a.txt"), "3\n");
      await commit(worktree, ["a.txt"], message);
      assert.equal(sandbox.git(worktree, "log", "-1", "--format=%B"), "subject\n\nbody\n\n");
    });
  });
}
