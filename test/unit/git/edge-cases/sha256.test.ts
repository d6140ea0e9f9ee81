import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { branchWith, moveRemote, rewrite } from "../../../support/git/branches.ts";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";

for (const engine of ["fast", "porcelain"] as const) {
  describe(`git: repositories with SHA-256, ${engine}`, function () {
    this.timeout(60_000);
    let sandbox: Sandbox;
    let product: Product;
    beforeEach(async () => {
      sandbox = new Sandbox({ GIT_DEFAULT_HASH: "sha256" });
      product = await Product.open(sandbox);
    });
    afterEach(async () => {
      await product.close();
      sandbox.dispose();
    });
    const porcelain = (repository: string): void => {
      if (engine === "porcelain") sandbox.hook(repository, "post-commit", "exit 0");
    };

    it("take commits, merges, pushes with and without lease, and an undo, as the plan says", async () => {
      const main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
      porcelain(main);
      assert.equal(sandbox.tip(main, "HEAD").length, 64);
      const topic = sandbox.worktree(main, "topic");
      for (const [name, file] of [
        ["clean", "c.txt"],
        ["clash", "a.txt"],
        ["leased", "c.txt"],
      ] as const)
        branchWith(sandbox, main, name, { [file]: `${name}\n` }, "main");
      sandbox.git(main, "branch", "free");
      const remote = sandbox.remote(main);
      const before = sandbox.git(main, "for-each-ref", "refs/heads/free", "refs/heads/alone");
      rewrite(sandbox, main, "leased");
      sandbox.remove(join(topic, "b.txt"));
      const ids = [await product.enqueue({ worktree: topic, message: "only a deletion", files: ["b.txt"] })];
      sandbox.write(join(topic, "a.txt"), "2\n");
      sandbox.write(join(topic, "staged.txt"), "kept\n");
      sandbox.git(topic, "add", "staged.txt");
      ids.push(
        ...(await product.enqueueAll(
          { worktree: topic, message: "change", files: ["a.txt"] },
          { worktree: main, source: "topic", target: "main", push: true },
          { worktree: main, source: "clean", target: "main" },
          { worktree: main, source: "clash", target: "main" },
          { worktree: main, source: "clean", target: "free" },
          { worktree: topic, setUpstream: true },
          { worktree: main, branch: "leased", force: "with-lease" },
        )),
      );
      const [plan] = await product.flush();
      assert.equal(plan?.commits[0]?.engine, engine);
      assert.deepEqual(product.ends(ids), [
        ...[
          "succeeded",
          "succeeded",
          "succeeded",
          "succeeded",
          "conflict",
          "succeeded",
          "succeeded",
          "succeeded",
        ],
      ]);
      for (const branch of ["main", "topic", "leased"])
        assert.equal(sandbox.tip(remote.path, branch), sandbox.tip(main, branch));
      assert.deepEqual([sandbox.status(main), sandbox.status(topic)], ["", "A  staged.txt\n"]);
      const report = await product.engine.gitRoom.undo(product.engine.git.getExecutedBatches()[0]!);
      assert.deepEqual(report.restored, ["refs/heads/free"]);
      assert.equal(sandbox.git(main, "for-each-ref", "refs/heads/free", "refs/heads/alone"), before);
      moveRemote(sandbox, remote, "topic");
      sandbox.git(topic, "commit", "-q", "--no-verify", "--allow-empty", "--only", "-m", "more");
      const late = await product.enqueue({ worktree: topic });
      await product.flush({ ends: { [late]: "non-fast-forward" } });
    });

    it("take the first commit of an empty repository, and its undo", async () => {
      const empty = sandbox.path("empty");
      mkdirSync(empty);
      sandbox.git(empty, "init", "-q", "-b", "main");
      porcelain(empty);
      for (const file of ["a.txt", "other.txt"]) sandbox.write(join(empty, file), "1\n");
      sandbox.git(empty, "add", "other.txt");
      const id = await product.enqueue({ worktree: empty, message: "first", files: ["a.txt"] });
      await product.flush();
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.equal(sandbox.git(empty, "ls-tree", "-r", "--name-only", "HEAD"), "a.txt\n");
      assert.equal(sandbox.status(empty), "A  other.txt\n");
      assert.equal(product.result(id).refs?.[0]?.old, "0".repeat(64));
    });

    it("take deletions on top of what another process has committed, and give them back", async () => {
      const main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
      porcelain(main);
      for (const file of ["a.txt", "b.txt"]) sandbox.remove(join(main, file));
      const ids = await product.enqueueAll(
        { worktree: main, message: "without a", files: ["a.txt"] },
        { worktree: main, message: "without b", files: ["b.txt"] },
      );
      sandbox.git(main, "commit", "-q", "--no-verify", "--allow-empty", "-m", "theirs");
      await product.flush();
      assert.deepEqual(product.ends(ids), ["succeeded", "succeeded"]);
      assert.equal(sandbox.git(main, "log", "--format=%s"), "without b\nwithout a\ntheirs\nfirst\n");
      assert.equal(sandbox.status(main), "");
      const report = await product.engine.gitRoom.undo(product.engine.git.getExecutedBatches()[0]!);
      assert.deepEqual(report.left, []);
      assert.equal(sandbox.git(main, "log", "--format=%s"), "theirs\nfirst\n");
      assert.equal(sandbox.status(main), " D a.txt\n D b.txt\n");
    });
  });
}
