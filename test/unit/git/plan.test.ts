import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { branchWith, makeBranches } from "../../support/git/branches.ts";
import { Product } from "../../support/git/product.ts";
import { Sandbox } from "./sandbox.ts";
import type { Remote } from "./sandbox.ts";

describe("git: the plan of a flush", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let main: string;
  let topic: string;
  let remote: Remote;
  beforeEach(async () => {
    sandbox = new Sandbox();
    product = await Product.open(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
    remote = sandbox.remote(main);
    topic = sandbox.worktree(main, "topic");
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });

  it("says what then happens: commits, merges, pushes, and what fails behind what failed", async () => {
    branchWith(sandbox, main, "rival", { "a.txt": "rival\n" }, "main");
    sandbox.write(join(topic, "a.txt"), "2\n");
    const ids = await product.enqueueAll(
      { worktree: topic, message: "good", files: ["a.txt"] },
      { worktree: topic, message: "nothing", files: ["b.txt"] },
      { worktree: main, source: "rival", target: "main", push: true },
      { worktree: main, source: "topic", target: "main", push: true },
      { worktree: main, branch: "rival" },
      { worktree: topic },
    );
    const [plan] = await product.flush();
    assert.deepEqual(
      plan?.commits.map(({ branch, engine, operations }) => [
        branch,
        engine,
        operations.map(({ files }) => files),
      ]),
      [["topic", "fast", [["a.txt"], []]]],
    );
    assert.deepEqual(
      plan.merges.map(({ target, checkedOutIn }) => [target, checkedOutIn]),
      [["main", main]],
    );
    assert.deepEqual(
      plan.pushes.map(({ url, refs, processes }) => [url, refs.map(({ ref }) => ref), processes]),
      [[remote.path, ["refs/heads/main", "refs/heads/rival"], 1]],
    );
    assert.deepEqual(product.ends(ids), [
      ...["succeeded", "nothing-to-commit", "succeeded", "dependency", "succeeded", "dependency"],
    ]);
    assert.deepEqual(remote.pushes(), [2]);
  });

  it("lets a commit go on behind one of the same file that had nothing to commit", async () => {
    const ids = [await product.enqueue({ worktree: topic, message: "nothing", files: ["a.txt"] })];
    sandbox.write(join(topic, "a.txt"), "2\n");
    ids.push(await product.enqueue({ worktree: topic, message: "change", files: ["a.txt"] }));
    await product.flush();
    assert.deepEqual(product.ends(ids), ["nothing-to-commit", "succeeded"]);
    assert.equal(sandbox.git(topic, "show", "HEAD:a.txt"), "2\n");
  });

  it("has no push at all where everything that would go there fails", async () => {
    const ids = await product.enqueueAll(
      { worktree: topic, message: "nothing", files: ["a.txt"] },
      { worktree: topic },
      { worktree: main, source: "topic", target: "main", push: true },
    );
    const [plan] = await product.flush();
    assert.deepEqual(plan?.pushes, []);
    assert.deepEqual(product.ends(ids), ["nothing-to-commit", "dependency", "dependency"]);
    assert.deepEqual(remote.pushes(), []);
  });

  it("counts the pushes of what is left where a host takes only so many refs", async () => {
    product.settings = { ...product.settings, maxRefsPerPush: 2 };
    makeBranches(sandbox, main, "b1", "b2");
    const ids = await product.enqueueAll(
      { worktree: topic, message: "nothing", files: ["a.txt"] },
      { worktree: topic },
      { worktree: main, branch: "b1" },
      { worktree: main, branch: "b2" },
    );
    const [plan] = await product.flush();
    assert.equal(plan?.pushes[0]?.processes, 1);
    assert.deepEqual(product.ends(ids), ["nothing-to-commit", "dependency", "succeeded", "succeeded"]);
  });

  it("knows an atomic push that cannot be one, also behind a merge, which stays made", async () => {
    product.settings = { ...product.settings, maxRefsPerPush: 1, atomicPush: true };
    makeBranches(sandbox, main, "b1");
    const ids = await product.enqueueAll(
      { worktree: main, source: "b1", target: "main", push: true },
      { worktree: main, branch: "b1" },
    );
    await product.flush({ warnings: [/2 refs need several pushes/] });
    assert.deepEqual(product.ends(ids), ["atomic-split", "atomic-split"]);
    assert.match(product.result(ids[0]!).error ?? "", /^merged, but not pushed: an atomic push of 2 refs/);
    assert.equal(product.result(ids[0]!).commit, sandbox.tip(main, "main"));
    assert.deepEqual(remote.pushes(), []);
  });

  it("knows what is gone by then: a remote, a target, a branch, a worktree that hooks need", async () => {
    sandbox.hook(main, "post-commit", "exit 0");
    makeBranches(sandbox, main, "b1", "b2", "gone-target", "gone-branch");
    sandbox.git(main, "remote", "add", "leaving", remote.path);
    sandbox.write(join(topic, "a.txt"), "2\n");
    const ids = await product.enqueueAll(
      { worktree: main, branch: "b1", remote: "leaving" },
      { worktree: main, source: "b1", target: "gone-target" },
      { worktree: main, branch: "gone-branch", remote: "origin" },
      { worktree: topic, message: "m", files: ["a.txt"] },
      { worktree: main, source: "topic", target: "b2" },
    );
    sandbox.git(main, "remote", "remove", "leaving");
    sandbox.git(main, "branch", "-q", "-D", "gone-target", "gone-branch");
    sandbox.git(main, "worktree", "remove", "--force", topic);
    await product.flush();
    assert.equal(product.result(ids[0]!).status, "failed");
    assert.deepEqual(product.ends(ids.slice(1)), [
      ...["unknown-branch", "unknown-branch", "not-checked-out", "dependency"],
    ]);
  });

  it("shows the other plans where one repository is gone, and names what is queued there", async () => {
    const lost = sandbox.repository("lost");
    sandbox.write(join(lost, "a.txt"), "2\n");
    sandbox.write(join(topic, "a.txt"), "2\n");
    const ids = await product.enqueueAll(
      { worktree: lost, message: "left behind", files: ["a.txt"] },
      { worktree: topic, message: "good", files: ["a.txt"] },
    );
    renameSync(lost, `${lost}-away`);
    const [gone, other] = await product.preview();
    assert.deepEqual(gone?.problems, [
      {
        id: ids[0],
        label: "left behind",
        reason: "repository-gone",
        error: `the repository ${lost}/.git is gone`,
      },
    ]);
    assert.match(gone.warnings.join("\n"), /lost\/\.git is gone\. Queued there: "left behind"$/);
    assert.deepEqual(
      other?.commits.map(({ branch }) => branch),
      ["topic"],
    );
    // What is there but is no repository hides nothing either.
    mkdirSync(join(lost, ".git"), { recursive: true });
    const [broken, still] = await product.preview();
    assert.deepEqual(
      broken?.problems.map(({ id }) => id),
      [ids[0]],
    );
    assert.equal(still?.commits.length, 1);
  });

  it("takes a folder for free that a merge turns into a file, unless something else is in it", async () => {
    sandbox.write(join(main, "d/deep/one.txt"), "1\n");
    sandbox.git(main, "add", "d");
    sandbox.git(main, "commit", "-q", "-m", "folder");
    branchWith(sandbox, main, "flat", { "d/deep/one.txt": null, d: "file\n" }, "main");
    const merge = { worktree: main, source: "flat", target: "main" };
    sandbox.write(join(main, ".git/info/exclude"), "*.log\n");
    sandbox.write(join(main, "d/own.log"), "my own\n");
    const blocked = await product.enqueue(merge);
    await product.flush();
    assert.deepEqual(product.ends([blocked]), ["worktree-dirty"]);
    assert.equal(sandbox.read(join(main, "d/own.log")), "my own\n");
    sandbox.remove(join(main, "d/own.log"));
    const free = await product.enqueue(merge);
    await product.flush();
    assert.deepEqual(product.ends([free]), ["succeeded"]);
    assert.equal(sandbox.read(join(main, "d")), "file\n");
  });

  it("knows merges into one target that build on each other over several chains", async () => {
    branchWith(sandbox, main, "one", { "one.txt": "1\n" }, "main");
    branchWith(sandbox, main, "two", { "two.txt": "2\n" }, "main");
    sandbox.git(main, "branch", "middle");
    const ids = await product.enqueueAll(
      { worktree: main, source: "one", target: "middle", mode: "ff-only" },
      { worktree: main, source: "middle", target: "main", mode: "squash" },
      { worktree: main, source: "two", target: "middle" },
      { worktree: main, source: "middle", target: "main" },
      { worktree: main, source: "one", target: "middle" },
      { worktree: main, source: "two", target: "one", mode: "ff-only" },
    );
    await product.flush();
    assert.deepEqual(product.ends(ids), [
      ...["succeeded", "succeeded", "succeeded", "succeeded", "succeeded", "not-fast-forward"],
    ]);
    assert.equal(sandbox.status(main), "");
    assert.deepEqual(sandbox.git(main, "ls-files").trim().split("\n"), [
      "a.txt",
      "b.txt",
      "one.txt",
      "two.txt",
    ]);
  });
});
