import assert from "node:assert/strict";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: the main flow", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.dispose());

  it("turns three commits and three pushes from three worktrees into one push", async () => {
    const repository = sandbox.repository("clone");
    const remote = sandbox.remote(repository);
    const worktrees = ["one", "two", "three"].map((branch) => sandbox.worktree(repository, branch));
    const desk = new Desk(sandbox);
    const ids: string[] = [];
    for (const worktree of worktrees) {
      sandbox.write(join(worktree, "new.txt"), `${worktree}\n`);
      sandbox.write(join(worktree, "left.txt"), "not asked for\n");
      ids.push(await desk.enqueue({ worktree, message: "add new.txt", files: ["new.txt"] }));
      ids.push(await desk.enqueue({ worktree }));
    }
    assert.deepEqual(await desk.flush(), { kind: "ended" });
    assert.deepEqual(
      ids.map((id) => desk.result(id).error ?? desk.result(id).status),
      ids.map(() => "succeeded"),
    );
    assert.deepEqual(remote.pushes(), [3]);
    for (const [index, branch] of ["one", "two", "three"].entries()) {
      const worktree = worktrees[index]!;
      assert.equal(sandbox.tip(remote.path, branch), sandbox.tip(worktree, "HEAD"));
      assert.equal(
        sandbox.git(worktree, "show", "--name-only", "--format=%an <%ae>%n%B", "HEAD"),
        "Ada <ada@example.com>\nadd new.txt\n\n\nnew.txt\n",
      );
      assert.equal(sandbox.status(worktree), "?? left.txt\n");
      assert.equal(desk.result(ids[2 * index]!).commit, sandbox.tip(worktree, "HEAD"));
    }
    assert.deepEqual(Object.fromEntries(desk.stats), {
      "git.pushesRequested": 3,
      "git.pushesDelivered": 3,
      "git.pushesExecuted": 1,
    });
    assert.equal(
      sandbox.git(repository, "for-each-ref", "refs/batch-control/pin", "refs/batch-control/tmp"),
      "",
    );
  });

  it("merges three branches into one and pushes once, touching only the target's working tree", async () => {
    const repository = sandbox.repository("clone");
    const worktrees = ["one", "two", "three"].map((branch) => sandbox.worktree(repository, branch));
    for (const [index, worktree] of worktrees.entries()) {
      sandbox.write(join(worktree, `file${index}.txt`), "x\n");
      sandbox.git(worktree, "add", "-A");
      sandbox.git(worktree, "commit", "-q", "-m", `file ${index}`);
    }
    const remote = sandbox.remote(repository);
    const before = worktrees.map((worktree) => sandbox.tip(worktree, "HEAD"));
    const desk = new Desk(sandbox);
    const ids: string[] = [];
    for (const source of ["one", "two", "three"]) {
      ids.push(
        await desk.enqueue({ worktree: repository, source, target: "main", push: source === "three" }),
      );
    }
    await desk.flush();
    assert.deepEqual(
      ids.map((id) => desk.result(id).error ?? desk.result(id).status),
      ids.map(() => "succeeded"),
    );
    assert.deepEqual(remote.pushes(), [1]);
    assert.equal(sandbox.tip(remote.path, "main"), sandbox.tip(repository, "main"));
    assert.deepEqual(sandbox.git(repository, "ls-files").trim().split("\n"), [
      "a.txt",
      "file0.txt",
      "file1.txt",
      "file2.txt",
    ]);
    assert.equal(sandbox.status(repository), "");
    assert.deepEqual(
      worktrees.map((worktree) => sandbox.tip(worktree, "HEAD")),
      before,
    );
    assert.deepEqual(
      worktrees.map((worktree) => sandbox.status(worktree)),
      ["", "", ""],
    );
    const parents = sandbox.git(repository, "log", "--merges", "--format=%s", "main").trim().split("\n");
    assert.deepEqual(parents, [
      "Merge branch 'three' into main",
      "Merge branch 'two' into main",
      "Merge branch 'one' into main",
    ]);
  });
});
