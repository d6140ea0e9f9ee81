import assert from "node:assert/strict";
import { join } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { undoBatch } from "../../../src/git/index.ts";
import { previewGit } from "../../../src/git/preview.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

interface Place {
  readonly worktree: string;
  readonly gitDir: string;
}

const kinds: Readonly<Record<string, (sandbox: Sandbox) => Place>> = {
  "a submodule": (sandbox) => {
    const inner = sandbox.repository("inner");
    const outer = sandbox.repository("outer", { "b.txt": "1\n" });
    sandbox.git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "libs/sm");
    sandbox.git(outer, "commit", "-q", "-m", "submodule");
    return { worktree: join(outer, "libs/sm"), gitDir: join(outer, ".git/modules/libs/sm") };
  },
  "a separate git dir": (sandbox) => {
    const [worktree, gitDir] = [sandbox.path("apart"), sandbox.path("apart-store")];
    sandbox.git(sandbox.root, "init", "-q", "-b", "main", `--separate-git-dir=${gitDir}`, worktree);
    sandbox.write(join(worktree, "a.txt"), "a\n");
    sandbox.git(worktree, "add", "-A");
    sandbox.git(worktree, "commit", "-q", "-m", "first");
    return { worktree, gitDir };
  },
};

for (const [kind, make] of Object.entries(kinds)) {
  for (const engine of ["fast", "porcelain"] as const) {
    describe(`git: the worktree of ${kind}, ${engine}`, function () {
      this.timeout(60_000);
      let sandbox: Sandbox;
      let desk: Desk;
      let place: Place;
      beforeEach(() => {
        sandbox = new Sandbox();
        desk = new Desk(sandbox);
        place = make(sandbox);
        if (engine === "porcelain") sandbox.hook(place.worktree, "post-commit", "exit 0");
      });
      afterEach(() => sandbox.dispose());

      it("takes commits, merges and pushes, and its index and files follow", async () => {
        const { worktree } = place;
        const topic = sandbox.worktree(worktree, "topic");
        const remote = sandbox.remote(worktree, "mine.git", "mine");
        sandbox.write(join(worktree, "a.txt"), "2\n");
        sandbox.write(join(topic, "new.txt"), "new\n");
        const ids = [
          await desk.enqueue({ worktree, message: "one", files: ["a.txt"] }),
          await desk.enqueue({ worktree: topic, message: "two", files: ["new.txt"] }),
          await desk.enqueue({ worktree, source: "topic", target: "main" }),
          await desk.enqueue({ worktree, remote: "mine" }),
        ];
        const plan = await previewGit(desk.deps, [...desk.operations.values()]);
        assert.deepEqual(plan?.problems, []);
        assert.equal(plan.commits[0]?.engine, engine);
        assert.equal(plan.merges[0]?.checkedOutIn, worktree);
        await desk.flush();
        assert.deepEqual(
          desk.ends(ids),
          ids.map(() => "succeeded"),
        );
        assert.equal(sandbox.status(worktree), "");
        assert.equal(sandbox.status(topic), "");
        assert.equal(sandbox.read(join(worktree, "new.txt")), "new\n");
        assert.equal(sandbox.tip(remote.path, "main"), sandbox.tip(worktree, "HEAD"));
      });
    });
  }

  describe(`git: undo in ${kind}`, function () {
    this.timeout(60_000);
    it("puts the branch back, or says why it does not", async () => {
      const sandbox = new Sandbox();
      try {
        const { worktree, gitDir } = make(sandbox);
        const desk = new Desk(sandbox);
        const before = sandbox.tip(worktree, "main");
        sandbox.write(join(worktree, "a.txt"), "2\n");
        await desk.enqueue({ worktree, message: "one", files: ["a.txt"] });
        await desk.flush();
        const made = sandbox.tip(worktree, "main");
        const { restored, left } = await undoBatch(desk.git, gitDir, "batch-1");
        if (kind === "a submodule") {
          assert.deepEqual([restored, left], [["refs/heads/main"], []]);
          assert.equal(sandbox.tip(worktree, "main"), before);
          assert.equal(sandbox.status(worktree), " M a.txt\n");
        } else {
          assert.match(left[0]?.reason ?? "", /git does not tell where the worktree of .*apart-store is/);
          assert.equal(sandbox.tip(worktree, "main"), made);
          assert.equal(sandbox.status(worktree), "");
        }
      } finally {
        sandbox.dispose();
      }
    });
  });
}

describe("git: a file in a submodule, named from outside of it", function () {
  this.timeout(60_000);
  it("is refused, and one of a clone inside the worktree", async () => {
    const sandbox = new Sandbox();
    try {
      const { worktree } = kinds["a submodule"]!(sandbox);
      const outer = join(worktree, "../..");
      const desk = new Desk(sandbox);
      sandbox.write(join(worktree, "a.txt"), "2\n");
      sandbox.git(sandbox.root, "clone", "-q", sandbox.path("inner"), join(outer, "nested"));
      for (const [file, message] of [
        ["libs/sm/a.txt", /libs\/sm\/a\.txt lies in the submodule libs\/sm; queue it from there$/],
        ["nested/a.txt", /nested\/a\.txt lies in the repository nested; queue it from there$/],
      ] as const) {
        await assert.rejects(desk.enqueue({ worktree: outer, message: "m", files: [file] }), (error) => {
          assert.ok(error instanceof InputError);
          assert.match(error.message, message);
          assert.equal(error.reason, "in-other-repository");
          return true;
        });
      }
      // What the outer repository tracks itself stays its own, whatever was made of the folder since.
      sandbox.write(join(outer, "own/kept.txt"), "1\n");
      sandbox.git(outer, "add", "own");
      sandbox.git(outer, "commit", "-q", "-m", "own");
      sandbox.git(join(outer, "own"), "init", "-q");
      sandbox.write(join(outer, "own/kept.txt"), "2\n");
      const id = await desk.enqueue({ worktree: outer, message: "m", files: ["own/kept.txt"] });
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
    } finally {
      sandbox.dispose();
    }
  });
});
