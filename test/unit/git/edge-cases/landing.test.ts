import assert from "node:assert/strict";
import { join } from "node:path";
import { branchWith } from "../../../support/git/branches.ts";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";
import type { Remote } from "../sandbox.ts";

describe("git edge cases: verification and undo", function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let product: Product;
  let main: string;
  let remote: Remote;
  beforeEach(async () => {
    sandbox = new Sandbox();
    product = await Product.open(sandbox);
    main = sandbox.repository("clone", { "sum.txt": "0\n", ".gitignore": "installed\n" });
    sandbox.git(main, "branch", "target");
    remote = sandbox.remote(main);
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });

  const queue = async (count: number): Promise<string[]> => {
    const names = Array.from({ length: count }, (_, index) => `op${index + 1}`);
    for (const name of names) branchWith(sandbox, main, name, { [`${name}.txt`]: "x\n" }, "target");
    return product.enqueueAll(
      ...names.map((source) => ({ worktree: main, source, target: "target", push: true })),
    );
  };

  it("finds the one that breaks it and the one that breaks it only with another; the rest lands and is pushed", async () => {
    const [runs, prepared] = [sandbox.path("runs"), sandbox.path("prepared")];
    product.settings = {
      ...product.settings,
      verifyCommand: `echo run >> '${runs}'; test -z "$GIT_DIR" || exit 9
if [ -e op5.txt ]; then echo op5 is broken; exit 1; fi
if [ -e op7.txt ] && [ -e op2.txt ]; then echo both; exit 1; fi`,
      verifyPrepare: `echo prepared >> '${prepared}'; touch installed`,
    };
    const ids = await queue(8);
    const [plan] = await product.flush({
      ends: { [ids[4]!]: "verify-failed", [ids[6]!]: "verify-failed" },
    });
    assert.equal(plan?.merges[0]?.verified, true);
    assert.match(product.result(ids[4]!).error ?? "", /verification fails with op5: op5 is broken/);
    assert.equal(product.detail(ids[6]!)["verifyOutput"], "both");
    const count = sandbox.read(runs).trim().split("\n").length;
    // Nine, and two reruns before each blame.
    assert.ok(count <= 13, `${count} runs`);
    assert.equal(sandbox.read(prepared), "prepared\n");
    assert.deepEqual(sandbox.git(remote.path, "ls-tree", "--name-only", "target").trim().split("\n"), [
      ".gitignore",
      ...["op1", "op2", "op3", "op4", "op6", "op8"].map((name) => `${name}.txt`),
      "sum.txt",
    ]);
    assert.deepEqual(remote.pushes(), [1]);
  });

  it("blames nobody for a red target, and moves and pushes nothing", async () => {
    product.settings = { ...product.settings, verifyCommand: "echo always red; exit 1" };
    const ids = await queue(3);
    const tip = sandbox.tip(main, "target");
    await product.flush({ ends: Object.fromEntries(ids.map((id) => [id, "red-target"])) });
    assert.match(product.result(ids[0]!).error ?? "", /fails on target without any of these merges/);
    assert.equal(sandbox.tip(main, "target"), tip);
    assert.deepEqual(remote.pushes(), []);
  });

  it("undo brings back what is only here, leaves and names what was pushed or has moved, and keeps staged work", async () => {
    const [local, pushed, moved] = ["local", "pushed", "moved"].map((name) => sandbox.worktree(main, name));
    for (const worktree of [local!, pushed!, moved!]) {
      sandbox.write(join(worktree, "sum.txt"), `${worktree}\n`);
      await product.enqueue({ worktree, message: "change", files: ["sum.txt"] });
      sandbox.write(join(worktree, "staged.txt"), "staged\n");
      sandbox.git(worktree, "add", "staged.txt");
    }
    await product.enqueue({ worktree: pushed! });
    const before = sandbox.tip(main, "local");
    await product.flush();
    sandbox.git(moved!, "commit", "-q", "-m", "since", "--allow-empty", "--only");
    const [at, there] = [sandbox.tip(main, "moved"), sandbox.git(remote.path, "for-each-ref")];
    const batch = product.engine.git.getExecutedBatches()[0]!;
    const report = await product.engine.gitRoom.undo(batch);
    assert.deepEqual(report.restored, ["refs/heads/local"]);
    const left = new Map(report.left.map(({ ref, reason }) => [ref, reason]));
    assert.match(left.get("refs/heads/pushed") ?? "", /it was pushed/);
    assert.match(left.get("refs/heads/moved") ?? "", /it has moved since/);
    assert.equal(sandbox.tip(main, "local"), before);
    assert.equal(sandbox.tip(main, "moved"), at);
    assert.equal(sandbox.git(remote.path, "for-each-ref"), there);
    assert.equal(sandbox.status(local!), "A  staged.txt\n M sum.txt\n");
    assert.equal(sandbox.read(join(local!, "sum.txt")), `${local}\n`);
    assert.equal(sandbox.status(pushed!), "A  staged.txt\n");
    assert.equal(sandbox.status(moved!), "A  staged.txt\n");
  });
});
