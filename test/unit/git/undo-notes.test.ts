import assert from "node:assert/strict";
import { join } from "node:path";
import { FencedError } from "../../../src/core/errors.ts";
import { undoBatch } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: what cannot be noted for an undo", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n" });
    // No ref can be made where others lie below it.
    for (const what of ["old", "new"])
      sandbox.git(main, "update-ref", `refs/batch-control/undo/batch-1/${what}/heads/main/below`, "HEAD");
  });
  afterEach(() => sandbox.dispose());
  const undone = async (): Promise<readonly string[]> =>
    (await undoBatch(desk.git, join(main, ".git"), "batch-1")).restored;

  it("a commit is made all the same, with a warning", async () => {
    sandbox.hook(main, "pre-commit", "exit 0");
    sandbox.write(join(main, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "mine", files: ["a.txt"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.match(String(desk.detail(id)["warning"]), /cannot be undone.*heads\/main/);
    assert.equal(sandbox.git(main, "log", "--format=%s"), "mine\nfirst\n");
    assert.equal(sandbox.status(main), "");
    assert.deepEqual(await undone(), []);
  });

  it("a commit that is found after a crash is kept, with a warning", async () => {
    sandbox.hook(main, "pre-commit", "exit 0");
    sandbox.write(join(main, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "mine", files: ["a.txt"] });
    const batch = desk.seal([...desk.operations.values()]);
    const context = desk.context(batch, new AbortController().signal);
    await desk.executor.run(batch, { ...context, outcome: () => Promise.reject(new FencedError("test")) });
    await desk.execute(batch);
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(desk.detail(id)["recovered"], true);
    assert.match(String(desk.detail(id)["warning"]), /cannot be undone/);
  });

  it("a merge into a working tree is made all the same, with a warning", async () => {
    const topic = sandbox.worktree(main, "topic");
    sandbox.git(topic, "commit", "-q", "--allow-empty", "-m", "topic");
    const id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.match(String(desk.detail(id)["warning"]), /cannot be undone/);
    assert.equal(desk.result(id).commit, sandbox.tip(main, "main"));
  });
});
