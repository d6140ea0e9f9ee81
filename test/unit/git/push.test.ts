import assert from "node:assert/strict";
import { join } from "node:path";
import { makeBranches, moveRemote, rewrite as rewriteBranch } from "../../support/git/branches.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";
import type { Remote } from "./sandbox.ts";

describe("git: pushes", function () {
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

  const branches = (...names: readonly string[]): void => makeBranches(sandbox, main, ...names);
  const push = (branch: string, more = {}): Promise<string> =>
    desk.enqueue({ worktree: main, branch, ...more });
  const pushAll = async (names: readonly string[], more = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (const name of names) ids.push(await push(name, more));
    return ids;
  };
  const theirs = (branch: string): string => moveRemote(sandbox, remote, branch);
  const rewrite = (branch: string): void => rewriteBranch(sandbox, main, branch);

  it("does not overwrite a rewritten branch without force, although the remote is where we left it", async () => {
    branches("topic");
    await push("topic");
    await desk.flush();
    const pushed = sandbox.tip(remote.path, "topic");
    rewrite("topic");
    const id = await push("topic");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["non-fast-forward"]);
    assert.equal(sandbox.tip(remote.path, "topic"), pushed);
  });

  it("with a lease it does, twice in a row, but not over what came in since it was queued", async () => {
    branches("topic");
    sandbox.git(main, "push", "-q", "origin", "topic");
    rewrite("topic");
    const first = await push("topic", { force: "with-lease" });
    // Queued before the first is pushed: our own push then counts as known.
    const second = await push("topic", { force: "with-lease" });
    const late = desk.operations.get(second)!;
    desk.operations.delete(second);
    await desk.flush();
    assert.deepEqual(desk.ends([first]), ["succeeded"]);
    sandbox.git(main, "commit", "-q", "--allow-empty", "-m", "base");
    rewrite("topic");
    desk.operations.set(second, late);
    await desk.flush();
    assert.deepEqual(desk.ends([second]), ["succeeded"]);
    assert.equal(sandbox.tip(remote.path, "topic"), sandbox.tip(main, "topic"));
    const third = await push("topic", { force: "with-lease" });
    const other = theirs("topic");
    rewrite("topic");
    sandbox.git(main, "fetch", "-q", "origin");
    await desk.flush();
    assert.deepEqual(desk.ends([third]), ["stale-lease"]);
    assert.equal(sandbox.tip(remote.path, "topic"), other);
  });

  it("never sends a plus, and a lease only where one was asked for", async () => {
    const log = sandbox.path("trace");
    const traced = new Desk(
      Object.assign(Object.create(sandbox) as Sandbox, {
        environment: { ...sandbox.environment, GIT_TRACE2_EVENT: log },
      }),
    );
    branches("b1", "b2");
    await traced.enqueue({ worktree: main, branch: "b1" });
    await traced.enqueue({ worktree: main, branch: "b2", force: "with-lease" });
    await traced.flush();
    const events = sandbox
      .read(log)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; argv?: string[] });
    const argv =
      events.find(({ event, argv: args }) => event === "start" && args?.includes("push"))?.argv ?? [];
    assert.deepEqual(
      argv.filter((arg) => arg.startsWith("--force")),
      ["--force-with-lease=refs/heads/b2:"],
    );
    assert.deepEqual(argv.slice(argv.indexOf("--")), [
      "--",
      "origin",
      `${sandbox.tip(main, "b1")}:refs/heads/b1`,
      `${sandbox.tip(main, "b2")}:refs/heads/b2`,
    ]);
  });

  it("says what the server's hook said, and a retry works once it is mended", async () => {
    branches("topic");
    sandbox.hook(remote.path, "pre-receive", 'echo "ticket number missing" >&2; exit 1');
    const id = await push("topic");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["hook-declined"]);
    assert.match(desk.result(id).error ?? "", /the remote refused topic .*ticket number missing/s);
    sandbox.hook(remote.path, "pre-receive", "exit 0");
    const again = desk.newId();
    desk.store(
      again,
      await desk.acceptor.again(desk.operations.get(id)!, { id: again, source: "person", interactive: true }),
    );
    await desk.flush();
    assert.deepEqual(desk.ends([again]), ["succeeded"]);
  });

  it("is content where a push of the same value arrived while this one was on its way", async () => {
    branches("topic");
    const oid = sandbox.tip(main, "topic");
    sandbox.git(main, "push", "-q", "origin", `${oid}:refs/heads/elsewhere`);
    // Hooks may not move refs while the objects are set apart; the other push had none of that.
    const arrive = (branch: string, value: string): void =>
      sandbox.hook(
        remote.path,
        "pre-receive",
        `unset GIT_QUARANTINE_PATH; git update-ref refs/heads/${branch} ${value}`,
      );
    arrive("topic", oid);
    const id = await push("topic");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    branches("late");
    arrive("late", sandbox.tip(remote.path, "main"));
    const late = await push("late");
    await desk.flush();
    assert.deepEqual(desk.ends([late]), ["rejected"]);
  });

  it("pushes tags, and nothing that was not asked for", async () => {
    sandbox.git(main, "config", "push.followTags", "true");
    sandbox.git(main, "tag", "-a", "-m", "one", "v1");
    sandbox.git(main, "tag", "-a", "-m", "two", "v2");
    const id = await push("main", { tags: ["v1"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(remote.path, "tag"), "v1\n");
  });

  it("a push waits for the commits of its branch, not for merges into it", async () => {
    branches("topic", "clash");
    const worktree = sandbox.worktree(main, "work");
    const commit = await desk.enqueue({ worktree, message: "nothing", files: ["a.txt"] });
    const behind = await desk.enqueue({ worktree });
    const free = await push("topic");
    await desk.flush();
    assert.deepEqual(desk.ends([commit, behind, free]), ["nothing-to-commit", "dependency", "succeeded"]);
  });

  it("tries again when the network fails, and gives up with its reason", async () => {
    sandbox.git(main, "remote", "set-url", "origin", "http://127.0.0.1:1/x.git");
    const id = await push("main");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["network"]);
    assert.equal(desk.stats.get("git.pushesExecuted"), 3);
    assert.equal(desk.stats.get("git.pushesDelivered"), 0);
  });

  it("a push that was cut off but arrived is delivered: the remote is asked", async () => {
    branches("b1", "b2");
    desk.settings = { ...desk.settings, pushTimeout: 1 };
    sandbox.hook(remote.path, "post-receive", "sleep 1.5");
    const ids = await pushAll(["b1", "b2"]);
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
    assert.equal(sandbox.tip(remote.path, "b1"), sandbox.tip(main, "b1"));
  });

  it("an alternative transport that runs programs is refused", async () => {
    const mark = sandbox.path("ran");
    sandbox.git(main, "remote", "set-url", "origin", `ext::sh -c "touch% ${mark}"`);
    const id = await push("main");
    await desk.flush();
    assert.equal(desk.result(id).status, "failed");
    assert.equal(sandbox.exists(mark), false);
  });

  it("a branch whose submodule was not pushed keeps no other back, and says so", async () => {
    const inner = sandbox.repository("inner");
    const allowed = ["-c", "protocol.file.allow=always"];
    sandbox.git(main, ...allowed, "submodule", "--quiet", "add", inner, "sub");
    sandbox.git(main, "commit", "-q", "-m", "submodule");
    branches("fine");
    sandbox.git(join(main, "sub"), "commit", "-q", "--allow-empty", "-m", "new");
    sandbox.git(main, "commit", "-q", "-m", "bump", "sub");
    const ids = await pushAll(["main", "fine"]);
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["submodule-unpushed", "succeeded"]);
    assert.equal(
      desk.result(ids[0]!).error,
      "commits of the submodule sub are on no remote; push those first",
    );
    assert.equal(sandbox.tip(remote.path, "fine"), sandbox.tip(main, "fine"));
    sandbox.git(join(main, "sub"), "push", "-q", "origin", "HEAD:refs/heads/new");
    const again = await push("main");
    await desk.flush();
    assert.deepEqual(desk.ends([again]), ["succeeded"]);
  });

  it("the number of processes does not grow with the number of pushes and fast commits", async () => {
    const count = async (size: number): Promise<number> => {
      const worktree = sandbox.worktree(main, `size-${size}`);
      for (let index = 0; index < size; index += 1) {
        sandbox.write(join(worktree, `${index}.txt`), "x\n");
        await desk.enqueue({ worktree, message: `${index}`, files: [`${index}.txt`] });
      }
      branches(...Array.from({ length: size }, (_, index) => `p${size}-${index}`));
      for (let index = 0; index < size; index += 1) await push(`p${size}-${index}`);
      const before = desk.git.started;
      await desk.flush();
      return desk.git.started - before;
    };
    assert.equal(await count(12), await count(2));
  });

  it("a push takes few short processes beside it", async () => {
    branches("topic");
    await push("topic");
    const before = desk.git.started;
    await desk.flush();
    const started = desk.git.started - before;
    assert.ok(started <= 4, `${started} processes`);
  });
});
