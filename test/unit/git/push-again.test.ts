import assert from "node:assert/strict";
import { makeBranches, moveRemote, rewrite } from "../../support/git/branches.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";
import type { Remote } from "./sandbox.ts";

describe("git: pushes that are retried, edited or never sent", function () {
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
  const push = (branch: string, more = {}): Promise<string> =>
    desk.enqueue({ worktree: main, branch, ...more });
  /** As a retry, or with a patch an edit, but under a new id. */
  const again = async (id: string, patch?: Readonly<Record<string, unknown>>): Promise<string> => {
    const next = desk.newId();
    const context = { id: next, source: "person", interactive: true } as const;
    desk.store(next, await desk.acceptor.again(desk.operations.get(id)!, context, patch));
    return next;
  };

  it("a retry keeps the lease of when it was queued: what was fetched since is not overwritten", async () => {
    makeBranches(sandbox, main, "topic");
    sandbox.git(main, "push", "-q", "origin", "topic");
    rewrite(sandbox, main, "topic");
    const id = await push("topic", { force: "with-lease" });
    const theirs = moveRemote(sandbox, remote, "topic");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["stale-lease"]);
    assert.match(desk.result(id).error ?? "", /fetch, look at what came in and queue it again$/);
    sandbox.git(main, "fetch", "-q", "origin");
    const retried = await again(id);
    const edited = await again(id, { setUpstream: true });
    await desk.flush();
    assert.deepEqual(desk.ends([retried, edited]), ["stale-lease", "stale-lease"]);
    assert.equal(sandbox.tip(remote.path, "topic"), theirs);
    const anew = await push("topic", { force: "with-lease" });
    await desk.flush();
    assert.deepEqual(desk.ends([anew]), ["succeeded"]);
  });

  it("an edit to another branch takes that branch's lease", async () => {
    makeBranches(sandbox, main, "one", "two");
    sandbox.git(main, "push", "-q", "origin", "one", "two");
    for (const branch of ["one", "two"]) rewrite(sandbox, main, branch);
    const id = await push("one", { force: "with-lease" });
    const edited = await again(id, { branch: "two" });
    await desk.flush();
    assert.deepEqual(desk.ends([id, edited]), ["succeeded", "succeeded"]);
    assert.equal(sandbox.tip(remote.path, "two"), sandbox.tip(main, "two"));
  });

  it("counts as requested only what a push was run for", async () => {
    makeBranches(sandbox, main, "fine", "rejected");
    sandbox.git(main, "push", "-q", "origin", "rejected");
    moveRemote(sandbox, remote, "rejected");
    rewrite(sandbox, main, "rejected");
    const worktree = sandbox.worktree(main, "behind");
    await desk.enqueue({ worktree, message: "nothing", files: ["a.txt"] });
    const ids = [await desk.enqueue({ worktree }), await push("fine"), await push("rejected")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["dependency", "succeeded", "non-fast-forward"]);
    assert.deepEqual(Object.fromEntries(desk.stats), {
      "git.pushesRequested": 2,
      "git.pushesDelivered": 1,
      "git.pushesExecuted": 1,
    });
  });

  it("counts nothing where an atomic push cannot be tried", async () => {
    desk.settings = { ...desk.settings, atomicPush: true, maxRefsPerPush: 1 };
    makeBranches(sandbox, main, "one", "two");
    const ids = [await push("one"), await push("two")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["atomic-split", "atomic-split"]);
    assert.deepEqual(Object.fromEntries(desk.stats), {});
  });
});
