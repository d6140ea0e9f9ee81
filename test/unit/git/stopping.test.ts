import assert from "node:assert/strict";
import { join } from "node:path";
import { GitError } from "../../../src/git/git-error.ts";
import { ProcessGitRunner } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** Somebody else holds the lock of the notes for an undo. */
class LockedNotes extends ProcessGitRunner {
  readonly #then: () => void;

  constructor(environment: NodeJS.ProcessEnv, then: () => void) {
    super(() => "git", environment);
    this.#then = then;
  }

  override async must(...call: Parameters<ProcessGitRunner["must"]>): ReturnType<ProcessGitRunner["must"]> {
    if (!call[1].includes("batch-control: undo")) return super.must(...call);
    this.#then();
    throw new GitError("locked", "undo.lock is held by another process.");
  }
}

describe("git: stopping", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
  });
  afterEach(() => sandbox.dispose());

  /** Aborts once a hook has made its mark. */
  const abortAt = (mark: string, reason: string): AbortController => {
    const controller = new AbortController();
    const timer = setInterval(() => {
      if (!sandbox.exists(mark)) return;
      clearInterval(timer);
      controller.abort(reason);
    }, 10);
    return controller;
  };

  it("cancel in a hook: what is done stays, the rest is cancelled, no lock is left", async () => {
    const mark = sandbox.path("mark");
    sandbox.hook(
      main,
      "pre-commit",
      `if git diff --cached --quiet -- a.txt; then touch '${mark}'; sleep 1000; fi`,
    );
    const ids: string[] = [];
    for (const file of ["a.txt", "b.txt", "c.txt"]) {
      sandbox.write(join(main, file), "2\n");
      ids.push(await desk.enqueue({ worktree: main, message: file, files: [file] }));
    }
    assert.deepEqual(await desk.flush(abortAt(mark, "cancel").signal), { kind: "ended" });
    assert.deepEqual(
      ids.map((id) => desk.result(id).status),
      ["succeeded", "cancelled", "cancelled"],
    );
    assert.equal(sandbox.git(main, "log", "--format=%s"), "a.txt\nfirst\n");
    assert.equal(sandbox.status(main), " M b.txt\n?? c.txt\n");
  });

  it("cancel between merge and push: the merge stays and says so", async () => {
    const remote = sandbox.remote(main);
    const worktree = sandbox.worktree(main, "topic");
    sandbox.git(worktree, "commit", "-q", "--allow-empty", "-m", "next");
    const id = await desk.enqueue({ worktree: main, source: "topic", target: "main", push: true });
    const batch = desk.seal([...desk.operations.values()]);
    const controller = new AbortController();
    const context = desk.context(batch, controller.signal);
    const outcome: typeof context.outcome = async (written) => {
      const answer = await context.outcome(written);
      controller.abort("cancel");
      return answer;
    };
    assert.deepEqual(await desk.executor.run(batch, { ...context, outcome }), { kind: "ended" });
    assert.deepEqual(desk.ends([id]), ["cancelled"]);
    assert.match(desk.result(id).error ?? "", /merged, but not pushed/);
    assert.equal(desk.result(id).commit, sandbox.tip(main, "main"));
    assert.notEqual(sandbox.tip(remote.path, "main"), sandbox.tip(main, "main"));
  });

  for (const kind of ["commit", "merge"] as const) {
    it(`cancel while it is noted how a ${kind} is undone: the ${kind} stays and says so`, async () => {
      sandbox.hook(main, "post-commit", "exit 0");
      const topic = sandbox.worktree(main, "topic");
      sandbox.git(topic, "commit", "-q", "--allow-empty", "-m", "next");
      sandbox.write(join(main, "a.txt"), "2\n");
      const controller = new AbortController();
      const git = new LockedNotes(sandbox.environment, () => controller.abort("cancel"));
      desk = new Desk(sandbox, {}, { git });
      const commit = { worktree: main, message: "mine", files: ["a.txt"] };
      const merge = { worktree: main, source: "topic", target: "main" };
      const id = await desk.enqueue(kind === "commit" ? commit : merge);
      assert.deepEqual(await desk.flush(controller.signal), { kind: "ended" });
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
      assert.equal(desk.result(id).commit, sandbox.tip(main, "main"));
      assert.match(String(desk.detail(id)["warning"]), /cannot be undone.*cancelled/);
      assert.equal(sandbox.git(main, "diff", "--cached"), "");
    });
  }

  it("cancel in a push: the remote is asked what arrived", async () => {
    const remote = sandbox.remote(main);
    const mark = sandbox.path("mark");
    sandbox.hook(remote.path, "post-receive", `touch '${mark}'; sleep 1`);
    sandbox.git(main, "commit", "-q", "--allow-empty", "-m", "next");
    const arrived = await desk.enqueue({ worktree: main });
    await desk.flush(abortAt(mark, "cancel").signal);
    assert.deepEqual(desk.ends([arrived]), ["succeeded"]);
    assert.equal(desk.stats.get("git.pushesExecuted"), 1);
  });

  it("shutdown in a push: the next leader finds that it arrived and pushes nothing again", async () => {
    const remote = sandbox.remote(main);
    const mark = sandbox.path("mark");
    sandbox.hook(
      remote.path,
      "post-receive",
      `echo run >> '${sandbox.path("runs")}'; touch '${mark}'; sleep 1`,
    );
    sandbox.git(main, "commit", "-q", "--allow-empty", "-m", "next");
    const id = await desk.enqueue({ worktree: main });
    const batch = desk.seal([...desk.operations.values()]);
    assert.deepEqual(await desk.execute(batch, abortAt(mark, "shutdown").signal), { kind: "stopped" });
    assert.deepEqual(await desk.execute(batch), { kind: "ended" });
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.read(sandbox.path("runs")), "run\n");
    assert.equal(desk.stats.get("git.pushesExecuted"), 1);
    assert.equal(sandbox.tip(remote.path, "main"), sandbox.tip(main, "main"));
  });
});
