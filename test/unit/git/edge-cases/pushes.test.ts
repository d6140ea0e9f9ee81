import assert from "node:assert/strict";
import { join } from "node:path";
import { makeBranches, moveForward, moveRemote, rewrite } from "../../../support/git/branches.ts";
import { Product } from "../../../support/git/product.ts";
import { until } from "../../../support/faults/until.ts";
import { Sandbox } from "../sandbox.ts";
import type { Remote } from "../sandbox.ts";

describe("git edge cases: pushes", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let main: string;
  let remote: Remote;
  beforeEach(async () => {
    sandbox = new Sandbox();
    product = await Product.open(sandbox);
    main = sandbox.repository("clone");
    remote = sandbox.remote(main);
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });
  const push = (names: readonly string[], more = {}): Promise<string[]> =>
    product.enqueueAll(...names.map((branch) => ({ worktree: main, branch, ...more })));
  const there = (branch: string): boolean =>
    sandbox.gitWorks(remote.path, "rev-parse", "--verify", "-q", `refs/heads/${branch}`);
  /** Fills a log with the number of refs of each receive-pack run, refused ones too. */
  const countReceived = (then = "exit 0"): (() => readonly number[]) => {
    const log = sandbox.path("received");
    sandbox.hook(remote.path, "pre-receive", `n=$(cat | wc -l); echo $n >> '${log}'; ${then}`);
    return () => (sandbox.exists(log) ? sandbox.read(log).trim().split("\n").map(Number) : []);
  };

  it("keeps only the rejected one back: 4 of 5 arrive in one push", async () => {
    const names = ["b1", "b2", "b3", "b4", "b5"];
    makeBranches(sandbox, main, ...names);
    sandbox.git(main, "push", "-q", "origin", "b3");
    const theirs = moveRemote(sandbox, remote, "b3");
    const received = countReceived();
    const ids = await push(names);
    await product.flush({ ends: { [ids[2]!]: "non-fast-forward" } });
    assert.deepEqual(product.ends(ids), [
      "succeeded",
      "succeeded",
      "non-fast-forward",
      "succeeded",
      "succeeded",
    ]);
    assert.match(
      product.result(ids[2]!).error ?? "",
      /b3 has commits on the remote that are not here \(fetch first\)/,
    );
    assert.deepEqual(received(), [4]);
    assert.equal(sandbox.tip(remote.path, "b3"), theirs);
    for (const name of ["b1", "b2", "b4", "b5"])
      assert.equal(sandbox.tip(remote.path, name), sandbox.tip(main, name));
    const { pushesRequested, pushesExecuted } = product.stats();
    assert.deepEqual([pushesRequested, pushesExecuted], [5, 1]);
    const batch = product.engine.git.getExecutedBatches()[0]?.id ?? "";
    const { ids: retried } = await product.engine.git.retryBatch(batch);
    assert.equal(retried.length, 1);
  });

  it("atomic: nothing arrives, the culprit is named, the others are held back, in one push", async () => {
    product.settings = { ...product.settings, atomicPush: true };
    const names = ["b1", "b2", "b3", "b4", "b5"];
    makeBranches(sandbox, main, ...names);
    sandbox.git(main, "push", "-q", "origin", "b3");
    moveRemote(sandbox, remote, "b3");
    const received = countReceived();
    const ids = await push(names);
    const others = Object.fromEntries(ids.map((id) => [id, "held-back"]));
    await product.flush({ ends: { ...others, [ids[2]!]: "non-fast-forward" } });
    assert.deepEqual(product.ends(ids), [
      "held-back",
      "held-back",
      "non-fast-forward",
      "held-back",
      "held-back",
    ]);
    assert.match(product.result(ids[2]!).error ?? "", /^b3 has commits on the remote/);
    assert.match(product.result(ids[0]!).error ?? "", /b1 was held back, because another branch/);
    assert.ok(received().length <= 1);
    assert.deepEqual(
      names.filter((name) => there(name)),
      ["b3"],
    );
  });

  it("a lease is what the remote had when the push was queued, whatever was fetched since, and no plus is sent", async () => {
    makeBranches(sandbox, main, "topic");
    sandbox.git(main, "push", "-q", "origin", "topic");
    rewrite(sandbox, main, "topic");
    const [id] = await push(["topic"], { force: "with-lease" });
    const theirs = moveRemote(sandbox, remote, "topic");
    sandbox.git(main, "fetch", "-q", "origin");
    assert.equal(sandbox.tip(main, "refs/remotes/origin/topic"), theirs);
    await product.flush({ ends: { [id!]: "stale-lease" } });
    assert.deepEqual(product.ends([id!]), ["stale-lease"]);
    assert.match(product.result(id!).error ?? "", /stale info/);
    assert.equal(sandbox.tip(remote.path, "topic"), theirs);
    const [{ argv } = { argv: [] }] = product.trace.pushes();
    assert.deepEqual(
      argv.filter((arg) => arg.startsWith("+") || arg === "--force" || arg === "-f"),
      [],
    );
    const [again] = await push(["topic"], { force: "with-lease" });
    await product.flush();
    assert.deepEqual(product.ends([again!]), ["succeeded"]);
    assert.equal(sandbox.tip(remote.path, "topic"), sandbox.tip(main, "topic"));
  });

  it("learns a host's limit of 5 from its refusal: 12 branches arrive in 3 pushes, and it is remembered", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `b${index}`);
    makeBranches(sandbox, main, ...names);
    const received = countReceived(
      'if [ $n -gt 5 ]; then echo "Pushes can not update more than 5 branches or tags." >&2; exit 1; fi',
    );
    const succeed = names.map(() => "succeeded");
    const ids = await push(names);
    // The refused one is planned; three follow.
    const [before] = await product.flush({ morePushes: 3 });
    assert.equal(before?.pushes[0]?.processes, 1);
    assert.deepEqual(product.ends(ids), succeed);
    assert.deepEqual(received(), [12, 5, 5, 2]);
    for (const name of names) assert.equal(sandbox.tip(remote.path, name), sandbox.tip(main, name));
    assert.equal(await product.journal.recall(`git.maxRefsPerPush ${remote.path}`), "5");
    for (const name of names) moveForward(sandbox, main, name);
    const next = await push(names);
    const [after] = await product.flush();
    assert.equal(after?.pushes[0]?.processes, 3);
    assert.deepEqual(product.ends(next), succeed);
    assert.deepEqual(received().slice(4), [5, 5, 2]);
    product.settings = { ...product.settings, atomicPush: true };
    for (const name of names) moveForward(sandbox, main, name);
    const split = await push(names);
    await product.flush({ warnings: [/12 refs need several pushes, so an atomic push is not possible/] });
    assert.deepEqual(
      product.ends(split),
      names.map(() => "atomic-split"),
    );
    assert.equal(received().length, 7);
  });

  it("a push that is killed with its window: the next asks the remote and pushes nothing again", async () => {
    makeBranches(sandbox, main, "b1", "b2");
    const [mark, log] = [sandbox.path("mark"), sandbox.path("runs")];
    sandbox.hook(remote.path, "post-receive", `echo run >> '${log}'; touch '${mark}'; sleep 1`);
    const ids = await push(["b1", "b2"]);
    await product.flush({}, async () => {
      await until(() => sandbox.exists(mark));
      // As a window that closes: git is killed, and the lane goes to the next window.
      const lanes = product.engine.runner.lanes().map(({ lane }) => lane);
      product.engine.runner.claim([]);
      product.engine.runner.claim(lanes);
    });
    assert.deepEqual(product.ends(ids), ["succeeded", "succeeded"]);
    assert.equal(sandbox.read(log), "run\n");
    assert.equal(product.trace.pushes().length, 1);
    assert.ok(product.trace.own().some((argv) => argv.includes("ls-remote")));
    for (const name of ["b1", "b2"]) assert.equal(sandbox.tip(remote.path, name), sandbox.tip(main, name));
  });

  it("groups by address: two names of one address are one push", async () => {
    makeBranches(sandbox, main, "b1", "b2");
    sandbox.git(main, "remote", "add", "alias", remote.path);
    const received = countReceived();
    const ids = [...(await push(["b1"], { remote: "origin" })), ...(await push(["b2"], { remote: "alias" }))];
    const [plan] = await product.flush();
    assert.deepEqual(
      plan?.pushes.map(({ url, refs }) => [url, refs.length]),
      [[remote.path, 2]],
    );
    assert.deepEqual(product.ends(ids), ["succeeded", "succeeded"]);
    assert.deepEqual(received(), [2]);
  });

  it("groups by address: of one name's two addresses the good one gets it, the broken one is reported", async () => {
    makeBranches(sandbox, main, "b1");
    const second = sandbox.path("second.git");
    const broken = sandbox.path("broken.git");
    sandbox.git(sandbox.root, "init", "-q", "--bare", second);
    sandbox.git(main, "remote", "add", "both", remote.path);
    for (const url of [broken, second])
      sandbox.git(main, "remote", "set-url", "--add", "--push", "both", url);
    const [id] = await push(["b1"], { remote: "both" });
    await product.flush({ ends: { [id!]: "remote-not-found" } });
    assert.deepEqual(product.ends([id!]), ["remote-not-found"]);
    assert.ok(product.result(id!).error?.includes(broken));
    assert.equal(sandbox.tip(second, "b1"), sandbox.tip(main, "b1"));
    assert.equal(there("b1"), false);
  });

  it("sets the upstream of 8 branches that ask for it at once", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `b${index}`);
    makeBranches(sandbox, main, ...names);
    const ids = await push(names, { setUpstream: true });
    await product.flush();
    assert.deepEqual(
      product.ends(ids),
      names.map(() => "succeeded"),
    );
    const args = ["for-each-ref", "--format=%(refname:short) %(upstream)", "refs/heads/b*"];
    assert.deepEqual(
      sandbox
        .git(main, ...args)
        .trim()
        .split("\n"),
      names.map((name) => `${name} refs/remotes/origin/${name}`),
    );
    assert.equal(sandbox.exists(join(main, ".git/config.lock")), false);
  });

  it("says of an upstream that cannot be written that it was not set, although the push succeeded", async () => {
    makeBranches(sandbox, main, "b1");
    const [id] = await push(["b1"], { setUpstream: true });
    sandbox.write(join(main, ".git/config.lock"), "");
    await product.flush();
    assert.deepEqual(product.ends([id!]), ["succeeded"]);
    assert.match(String(product.detail(id!)["warning"]), /the upstream of b1 could not be set/);
    assert.equal(there("b1"), true);
  });
});
