import assert from "node:assert/strict";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { makeBranches } from "../../support/git/branches.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";
import type { Remote } from "./sandbox.ts";

/** Refuses by the name of the remote's ref. */
const refuses = (glob: string, words = 'echo "not this one" >&2'): string =>
  `while read local oid remote there; do case $remote in ${glob}) ${words}; exit 1;; esac; done`;

describe("git: pre-push hooks", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  let remote: Remote;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone");
    remote = sandbox.remote(main);
  });
  afterEach(() => sandbox.dispose());
  const pushAll = async (...names: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const branch of names) ids.push(await desk.enqueue({ worktree: main, branch }));
    return ids;
  };
  const isThere = (branch: string): boolean =>
    sandbox.gitWorks(remote.path, "rev-parse", "--verify", "-q", `refs/heads/${branch}`);

  it("see the local branch as with a plain git push, so that they can protect it", async () => {
    const seen = sandbox.path("seen");
    sandbox.hook(main, "pre-push", `cat > '${seen}'; ! grep -q '^refs/heads/main ' '${seen}'`);
    sandbox.git(main, "commit", "-q", "--allow-empty", "-m", "more");
    const before = sandbox.tip(remote.path, "main");
    const [id = ""] = await pushAll("main");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["push-refused"]);
    assert.equal(sandbox.tip(remote.path, "main"), before);
    const ours = sandbox.tip(main, "main");
    assert.equal(sandbox.read(seen), `refs/heads/main ${ours} refs/heads/main ${before}\n`);
  });

  it("refuse one branch, and the others of the batch go", async () => {
    makeBranches(sandbox, main, "good", "bad", "fine");
    sandbox.hook(
      main,
      "pre-push",
      refuses("*bad*", "echo checking; printf '\\033[31mnot this one\\033[0m\\n' >&2"),
    );
    const ids = await pushAll("good", "bad", "fine");
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "push-refused", "succeeded"]);
    assert.deepEqual(["good", "bad", "fine"].map(isThere), [true, false, true]);
    assert.equal(desk.result(ids[1]!).error, "the pre-push hook refused bad: checking\nnot this one");
    assert.equal(desk.stats.get("git.pushesExecuted"), 4);
    assert.equal(desk.stats.get("git.pushesDelivered"), 2);
  });

  it("refuse all of an atomic push", async () => {
    desk.settings = { ...desk.settings, atomicPush: true };
    makeBranches(sandbox, main, "good", "bad");
    sandbox.hook(main, "pre-push", refuses("*bad*"));
    const ids = await pushAll("good", "bad");
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["push-refused", "push-refused"]);
    assert.equal(desk.result(ids[0]!).error, "the pre-push hook refused the atomic push: not this one");
    assert.deepEqual(["good", "bad"].map(isThere), [false, false]);
    assert.equal(desk.stats.get("git.pushesExecuted"), 1);
  });

  for (const known of [false, true]) {
    it(`let through what a branch has by then, and that is what is told (${known ? "moved" : "new"} there)`, async () => {
      makeBranches(sandbox, main, "topic");
      if (known) {
        sandbox.git(main, "push", "-q", "origin", "topic");
        sandbox.git(
          main,
          "branch",
          "-f",
          "topic",
          sandbox.git(main, "commit-tree", "-p", "topic", "-m", "x", "topic^{tree}").trim(),
        );
      }
      sandbox.hook(main, "pre-push", "exit 0");
      let moved = "";
      class MovesBefore extends ProcessGitRunner {
        override run(...call: Parameters<ProcessGitRunner["run"]>): ReturnType<ProcessGitRunner["run"]> {
          if (call[1].includes("push")) {
            moved = sandbox.git(main, "commit-tree", "-p", "topic", "-m", "late", "topic^{tree}").trim();
            sandbox.git(main, "update-ref", "refs/heads/topic", moved);
          }
          return super.run(...call);
        }
      }
      desk = new Desk(sandbox, {}, { git: new MovesBefore(() => "git", sandbox.environment) });
      const [id = ""] = await pushAll("topic");
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(sandbox.tip(remote.path, "topic"), moved);
      assert.equal(desk.result(id).refs?.[0]?.new, moved);
    });
  }
});
