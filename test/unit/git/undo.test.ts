import assert from "node:assert/strict";
import { join } from "node:path";
import { undoBatch } from "../../../src/git/index.ts";
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
});
