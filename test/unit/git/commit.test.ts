import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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

    it("leaves what else is staged, and files that are not named, as they are", async () => {
      const worktree = repository({ "keep.txt": "1\n", "mod.txt": "1\n", noise: "1\n" });
      for (const file of ["keep.txt", "noise", "mod.txt"]) sandbox.write(join(worktree, file), "2\n");
      sandbox.git(worktree, "add", "keep.txt", "noise");
      sandbox.write(join(worktree, "noise"), "3\n");
      await commit(worktree, ["mod.txt"]);
      assert.deepEqual(raw(worktree), ["M", "mod.txt"]);
      assert.equal(sandbox.status(worktree), "M  keep.txt\nMM noise\n");
      assert.equal(sandbox.git(worktree, "show", ":noise"), "2\n");
    });

    it("takes hostile file names literally", async () => {
      const names = [
        "*",
        "-dash.txt",
        "--all",
        ":(top)x.txt",
        ":!keep.txt",
        "[x].txt",
        "sp ace.txt",
        "new\nline",
        "ü.txt",
        '"quoted"',
        "back\\slash",
        " lead",
        "trail ",
      ];
      const worktree = repository({ "abc.txt": "1\n", "keep.txt": "1\n" });
      for (const name of [...names, "abc.txt", "keep.txt", "x.txt"])
        writeFileSync(join(worktree, name), "new\n");
      await commit(worktree, names);
      assert.deepEqual(
        raw(worktree)
          .filter((_, index) => index % 2 === 1)
          .sort(),
        [...names].sort(),
      );
      assert.equal(
        sandbox.git(worktree, "status", "--porcelain", "-z"),
        " M abc.txt\0 M keep.txt\0?? x.txt\0",
      );
    });

    it("commits staged names that are not UTF-8", async () => {
      const worktree = repository({ "a.txt": "1\n" });
      writeFileSync(Buffer.concat([Buffer.from(`${worktree}/caf`), Buffer.from([0xe9])]), "x\n");
      sandbox.git(worktree, "add", "-A");
      await commit(worktree);
      const names = sandbox.gitBytes(
        worktree,
        "diff-tree",
        "-r",
        "-z",
        "--no-commit-id",
        "--name-only",
        "HEAD",
      );
      assert.deepEqual(names, Buffer.from([0x63, 0x61, 0x66, 0xe9, 0]));
      assert.equal(sandbox.status(worktree), "");
    });

    it("keeps modes, links, deletions and renames", async () => {
      const worktree = repository({
        "gone.txt": "1\n",
        "old.txt": "renamed and long enough to be found\n",
        "tool.sh": "#!/bin/sh\n",
      });
      unlinkSync(join(worktree, "gone.txt"));
      renameSync(join(worktree, "old.txt"), join(worktree, "new.txt"));
      chmodSync(join(worktree, "tool.sh"), 0o755);
      symlinkSync("new.txt", join(worktree, "link"));
      writeFileSync(join(worktree, "data.bin"), Buffer.from([0, 255, 10, 13, 0]));
      await commit(worktree, ["gone.txt", "old.txt", "new.txt", "tool.sh", "link", "data.bin"]);
      assert.deepEqual(raw(worktree), [
        "A",
        "data.bin",
        "D",
        "gone.txt",
        "A",
        "link",
        "R100",
        "old.txt",
        "new.txt",
        "M",
        "tool.sh",
      ]);
      const modes = sandbox
        .git(worktree, "ls-tree", "HEAD", "--format=%(objectmode) %(path)")
        .trim()
        .split("\n");
      assert.deepEqual(modes, ["100644 data.bin", "120000 link", "100644 new.txt", "100755 tool.sh"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:link"), "new.txt");
      assert.equal(sandbox.status(worktree), "");
    });

    it("follows a file that became a folder and a folder that became a file", async () => {
      const worktree = repository({ f: "1\n", "d/x": "1\n" });
      unlinkSync(join(worktree, "f"));
      rmSync(join(worktree, "d"), { recursive: true });
      mkdirSync(join(worktree, "f"));
      writeFileSync(join(worktree, "f/in"), "2\n");
      writeFileSync(join(worktree, "d"), "2\n");
      await commit(worktree, ["f", "f/in", "d", "d/x"]);
      assert.deepEqual(sandbox.git(worktree, "ls-tree", "-r", "--name-only", "HEAD").trim().split("\n"), [
        "d",
        "f/in",
      ]);
      assert.equal(sandbox.status(worktree), "");
    });

    it("commits the content as it was when queued, twice for one file", async () => {
      const worktree = repository({ "a.txt": "1\n" });
      const ids: string[] = [];
      for (const content of ["2\n", "3\n"]) {
        sandbox.write(join(worktree, "a.txt"), content);
        ids.push(await desk.enqueue({ worktree, message: content.trim(), files: ["a.txt"] }));
      }
      sandbox.write(join(worktree, "a.txt"), "4\n");
      sandbox.git(worktree, "gc", "-q", "--prune=now");
      await desk.flush();
      assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD~1:a.txt"), "2\n");
      assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "3\n");
      assert.equal(sandbox.read(join(worktree, "a.txt")), "4\n");
      assert.equal(sandbox.status(worktree), " M a.txt\n");
    });

    it("reverts nobody: a path that changed on the branch since fails, other paths go on", async () => {
      const worktree = repository({ "a.txt": "1\n", "b.txt": "1\n" });
      sandbox.write(join(worktree, "a.txt"), "mine\n");
      sandbox.write(join(worktree, "b.txt"), "mine\n");
      const a = await desk.enqueue({ worktree, message: "a", files: ["a.txt"] });
      const b = await desk.enqueue({ worktree, message: "b", files: ["b.txt"] });
      sandbox.write(join(worktree, "a.txt"), "theirs\n");
      sandbox.git(worktree, "commit", "-q", "-m", "theirs", "a.txt");
      await desk.flush();
      assert.equal(
        desk.result(a).error,
        "a.txt changed on main since it was queued; queue it again from the worktree",
      );
      assert.deepEqual(desk.ends([a, b]), ["changed", "succeeded"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "theirs\n");
      assert.equal(sandbox.git(worktree, "show", "HEAD:b.txt"), "mine\n");
      assert.equal(sandbox.status(worktree), "");
    });

    it("goes onto what another process commits in the very moment", async () => {
      const worktree = repository({ "a.txt": "1\n", "b.txt": "1\n" });
      const wrapper = sandbox.path("git");
      const once = sandbox.path("once");
      const moment = engine === "fast" ? "update-ref" : "commit --no-status";
      const theirs = `(unset GIT_INDEX_FILE; cd '${worktree}'; echo theirs > b.txt; git commit -q --no-verify -m theirs b.txt)`;
      sandbox.write(
        wrapper,
        `#!/bin/sh\ncase "$*" in *'${moment}'*) if [ -e '${once}' ]; then rm '${once}'; ${theirs}; fi;; esac\nexec git "$@"\n`,
      );
      sandbox.makeExecutable(wrapper);
      const racing = new Desk(sandbox, {}, {}, wrapper);
      sandbox.write(join(worktree, "a.txt"), "mine\n");
      const id = await racing.enqueue({ worktree, message: "mine", files: ["a.txt"] });
      sandbox.write(once, "");
      await racing.flush();
      assert.deepEqual(racing.ends([id]), ["succeeded"]);
      assert.equal(sandbox.git(worktree, "log", "--format=%s"), "mine\ntheirs\nfirst\n");
      assert.equal(sandbox.git(worktree, "show", "HEAD:b.txt"), "theirs\n");
      assert.equal(sandbox.status(worktree), "");
    });

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

    it("does not turn a file that a sparse checkout leaves out into a deletion", async () => {
      const worktree = repository({ "in/a.txt": "1\n", "out/b.txt": "1\n" });
      sandbox.git(worktree, "sparse-checkout", "set", "in");
      assert.equal(lstatSync(join(worktree, "out"), { throwIfNoEntry: false }), undefined);
      sandbox.write(join(worktree, "in/a.txt"), "2\n");
      await assert.rejects(
        desk.enqueue({ worktree, message: "m", files: ["out/b.txt"] }),
        /out\/b\.txt is left out by the sparse checkout/,
      );
      await commit(worktree, ["in/a.txt"]);
      assert.deepEqual(raw(worktree), ["M", "in/a.txt"]);
      assert.equal(sandbox.status(worktree), "");
    });
  });
}
