import assert from "node:assert/strict";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { Product, steadyClock } from "../../../support/git/product.ts";
import type { ProductOptions } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";

for (const engine of ["fast", "porcelain"] as const) {
  describe(`git edge cases: locks and the environment, ${engine}`, function () {
    this.timeout(60_000);
    let sandbox: Sandbox;
    let worktree: string;
    let lock: string;
    let opened: readonly Product[];
    beforeEach(() => {
      opened = [];
      sandbox = new Sandbox();
      worktree = sandbox.repository("clone", { "a.txt": "1\n" });
      if (engine === "porcelain") sandbox.hook(worktree, "post-commit", "exit 0");
      lock = join(worktree, ".git/index.lock");
    });
    afterEach(async () => {
      await Promise.all(opened.map((product) => product.close()));
      sandbox.dispose();
    });
    const open = async (options: ProductOptions = {}): Promise<Product> => {
      const product = await Product.open(sandbox, options);
      opened = [...opened, product];
      return product;
    };
    const queue = (product: Product): Promise<string> => {
      sandbox.write(join(worktree, "a.txt"), "2\n");
      return product.enqueue({ worktree, message: "mine", files: ["a.txt"] });
    };

    it("waits for a lock that is held for a second, and commits", async () => {
      const product = await open({ clock: steadyClock });
      const id = await queue(product);
      sandbox.write(lock, "");
      const released = setTimeout(() => sandbox.remove(lock), 1000);
      await product.flush();
      clearTimeout(released);
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.ok(
        product.log.lines.some((line) => line.includes("index.lock is held by another process. Waiting")),
      );
      assert.equal(sandbox.status(worktree), "");
    });

    it("a lock that stays: locked, with its holder named, and nothing is deleted or moved", async () => {
      const product = await open();
      const id = await queue(product);
      const held = openSync(lock, "wx");
      await product.flush({ ends: { [id]: "locked" } });
      closeSync(held);
      assert.deepEqual(product.ends([id]), ["locked"]);
      const error = product.result(id).error ?? "";
      assert.ok(error.startsWith(`${lock} is held by process ${process.pid}, for `), error);
      assert.equal(sandbox.exists(lock), true);
      assert.equal(sandbox.git(worktree, "log", "--format=%s"), "first\n");
      assert.equal(sandbox.read(join(worktree, "a.txt")), "2\n");
    });

    it("hits the right worktree whatever the environment says", async () => {
      const decoy = sandbox.repository("decoy");
      const untouched = sandbox.git(decoy, "for-each-ref") + sandbox.git(decoy, "count-objects", "-v");
      const environment = {
        ...{ GIT_DIR: join(decoy, ".git"), GIT_WORK_TREE: decoy, GIT_INDEX_FILE: join(decoy, ".git/index") },
        ...{ GIT_OBJECT_DIRECTORY: join(decoy, ".git/objects"), GIT_COMMON_DIR: join(decoy, ".git") },
        ...{ GIT_NAMESPACE: "x", GIT_LITERAL_PATHSPECS: "1", GIT_PREFIX: "sub/" },
      };
      const product = await open({ environment });
      const remote = sandbox.remote(worktree);
      const topic = sandbox.worktree(worktree, "topic");
      sandbox.write(join(topic, "new.txt"), "x\n");
      const ids = [
        await queue(product),
        await product.enqueue({ worktree: topic, message: "there", files: ["new.txt"] }),
        await product.enqueue({ worktree, source: "topic", target: "main", push: true }),
      ];
      await product.flush();
      assert.deepEqual(product.ends(ids), ["succeeded", "succeeded", "succeeded"]);
      assert.equal(sandbox.git(worktree, "log", "-1", "--format=%s %p", "main^1").startsWith("mine "), true);
      assert.equal(sandbox.tip(remote.path, "main"), sandbox.tip(worktree, "main"));
      assert.deepEqual([sandbox.status(worktree), sandbox.status(topic)], ["", ""]);
      assert.equal(sandbox.git(decoy, "for-each-ref") + sandbox.git(decoy, "count-objects", "-v"), untouched);
    });
  });
}
