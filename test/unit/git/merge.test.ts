import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { previewGit } from "../../../src/git/preview.ts";
import { branchWith } from "../../support/git/branches.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: merges", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n2\n3\n", "b.txt": "1\n" });
    sandbox.git(main, "branch", "target");
  });
  afterEach(() => sandbox.dispose());

  const branch = (name: string, files: Readonly<Record<string, string | null>>, from = "target"): void =>
    branchWith(sandbox, main, name, files, from);
  const merge = (source: string, target = "target", more = {}): Promise<string> =>
    desk.enqueue({ worktree: main, source, target, ...more });

  it("gives the tree that git merge gives", async () => {
    branch("one", { "a.txt": "one\n2\n3\n", "b.txt": null });
    branch("two", { "a.txt": "1\n2\nthree\n", "dir/c.txt": "x\n" });
    sandbox.git(main, "checkout", "-q", "-b", "expected", "target");
    for (const source of ["one", "two"]) sandbox.git(main, "merge", "-q", "--no-ff", "-m", source, source);
    await merge("one");
    await merge("two");
    await desk.flush();
    assert.equal(sandbox.tip(main, "target^{tree}"), sandbox.tip(main, "expected^{tree}"));
  });

  it("knows ff-only, squash and what is merged already", async () => {
    branch("ahead", { "new.txt": "x\n" });
    branch("side", { "b.txt": "side\n" });
    const ids = [
      await merge("ahead", "target", { mode: "ff-only" }),
      await merge("ahead"),
      await merge("side", "target", { mode: "ff-only" }),
    ];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded", "not-fast-forward"]);
    assert.equal(sandbox.tip(main, "target"), sandbox.tip(main, "ahead"));
    const squash = await merge("side", "target", { mode: "squash", message: "squashed" });
    await desk.flush();
    assert.deepEqual(desk.ends([squash]), ["succeeded"]);
    assert.equal(
      sandbox.git(main, "log", "-1", "--format=%s %P", "target"),
      `squashed ${sandbox.tip(main, "ahead")}\n`,
    );
    assert.equal(sandbox.git(main, "show", "target:b.txt"), "side\n");
  });

  it("is made as an edit of the queued merge wants it: squashed, and pushed", async () => {
    const { path: origin } = sandbox.remote(main);
    branch("side", { "b.txt": "side\n" });
    const id = await merge("side");
    const context = { id, source: "extension", interactive: false } as const;
    for (const patch of [{ mode: "squash" }, { push: true }])
      desk.store(id, await desk.acceptor.again(desk.operations.get(id)!, context, patch));
    assert.equal(desk.operations.get(id)!.label, "side → target → origin");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(origin, "show", "target:b.txt"), "side\n");
    assert.equal(
      sandbox.git(origin, "log", "-1", "--format=%P", "target"),
      `${sandbox.tip(main, "target~")}\n`,
    );
  });

  it("foresees what each merge makes, and lets the mode decide, not merge.ff", async () => {
    sandbox.git(main, "config", "merge.ff", "only");
    branch("ahead", { "new.txt": "x\n" });
    branch("side", { "b.txt": "side\n" });
    const ids = [
      await merge("main"),
      await merge("ahead", "target", { mode: "ff-only" }),
      await merge("side", "target", { mode: "squash" }),
      await merge("side"),
      await merge("side", "target", { mode: "ff-only" }),
    ];
    const alone = await merge("ahead", "main");
    const plan = await previewGit(desk.deps, [...desk.operations.values()]);
    const makes = new Map(
      plan?.merges.flatMap(({ operations }) => operations.map((one) => [one.id, one.makes] as const)),
    );
    const expected = ["nothing", "fast-forward", "squash-commit", "merge-commit", "nothing", "merge-commit"];
    assert.deepEqual(
      [...ids, alone].map((id) => makes.get(id)),
      expected,
    );
    assert.equal(plan?.warnings.filter((warning) => warning.startsWith("merge.ff is only")).length, 1);
    await desk.flush();
    const parents = (ref: string): number =>
      sandbox.git(main, "log", "-1", "--format=%P", ref).trim().split(" ").length;
    const made = ids.map((id) => desk.result(id).commit!);
    assert.equal(made[1], sandbox.tip(main, "ahead"));
    assert.deepEqual([parents(made[2]!), parents(made[3]!), parents("main")], [1, 2, 2]);
  });

  it("goes through queued commits and chains over targets", async () => {
    const worktree = sandbox.path("topic");
    sandbox.git(main, "worktree", "add", "-q", "-b", "topic", worktree);
    sandbox.git(main, "branch", "last");
    sandbox.write(join(worktree, "new.txt"), "x\n");
    await desk.enqueue({ worktree, message: "new", files: ["new.txt"] });
    await merge("topic");
    await merge("target", "last");
    await desk.flush();
    assert.equal(sandbox.git(main, "show", "last:new.txt"), "x\n");
  });

  it("names the failed commit that a merge builds on, and goes on with the rest", async () => {
    const worktree = sandbox.path("topic");
    sandbox.git(main, "worktree", "add", "-q", "-b", "topic", worktree);
    branch("fine", { "new.txt": "x\n" });
    const commit = await desk.enqueue({ worktree, message: "nothing", files: ["a.txt"] });
    const behind = await merge("topic");
    const fine = await merge("fine");
    await desk.flush();
    assert.deepEqual(desk.ends([commit, behind, fine]), ["nothing-to-commit", "dependency", "succeeded"]);
    assert.equal(desk.result(behind).error, 'it builds on the commit "nothing", which did not succeed');
    assert.equal(desk.detail(behind)["dependency"], commit);
  });

  describe("into a checked-out target", () => {
    let place: string;
    beforeEach(() => {
      place = sandbox.path("place");
      sandbox.git(main, "worktree", "add", "-q", place, "target");
      branch("source", { "a.txt": "source\n2\n3\n", "new.txt": "x\n" });
    });

    it("runs no merge hooks", async () => {
      const mark = sandbox.path("ran");
      for (const hook of ["post-merge", "pre-merge-commit", "commit-msg"])
        sandbox.hook(main, hook, `touch '${mark}'`);
      const id = await merge("source");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(sandbox.exists(mark), false);
    });

    it("refuses when two worktrees have it checked out", async () => {
      sandbox.git(main, "worktree", "add", "-q", "-f", sandbox.path("second"), "target");
      const id = await merge("source");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["checked-out-twice"]);
    });
  });

  it("a failing merge driver is a conflict of its own operation", async () => {
    sandbox.write(join(main, ".git/info/attributes"), "a.txt merge=broken\n");
    const driver = sandbox.path("driver");
    sandbox.write(driver, "#!/bin/sh\nkill -9 $$\n");
    chmodSync(driver, 0o755);
    sandbox.git(main, "config", "merge.broken.driver", `${driver} %O %A %B`);
    branch("one", { "a.txt": "one\n2\n3\n" });
    branch("two", { "a.txt": "1\n2\ntwo\n" });
    const ids = [await merge("one"), await merge("two")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "conflict"]);
  });
});
