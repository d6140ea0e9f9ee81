import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { undoBatch } from "../../../src/git/index.ts";
import { previewGit } from "../../../src/git/preview.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

for (const engine of ["fast", "porcelain"] as const) {
  describe(`git: a branch or its worktree that is gone, ${engine}`, function () {
    this.timeout(60_000);
    let sandbox: Sandbox;
    let desk: Desk;
    let main: string;
    let feat: string;
    beforeEach(() => {
      sandbox = new Sandbox();
      desk = new Desk(sandbox);
      main = sandbox.repository("clone");
      // A hook that does nothing asks for `git commit`.
      if (engine === "porcelain") sandbox.hook(main, "post-commit", "exit 0");
      feat = sandbox.worktree(main, "feat");
      sandbox.write(join(feat, "new.txt"), "new\n");
    });
    afterEach(() => sandbox.dispose());

    const branches = (): string => sandbox.git(main, "for-each-ref", "refs/heads");
    const problems = async (): Promise<readonly (readonly [string, string])[]> => {
      const plan = await previewGit(desk.deps, [...desk.operations.values()]);
      return (plan?.problems ?? []).map(({ id, error }) => [id, error]);
    };
    /** Each fails as the preview says, and no branch moves. */
    const refused = async (ids: readonly string[], reason: string, error: RegExp): Promise<void> => {
      const before = branches();
      const foreseen = new Map(await problems());
      await desk.flush();
      for (const id of ids) {
        assert.match(foreseen.get(id) ?? "", error);
        assert.equal(desk.result(id).error, foreseen.get(id));
        assert.equal(desk.result(id).reason, reason);
      }
      assert.equal(branches(), before);
    };
    const gone = /^there is no branch feat any more$/;
    const queueNew = (): Promise<string> =>
      desk.enqueue({ worktree: feat, message: "new", files: ["new.txt"] });

    it("makes no branch anew that was deleted, and pushes none", async () => {
      const remote = sandbox.remote(main);
      sandbox.git(remote.path, "update-ref", "-d", "refs/heads/feat");
      const id = await queueNew();
      const push = await desk.enqueue({ worktree: main, branch: "feat" });
      sandbox.git(main, "worktree", "remove", "--force", feat);
      sandbox.git(main, "branch", "-D", "feat");
      await refused([id], "unknown-branch", gone);
      assert.notEqual(desk.ends([push])[0], "succeeded");
      assert.equal(sandbox.git(remote.path, "for-each-ref", "refs/heads/feat"), "");
    });

    it("makes no branch anew that was renamed", async () => {
      const id = await queueNew();
      sandbox.git(feat, "branch", "-m", "other");
      await refused([id], "unknown-branch", gone);
      assert.equal(sandbox.status(feat), "?? new.txt\n");
    });

    it("makes no branch anew that lost its ref while it is checked out", async () => {
      const id = await queueNew();
      sandbox.git(main, "update-ref", "-d", "refs/heads/feat");
      await refused([id], "unknown-branch", gone);
    });

    it("takes what an older version queued for the first commit only where the branch is about to begin", async () => {
      const id = await queueNew();
      const stored = desk.operations.get(id)!;
      const { unborn: _, ...payload } = JSON.parse(stored.payload) as Record<string, unknown>;
      desk.operations.set(id, { ...stored, payload: JSON.stringify(payload) });
      sandbox.git(feat, "branch", "-m", "other");
      await refused([id], "unknown-branch", gone);
    });

    it("begins an unborn branch, and not where the name was changed meanwhile", async () => {
      const empty = sandbox.path("empty");
      sandbox.git(sandbox.root, "init", "-q", "-b", "main", empty);
      if (engine === "porcelain") sandbox.hook(empty, "post-commit", "exit 0");
      for (const file of ["one.txt", "two.txt"]) sandbox.write(join(empty, file), `${file}\n`);
      const first = await desk.enqueue({ worktree: empty, message: "one", files: ["one.txt"] });
      sandbox.git(empty, "branch", "-m", "trunk");
      const [[, foreseen] = []] = await problems();
      await desk.flush();
      assert.match(desk.result(first).error ?? "", /main has no commits yet, and .*empty does not have it/);
      assert.equal(desk.result(first).error, foreseen);
      assert.equal(desk.result(first).reason, "unknown-branch");
      assert.equal(sandbox.git(empty, "for-each-ref", "refs/heads"), "");
      const ids = [
        await desk.enqueue({ worktree: empty, message: "one", files: ["one.txt"] }),
        await desk.enqueue({ worktree: empty, message: "two", files: ["two.txt"] }),
      ];
      await desk.flush();
      assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
      assert.equal(sandbox.git(empty, "log", "--format=%s", "trunk"), "two\none\n");
    });

    for (const [how, lock] of [
      ["moved away", false],
      ["locked and moved away", true],
    ] as const) {
      it(`refuses commits to and merges into a branch whose worktree is ${how}, until it is back`, async () => {
        const id = await queueNew();
        sandbox.git(main, "branch", "topic");
        const merge = await desk.enqueue({ worktree: main, source: "topic", target: "feat" });
        if (lock) sandbox.git(main, "worktree", "lock", feat);
        renameSync(feat, `${feat}-away`);
        const error = new RegExp(`^the worktree ${feat} of feat is not reachable; bring it back`);
        await refused([id, merge], "worktree-unreachable", error);
        renameSync(`${feat}-away`, feat);
        const again = await queueNew();
        await desk.flush();
        assert.deepEqual(desk.ends([again]), ["succeeded"]);
        assert.equal(sandbox.status(feat), "");
        renameSync(feat, `${feat}-away`);
        const tip = branches();
        const { left } = await undoBatch(desk.git, join(main, ".git"), "batch-2");
        assert.match(left[0]?.reason ?? "", error);
        assert.equal(branches(), tip);
      });
    }
  });
}
