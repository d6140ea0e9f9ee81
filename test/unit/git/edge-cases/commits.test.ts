import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Product } from "../../../support/git/product.ts";
import type { Surprises } from "../../../support/git/plan-check.ts";
import { Sandbox } from "../sandbox.ts";

for (const engine of ["fast", "porcelain"] as const) {
  describe(`git edge cases: commits, ${engine}`, function () {
    this.timeout(60_000);
    let sandbox: Sandbox;
    let product: Product;
    beforeEach(async () => {
      sandbox = new Sandbox();
      product = await Product.open(sandbox);
    });
    afterEach(async () => {
      await product.close();
      sandbox.dispose();
    });

    const repository = (files: Readonly<Record<string, string>>): string => {
      const path = sandbox.repository("clone", files);
      // A hook that does nothing asks for `git commit`.
      if (engine === "porcelain") sandbox.hook(path, "post-commit", "exit 0");
      return path;
    };
    const commit = async (
      worktree: string,
      files: readonly string[],
      surprises: Surprises = {},
    ): Promise<void> => {
      const id = await product.enqueue({ worktree, message: "change", files: [...files] });
      const [plan] = await product.flush(surprises);
      assert.equal(plan?.commits[0]?.engine, engine);
      assert.deepEqual(product.ends([id]), ["succeeded"]);
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
        ...["*", "-dash.txt", "--all", ":(top)x.txt", ":!keep.txt", "[x].txt", "sp ace.txt", "new\nline"],
        ...["ü.txt", '"quoted"', "back\\slash", " lead", "trail "],
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
      const id = await product.enqueue({ worktree, message: "change" });
      await product.flush();
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      const args = ["diff-tree", "-r", "-z", "--no-commit-id", "--name-only", "HEAD"];
      assert.deepEqual(sandbox.gitBytes(worktree, ...args), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0]));
      assert.equal(sandbox.status(worktree), "");
    });

    it("keeps modes, links, deletions and renames in one commit", async () => {
      const worktree = repository({
        "gone.txt": "1\n",
        "old.txt": "renamed and long enough to be found\n",
        "tool.sh": "#!/bin/sh\n",
      });
      unlinkSync(join(worktree, "gone.txt"));
      renameSync(join(worktree, "old.txt"), join(worktree, "new.txt"));
      chmodSync(join(worktree, "tool.sh"), 0o755);
      writeFileSync(join(worktree, "run"), "#!/bin/sh\nexit\n", { mode: 0o755 });
      symlinkSync("new.txt", join(worktree, "link"));
      writeFileSync(join(worktree, "data.bin"), Buffer.from([0, 255, 10, 13, 0]));
      await commit(worktree, ["gone.txt", "old.txt", "new.txt", "tool.sh", "run", "link", "data.bin"]);
      assert.deepEqual(raw(worktree), [
        ...["A", "data.bin", "D", "gone.txt", "A", "link", "R100", "old.txt", "new.txt"],
        ...["A", "run", "M", "tool.sh"],
      ]);
      const modes = sandbox.git(worktree, "ls-tree", "HEAD", "--format=%(objectmode) %(path)");
      assert.deepEqual(modes.trim().split("\n"), [
        ...["100644 data.bin", "120000 link", "100644 new.txt", "100755 run", "100755 tool.sh"],
      ]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:link"), "new.txt");
      assert.deepEqual(sandbox.gitBytes(worktree, "show", "HEAD:data.bin"), Buffer.from([0, 255, 10, 13, 0]));
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
      const args = ["diff-tree", "-r", "--no-renames", "--no-commit-id", "--name-status", "HEAD"];
      assert.equal(sandbox.git(worktree, ...args), "A\td\nD\td/x\nD\tf\nA\tf/in\n");
      assert.equal(sandbox.status(worktree), "");
    });

    it("does not turn a file that a sparse checkout leaves out into a deletion", async () => {
      const worktree = repository({ "in/a.txt": "1\n", "out/b.txt": "1\n" });
      sandbox.git(worktree, "sparse-checkout", "set", "in");
      assert.equal(sandbox.exists(join(worktree, "out")), false);
      sandbox.write(join(worktree, "in/a.txt"), "2\n");
      await assert.rejects(
        product.enqueue({ worktree, message: "m", files: ["in/a.txt", "out/b.txt"] }),
        /out\/b\.txt is left out by the sparse checkout; include it first/,
      );
      await commit(worktree, ["in/a.txt"]);
      assert.deepEqual(raw(worktree), ["M", "in/a.txt"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD:out/b.txt"), "1\n");
      assert.equal(sandbox.status(worktree), "");
    });

    it("commits the content as it was when queued, twice for one file", async () => {
      const worktree = repository({ "a.txt": "1\n" });
      const ids: string[] = [];
      for (const content of ["2\n", "3\n"]) {
        sandbox.write(join(worktree, "a.txt"), content);
        ids.push(await product.enqueue({ worktree, message: content.trim(), files: ["a.txt"] }));
      }
      sandbox.write(join(worktree, "a.txt"), "4\n");
      sandbox.git(worktree, "gc", "-q", "--prune=now");
      await product.flush();
      assert.deepEqual(product.ends(ids), ["succeeded", "succeeded"]);
      assert.equal(sandbox.git(worktree, "show", "HEAD~1:a.txt"), "2\n");
      assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "3\n");
      assert.equal(sandbox.read(join(worktree, "a.txt")), "4\n");
      assert.equal(sandbox.status(worktree), " M a.txt\n");
    });

    it("reverts nobody: a path that changed on the branch since fails, other paths go on top", async () => {
      const worktree = repository({ "a.txt": "1\n", "b.txt": "1\n" });
      sandbox.write(join(worktree, "a.txt"), "mine\n");
      sandbox.write(join(worktree, "b.txt"), "mine\n");
      const ids = await product.enqueueAll(
        { worktree, message: "a", files: ["a.txt"] },
        { worktree, message: "b", files: ["b.txt"] },
      );
      sandbox.write(join(worktree, "a.txt"), "theirs\n");
      sandbox.git(worktree, "commit", "-q", "--no-verify", "-m", "theirs", "a.txt");
      await product.flush();
      assert.equal(
        product.result(ids[0]!).error,
        "a.txt changed on main since it was queued; queue it again from the worktree",
      );
      assert.deepEqual(product.ends(ids), ["changed", "succeeded"]);
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
      await product.close();
      product = await Product.open(sandbox, { binary: wrapper });
      sandbox.write(join(worktree, "a.txt"), "mine\n");
      const id = await product.enqueue({ worktree, message: "mine", files: ["a.txt"] });
      sandbox.write(once, "");
      await product.flush({ movedByOthers: ["main"] });
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.equal(sandbox.git(worktree, "log", "--format=%s"), "mine\ntheirs\nfirst\n");
      assert.equal(sandbox.git(worktree, "show", "HEAD:b.txt"), "theirs\n");
      assert.equal(sandbox.status(worktree), "");
    });
  });
}
