import assert from "node:assert/strict";
import { join } from "node:path";
import { undoBatch } from "../../../src/git/index.ts";
import type { GitRunner } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: undo", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  let topic: string;
  const common = (): string => join(main, ".git");
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
    topic = sandbox.worktree(main, "topic");
  });
  afterEach(() => sandbox.dispose());

  it("puts branches and worktrees back, and keeps staged and unstaged work", async () => {
    sandbox.git(main, "branch", "free");
    sandbox.write(join(topic, "a.txt"), "2\n");
    sandbox.write(join(topic, "new.txt"), "2\n");
    await desk.enqueue({ worktree: topic, message: "one", files: ["a.txt"] });
    await desk.enqueue({ worktree: topic, message: "two", files: ["new.txt"] });
    await desk.enqueue({ worktree: main, source: "topic", target: "free" });
    await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    sandbox.write(join(topic, "staged.txt"), "x\n");
    sandbox.git(topic, "add", "staged.txt");
    sandbox.write(join(main, "b.txt"), "edited\n");
    const before = sandbox.git(main, "for-each-ref", "refs/heads");
    const files = sandbox.status(topic);
    await desk.flush();
    assert.notEqual(sandbox.git(main, "for-each-ref", "refs/heads"), before);
    const report = await undoBatch(desk.git, common(), "batch-1");
    assert.deepEqual([...report.restored].sort(), ["refs/heads/free", "refs/heads/main", "refs/heads/topic"]);
    assert.deepEqual(report.left, []);
    assert.equal(sandbox.git(main, "for-each-ref", "refs/heads"), before);
    assert.equal(sandbox.status(topic), files);
    assert.equal(sandbox.status(main), " M b.txt\n");
    assert.equal(sandbox.exists(join(main, "new.txt")), false);
    assert.deepEqual(await undoBatch(desk.git, common(), "batch-1"), { restored: [], left: [] });
  });

  it("leaves and names what was pushed, what moved since and where changes are in the way", async () => {
    const remote = sandbox.remote(main);
    const moved = sandbox.worktree(main, "moved");
    for (const worktree of [topic, moved]) {
      sandbox.write(join(worktree, "a.txt"), "2\n");
      await desk.enqueue({ worktree, message: worktree, files: ["a.txt"] });
    }
    await desk.enqueue({ worktree: topic });
    await desk.enqueue({ worktree: main, source: "moved", target: "main" });
    await desk.flush();
    sandbox.git(moved, "commit", "-q", "--allow-empty", "-m", "since");
    sandbox.write(join(main, "a.txt"), "edited since\n");
    const report = await undoBatch(desk.git, common(), "batch-1");
    assert.deepEqual(report.restored, []);
    const left = new Map(report.left.map(({ ref, reason }) => [ref, reason]));
    assert.match(left.get("refs/heads/topic") ?? "", /it was pushed/);
    assert.match(left.get("refs/heads/moved") ?? "", /it has moved since/);
    assert.match(left.get("refs/heads/main") ?? "", /changes in .* are in the way/);
    assert.equal(sandbox.tip(remote.path, "topic"), sandbox.tip(topic, "HEAD"));
    assert.equal(sandbox.read(join(main, "a.txt")), "edited since\n");
  });

  it("takes out all that a batch brought into a working tree, in however many steps", async () => {
    sandbox.git(main, "branch", "free");
    const second = sandbox.worktree(main, "second");
    for (const [worktree, file] of [
      [topic, "first.txt"],
      [second, "second.txt"],
    ] as const) {
      sandbox.write(join(worktree, file), "new\n");
      sandbox.git(worktree, "add", file);
      sandbox.git(worktree, "commit", "-q", "-m", file);
    }
    sandbox.write(join(main, "a.txt"), "committed\n");
    await desk.enqueue({ worktree: main, message: "own", files: ["a.txt"] });
    // The one in between makes two forwards of main out of its two merges.
    const merges = [
      { source: "topic", target: "main" },
      { source: "main", target: "free" },
      { source: "second", target: "main" },
    ];
    for (const merge of merges) await desk.enqueue({ worktree: main, ...merge });
    const before = sandbox.git(main, "for-each-ref", "refs/heads");
    await desk.flush();
    assert.equal(sandbox.exists(join(main, "first.txt")) && sandbox.exists(join(main, "second.txt")), true);
    const report = await undoBatch(desk.git, common(), "batch-1");
    assert.deepEqual(report.left, []);
    assert.equal(sandbox.git(main, "for-each-ref", "refs/heads"), before);
    assert.equal(sandbox.exists(join(main, "first.txt")), false);
    assert.equal(sandbox.exists(join(main, "second.txt")), false);
    // What was committed here stays in the working tree.
    assert.equal(sandbox.status(main), " M a.txt\n");
  });

  /** A git that does what it is asked until the command `at` comes for the `nth` time: then the window is killed. */
  const mortal = (at: string, nth: number): GitRunner => {
    let left = nth;
    return new Proxy(desk.git, {
      get: (git, name: keyof GitRunner) => {
        if (name === "started" || name === "sshConfigured") return git[name];
        return (cwd: string, args: readonly string[], options?: object): Promise<unknown> => {
          if (args.includes(at)) left -= 1;
          if (left <= 0) throw new Error("killed");
          return git[name](cwd, args, options);
        };
      },
    });
  };

  for (const [at, nth] of [
    ["read-tree", 1],
    ["update-ref", 1],
    ["update-index", 1],
    ["update-ref", 2],
  ] as const) {
    it(`one that was cut off at ${at} ${nth} is finished by the next`, async () => {
      sandbox.write(join(main, "b.txt"), "committed\n");
      await desk.enqueue({ worktree: main, message: "own", files: ["b.txt"] });
      sandbox.write(join(topic, "new.txt"), "new\n");
      sandbox.git(topic, "add", "new.txt");
      sandbox.git(topic, "commit", "-q", "-m", "topic");
      await desk.enqueue({ worktree: main, source: "topic", target: "main" });
      const before = sandbox.tip(main, "main");
      await desk.flush();
      await undoBatch(mortal(at, nth), common(), "batch-1").catch(() => undefined);
      const report = await undoBatch(desk.git, common(), "batch-1");
      assert.deepEqual(report, { restored: ["refs/heads/main"], left: [] });
      assert.equal(sandbox.tip(main, "main"), before);
      assert.equal(sandbox.exists(join(main, "new.txt")), false);
      assert.equal(sandbox.status(main), " M b.txt\n");
    });
  }

  it("brings files in again where the branch could not be moved after all", async () => {
    sandbox.write(join(topic, "new.txt"), "new\n");
    sandbox.git(topic, "add", "new.txt");
    sandbox.git(topic, "commit", "-q", "-m", "topic");
    await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    await desk.flush();
    sandbox.write(join(common(), "refs/heads/main.lock"), "");
    const { left } = await undoBatch(desk.git, common(), "batch-1");
    assert.match(left[0]?.reason ?? "", /main\.lock is held by another process/);
    assert.equal(sandbox.status(main), "");
    assert.equal(sandbox.read(join(main, "new.txt")), "new\n");
  });
});
