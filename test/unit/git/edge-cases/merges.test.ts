import assert from "node:assert/strict";
import { mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { branchWith } from "../../../support/git/branches.ts";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";

describe("git edge cases: merges", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let main: string;
  beforeEach(async () => {
    sandbox = new Sandbox();
    product = await Product.open(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n2\n3\n", "b.txt": "1\n" });
    sandbox.git(main, "branch", "target");
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });
  const branch = (name: string, files: Readonly<Record<string, string | null>>, from = "target"): void =>
    branchWith(sandbox, main, name, files, from);
  const merge = (source: string, target = "target"): Promise<string> =>
    product.enqueue({ worktree: main, source, target });

  it("merges the clean ones in order in one transaction, and tells each conflict's files and opponent", async () => {
    branch("one", { "a.txt": "one\n2\n3\n" });
    branch("two", { "a.txt": "two\n2\n3\n" });
    branch("three", { "new.txt": "x\n" });
    branch("four", { "b.txt": "four\n" });
    branch("moved", { "b.txt": "moved\n" });
    sandbox.git(main, "update-ref", "refs/heads/target", "moved");
    sandbox.git(main, "branch", "second", "target");
    const ids = [await merge("one"), await merge("two"), await merge("three"), await merge("four")];
    ids.push(await merge("three", "second"));
    await product.flush();
    assert.deepEqual(product.ends(ids), ["succeeded", "conflict", "succeeded", "conflict", "succeeded"]);
    assert.equal(product.result(ids[1]!).error, "two conflicts with one in a.txt");
    assert.deepEqual(product.detail(ids[1]!)["conflictFiles"], ["a.txt"]);
    assert.equal(product.detail(ids[1]!)["opponent"], "one");
    assert.equal(product.result(ids[3]!).error, "four conflicts with target in b.txt");
    assert.deepEqual(product.detail(ids[3]!)["conflictFiles"], ["b.txt"]);
    assert.equal(
      sandbox.git(main, "log", "--first-parent", "--format=%s", "target"),
      "Merge branch 'three' into target\nMerge branch 'one' into target\nmoved\nfirst\n",
    );
    const moves = product.trace.own().filter((argv) => argv.includes("update-ref"));
    assert.equal(moves.length, 1);
    assert.equal(sandbox.status(main), "");
  });

  it("merges with the attributes of the target, checked out or not, as git merge would", async () => {
    const place = sandbox.path("target");
    sandbox.git(main, "worktree", "add", "-q", place, "target");
    sandbox.write(join(place, ".gitattributes"), "a.txt merge=union\n");
    sandbox.write(join(place, "a.txt"), "1\n2\n3\ntarget\n");
    sandbox.git(place, "add", "-A");
    sandbox.git(place, "commit", "-q", "-m", "union");
    branch("other", { "a.txt": "1\n2\n3\nother\n" }, "main");
    sandbox.git(main, "worktree", "add", "-q", "-b", "expected", sandbox.path("expected"), "target");
    sandbox.git(sandbox.path("expected"), "merge", "-q", "-m", "m", "other");
    for (const out of [true, false]) {
      if (!out) {
        sandbox.git(main, "worktree", "remove", place);
        sandbox.git(main, "update-ref", "refs/heads/target", "target~1");
      }
      const id = await merge("other");
      await product.flush();
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.equal(sandbox.tip(main, "target^{tree}"), sandbox.tip(main, "expected^{tree}"));
    }
  });

  it("a source that is gone, or is no commit any more, is an error and not a conflict without files", async () => {
    branch("gone", { "b.txt": "x\n" });
    branch("broken", { "b.txt": "x\n" });
    const [gone, broken] = [await merge("gone"), await merge("broken")];
    sandbox.git(main, "branch", "-q", "-D", "gone");
    const oid = sandbox.tip(main, "broken");
    sandbox.remove(join(main, ".git/objects", oid.slice(0, 2), oid.slice(2)));
    await product.flush();
    assert.equal(product.result(gone).reason, "unknown-branch");
    assert.notEqual(product.result(broken).reason, "conflict");
    assert.equal(product.result(broken).status, "failed");
    assert.match(product.result(broken).error ?? "", /git merge-tree: .+/s);
    assert.equal(product.detail(broken)["conflictFiles"], undefined);
  });

  describe("into a checked-out target", () => {
    let place: string;
    beforeEach(() => {
      place = sandbox.path("place");
      sandbox.git(main, "worktree", "add", "-q", place, "target");
      branch("source", { "a.txt": "source\n2\n3\n", "new.txt": "x\n", "dir/deep.txt": "x\n" });
    });

    it("brings files forward and keeps unrelated edits, staged and not", async () => {
      sandbox.write(join(place, "b.txt"), "edited\n");
      sandbox.write(join(place, "staged.txt"), "staged\n");
      sandbox.git(place, "add", "staged.txt");
      const id = await merge("source");
      await product.flush();
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.equal(sandbox.read(join(place, "new.txt")), "x\n");
      assert.equal(sandbox.status(place), " M b.txt\nA  staged.txt\n");
      assert.equal(sandbox.read(join(place, "b.txt")), "edited\n");
    });

    for (const [what, prepare, files] of [
      ["an edit", () => sandbox.write(join(place, "a.txt"), "edited\n"), ["a.txt"]],
      [
        "a staged change",
        () => {
          sandbox.write(join(place, "a.txt"), "staged\n");
          sandbox.git(place, "add", "a.txt");
        },
        ["a.txt"],
      ],
      ["a staged deletion", () => void sandbox.git(place, "rm", "-q", "a.txt"), ["a.txt"]],
      ["an untracked file", () => sandbox.write(join(place, "new.txt"), "precious\n"), ["new.txt"]],
      [
        "an ignored file",
        () => {
          sandbox.write(join(main, ".git/info/exclude"), "new.txt\n");
          sandbox.write(join(place, "new.txt"), "precious\n");
        },
        ["new.txt"],
      ],
      ["a file at a folder's place", () => sandbox.write(join(place, "dir"), "precious\n"), ["dir"]],
      [
        "a folder at a file's place",
        () => sandbox.write(join(place, "new.txt/in"), "precious\n"),
        ["new.txt"],
      ],
      ["a link at a folder's place", () => symlinkSync(".", join(place, "dir")), ["dir"]],
      [
        "an edit and an untracked file",
        () => {
          sandbox.write(join(place, "a.txt"), "edited\n");
          sandbox.write(join(place, "new.txt"), "precious\n");
        },
        ["a.txt", "new.txt"],
      ],
    ] as const) {
      it(`changes nothing where ${what} is in the way, which the plan says already`, async () => {
        prepare();
        const content = (): readonly string[] =>
          ["a.txt", "new.txt", "new.txt/in", "dir"].map((file) =>
            statSync(join(place, file), { throwIfNoEntry: false })?.isFile() === true
              ? sandbox.read(join(place, file))
              : "",
          );
        const before = [sandbox.tip(main, "target"), sandbox.status(place), ...content()];
        const id = await merge("source");
        const [plan] = await product.flush();
        assert.deepEqual(
          plan?.problems.map((problem) => [problem.id, problem.reason]),
          [[id, "worktree-dirty"]],
        );
        assert.deepEqual(product.detail(id)["files"], files);
        assert.deepEqual([sandbox.tip(main, "target"), sandbox.status(place), ...content()], before);
      });
    }

    it("goes ahead where what is staged is what the merge brings", async () => {
      sandbox.write(join(place, "new.txt"), "x\n");
      sandbox.git(place, "add", "new.txt");
      const id = await merge("source");
      await product.flush();
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.equal(sandbox.status(place), "");
    });

    it("goes ahead where a file makes room for a folder, or an empty folder for a file", async () => {
      branch("room", { "b.txt": null, "b.txt/in": "x\n", empty: "x\n" });
      mkdirSync(join(place, "empty"));
      const id = await merge("room");
      await product.flush();
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.equal(sandbox.read(join(place, "b.txt/in")), "x\n");
      assert.equal(sandbox.read(join(place, "empty")), "x\n");
      assert.equal(sandbox.status(place), "");
    });

    it("refuses while a rebase is in progress there", async () => {
      const id = await merge("source");
      branch("base", { "a.txt": "base\n" }, "main");
      sandbox.write(join(place, "a.txt"), "mine\n");
      sandbox.git(place, "commit", "-q", "-am", "mine");
      assert.equal(sandbox.gitWorks(place, "rebase", "base"), false);
      const [tip, status] = [sandbox.tip(main, "target"), sandbox.status(place)];
      await product.flush();
      assert.deepEqual(product.ends([id]), ["busy"]);
      assert.match(product.result(id).error ?? "", /target is held by a rebase in/);
      assert.deepEqual([sandbox.tip(main, "target"), sandbox.status(place)], [tip, status]);
    });
  });

  it("a shallow clone is told to deepen for a merge; its commits and pushes work", async () => {
    branch("side", { "b.txt": "side\n" });
    const remote = sandbox.remote(main);
    const shallow = sandbox.path("shallow");
    const clone = ["clone", "-q", "--depth", "1", "--no-single-branch", "-b", "target"];
    sandbox.git(sandbox.root, ...clone, `file://${remote.path}`, shallow);
    sandbox.git(shallow, "fetch", "-q", "--depth", "1", "origin", "side:side");
    sandbox.write(join(shallow, "b.txt"), "here\n");
    const ids = await product.enqueueAll(
      { worktree: shallow, source: "side", target: "target" },
      { worktree: shallow, message: "m", files: ["b.txt"], branch: "target" },
      { worktree: shallow },
    );
    await product.flush();
    assert.deepEqual(product.ends(ids), ["unrelated", "succeeded", "succeeded"]);
    assert.match(product.result(ids[0]!).error ?? "", /deepen it first/);
    assert.equal(sandbox.tip(remote.path, "target"), sandbox.tip(shallow, "HEAD"));
  });

  it("a file that somebody deleted is in nobody's way, to the preview as well", async () => {
    branch("one", { "a.txt": "one\n", "b.txt": null }, "main");
    for (const file of ["a.txt", "b.txt"]) sandbox.remove(join(main, file));
    const id = await merge("one", "main");
    await product.flush();
    assert.deepEqual(product.ends([id]), ["succeeded"]);
    assert.equal(sandbox.status(main), "");
  });

  it("a partial clone that cannot reach its remote reports missing objects", async () => {
    branch("one", { "a.txt": "one\n2\n3\n" });
    branch("two", { "a.txt": "1\n2\ntwo\n" });
    const remote = sandbox.remote(main);
    sandbox.git(remote.path, "config", "uploadpack.allowFilter", "true");
    const partial = sandbox.path("partial");
    const clone = ["clone", "-q", "--filter=blob:none", "--no-checkout", "-b", "one"];
    sandbox.git(sandbox.root, ...clone, `file://${remote.path}`, partial);
    sandbox.git(partial, "branch", "two", "origin/two");
    sandbox.git(partial, "remote", "set-url", "origin", `file://${sandbox.path("gone.git")}`);
    const id = await product.enqueue({ worktree: partial, source: "two", target: "one" });
    await product.flush();
    assert.deepEqual(product.ends([id]), ["missing-objects"]);
    assert.match(product.result(id).error ?? "", /objects are missing in this partial clone/);
  });
});
