import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
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

  /** A branch off `from` that is checked out nowhere, with these files changed. */
  const branch = (name: string, files: Readonly<Record<string, string | null>>, from = "target"): void => {
    const place = sandbox.path(`make-${name.replaceAll("/", "-")}`);
    sandbox.git(main, "worktree", "add", "-q", "-b", name, place, from);
    for (const [file, content] of Object.entries(files)) {
      if (content === null) sandbox.git(place, "rm", "-q", file);
      else sandbox.write(join(place, file), content);
    }
    sandbox.git(place, "add", "-A");
    sandbox.git(place, "commit", "-q", "-m", name);
    sandbox.git(main, "worktree", "remove", place);
  };
  const merge = (source: string, target = "target", more = {}): Promise<string> =>
    desk.enqueue({ worktree: main, source, target, ...more });

  it("merges the clean ones in order, and tells each conflict's files and opponent", async () => {
    branch("one", { "a.txt": "one\n2\n3\n" });
    branch("two", { "a.txt": "two\n2\n3\n" });
    branch("three", { "new.txt": "x\n" });
    branch("four", { "b.txt": "four\n" });
    branch("moved", { "b.txt": "moved\n" });
    sandbox.git(main, "update-ref", "refs/heads/target", "moved");
    const ids = [await merge("one"), await merge("two"), await merge("three"), await merge("four")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "conflict", "succeeded", "conflict"]);
    assert.equal(desk.result(ids[1]!).error, "two conflicts with one in a.txt");
    assert.deepEqual(desk.detail(ids[1]!)["conflictFiles"], ["a.txt"]);
    assert.equal(desk.result(ids[3]!).error, "four conflicts with target in b.txt");
    assert.deepEqual(sandbox.git(main, "log", "--first-parent", "--format=%s", "target").trim().split("\n"), [
      "Merge branch 'three' into target",
      "Merge branch 'one' into target",
      "moved",
      "first",
    ]);
    assert.equal(desk.effects.get("batch-1")?.filter(({ kind }) => kind === "refs").length, 1);
    assert.equal(sandbox.status(main), "");
  });

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

  it("takes attributes and drivers from the target", async () => {
    sandbox.git(main, "worktree", "add", "-q", sandbox.path("target"), "target");
    const place = sandbox.path("target");
    sandbox.write(join(place, ".gitattributes"), "a.txt merge=union\n");
    sandbox.write(join(place, "a.txt"), "1\n2\n3\ntarget\n");
    sandbox.git(place, "add", "-A");
    sandbox.git(place, "commit", "-q", "-m", "union");
    branch("other", { "a.txt": "1\n2\n3\nother\n" }, "main");
    for (const out of [true, false]) {
      if (!out) {
        sandbox.git(main, "worktree", "remove", place);
        sandbox.git(main, "update-ref", "refs/heads/target", "target~1");
      }
      const id = await merge("other");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(sandbox.git(main, "show", "target:a.txt"), "1\n2\n3\ntarget\nother\n");
    }
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

    it("brings files forward and keeps unrelated changes", async () => {
      sandbox.write(join(place, "b.txt"), "edited\n");
      sandbox.write(join(place, "staged.txt"), "staged\n");
      sandbox.git(place, "add", "staged.txt");
      const id = await merge("source");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(sandbox.read(join(place, "new.txt")), "x\n");
      assert.equal(sandbox.status(place), " M b.txt\nA  staged.txt\n");
    });

    it("changes nothing where local changes are in the way, and names them", async () => {
      sandbox.write(join(place, "a.txt"), "edited\n");
      const [tip, id] = [sandbox.tip(main, "target"), await merge("source")];
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["worktree-dirty"]);
      assert.deepEqual(desk.detail(id)["files"], ["a.txt"]);
      assert.equal(sandbox.tip(main, "target"), tip);
      assert.equal(sandbox.read(join(place, "a.txt")), "edited\n");
      assert.equal(sandbox.status(place), " M a.txt\n");
    });

    it("keeps an ignored file that is in the way", async () => {
      sandbox.write(join(main, ".git/info/exclude"), "new.txt\n");
      sandbox.write(join(place, "new.txt"), "precious\n");
      const id = await merge("source");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["worktree-dirty"]);
      assert.equal(sandbox.read(join(place, "new.txt")), "precious\n");
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

    it("refuses when a rebase has begun there since", async () => {
      const id = await merge("source");
      branch("base", { "a.txt": "base\n" }, "main");
      sandbox.write(join(place, "a.txt"), "mine\n");
      sandbox.git(place, "commit", "-q", "-am", "mine");
      assert.equal(sandbox.gitWorks(place, "rebase", "base"), false);
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["busy"]);
      assert.match(desk.result(id).error ?? "", /target is held by a rebase in/);
    });
  });

  it("a source that is gone is an error, not a conflict without files", async () => {
    branch("gone", { "b.txt": "x\n" });
    const id = await merge("gone");
    sandbox.git(main, "branch", "-q", "-D", "gone");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["unknown-branch"]);
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

  it("tells to deepen a shallow clone, where commits and pushes still work", async () => {
    branch("side", { "b.txt": "side\n" });
    const remote = sandbox.remote(main);
    const shallow = sandbox.path("shallow");
    sandbox.git(
      sandbox.root,
      "clone",
      "-q",
      "--depth",
      "1",
      "--no-single-branch",
      "-b",
      "target",
      `file://${remote.path}`,
      shallow,
    );
    sandbox.git(shallow, "fetch", "-q", "--depth", "1", "origin", "side:side");
    sandbox.write(join(shallow, "b.txt"), "here\n");
    const ids = [
      await desk.enqueue({ worktree: shallow, source: "side", target: "target" }),
      await desk.enqueue({ worktree: shallow, message: "m", files: ["b.txt"], branch: "target" }),
      await desk.enqueue({ worktree: shallow }),
    ];
    await desk.flush();
    assert.deepEqual(desk.ends([ids[1]!, ids[2]!]), ["succeeded", "succeeded"]);
    assert.equal(desk.result(ids[0]!).reason, "unrelated");
    assert.match(desk.result(ids[0]!).error ?? "", /deepen it first/);
    assert.equal(sandbox.tip(remote.path, "target"), sandbox.tip(shallow, "HEAD"));
  });

  it("a partial clone that cannot reach its remote reports missing objects", async () => {
    branch("one", { "a.txt": "one\n2\n3\n" });
    branch("two", { "a.txt": "1\n2\ntwo\n" });
    const remote = sandbox.remote(main);
    sandbox.git(remote.path, "config", "uploadpack.allowFilter", "true");
    const partial = sandbox.path("partial");
    sandbox.git(
      sandbox.root,
      "clone",
      "-q",
      "--filter=blob:none",
      "--no-checkout",
      "-b",
      "one",
      `file://${remote.path}`,
      partial,
    );
    sandbox.git(partial, "branch", "two", "origin/two");
    sandbox.git(partial, "remote", "set-url", "origin", `file://${sandbox.path("gone.git")}`);
    const id = await desk.enqueue({ worktree: partial, source: "two", target: "one" });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["missing-objects"]);
  });
});
