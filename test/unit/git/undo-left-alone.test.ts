import assert from "node:assert/strict";
import { join } from "node:path";
import { undoBatch } from "../../../src/git/index.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

type Files = Readonly<Record<string, string>>;

describe("git: undo leaves alone what it would destroy", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
  });
  afterEach(() => sandbox.dispose());

  /** `main` with these files has a branch merged into it that drops `dropped` and adds `added`. */
  const merged = async (files: Files, dropped: string, added: Files): Promise<void> => {
    main = sandbox.repository("clone", { "a.txt": "1\n", ...files });
    const topic = sandbox.worktree(main, "topic");
    sandbox.git(topic, "rm", "-rq", dropped);
    for (const [file, content] of Object.entries(added)) sandbox.write(join(topic, file), content);
    sandbox.git(topic, "add", "-A", "-f");
    sandbox.git(topic, "commit", "-q", "-m", "topic");
    const id = await desk.enqueue({ worktree: main, source: "topic", target: "main" });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
  };

  const leftAlone = async (reason: RegExp): Promise<void> => {
    const [tip, status] = [sandbox.tip(main, "main"), sandbox.status(main)];
    const { restored, left } = await undoBatch(desk.git, join(main, ".git"), "batch-1");
    assert.deepEqual(restored, []);
    assert.match(left[0]?.reason ?? "", reason);
    assert.equal(sandbox.tip(main, "main"), tip);
    assert.equal(sandbox.status(main), status);
  };

  it("an ignored file that somebody wrote where a tracked one comes back", async () => {
    await merged({ "local.env": "old\n" }, "local.env", { ".gitignore": "local.env\n" });
    sandbox.write(join(main, "local.env"), "my own\n");
    await leftAlone(/in the way: local\.env$/);
    assert.equal(sandbox.read(join(main, "local.env")), "my own\n");
  });

  it("an ignored folder with a clone in it where a file comes back", async () => {
    await merged({ vendor: "old\n" }, "vendor", { ".gitignore": "vendor\n" });
    sandbox.write(join(main, "vendor/notes.txt"), "my own\n");
    const nested = sandbox.repository("clone/vendor/nested", { "work.txt": "work\n" });
    await leftAlone(/in the way: vendor$/);
    assert.equal(sandbox.git(nested, "log", "--format=%s"), "first\n");
    assert.equal(sandbox.read(join(nested, "work.txt")), "work\n");
  });

  it("an ignored file in a folder that becomes a file again", async () => {
    await merged({ d: "old\n" }, "d", { ".gitignore": "*.log\n", "d/kept.txt": "new\n" });
    sandbox.write(join(main, "d/x.log"), "my own\n");
    await leftAlone(/in the way: d$/);
    assert.equal(sandbox.read(join(main, "d/x.log")), "my own\n");
    assert.equal(sandbox.read(join(main, "d/kept.txt")), "new\n");
  });

  it("an ignored file where a folder comes back", async () => {
    await merged({ "d/old.txt": "old\n" }, "d", { ".gitignore": "d\n" });
    sandbox.write(join(main, "d"), "my own\n");
    await leftAlone(/in the way: d$/);
    assert.equal(sandbox.read(join(main, "d")), "my own\n");
  });

  it("but turns a folder of nothing else into the file that it was", async () => {
    await merged({ d: "old\n" }, "d", { "d/one.txt": "new\n", "d/deep/two.txt": "new\n" });
    const before = sandbox.tip(main, "main^1");
    const report = await undoBatch(desk.git, join(main, ".git"), "batch-1");
    assert.deepEqual(report, { restored: ["refs/heads/main"], left: [] });
    assert.equal(sandbox.tip(main, "main"), before);
    assert.equal(sandbox.read(join(main, "d")), "old\n");
    assert.equal(sandbox.status(main), "");
  });

  it("a branch on which somebody committed between two commits of the batch", async () => {
    main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
    const theirs = "echo 1 > theirs.txt; git add theirs.txt; git commit -q -m theirs";
    sandbox.hook(main, "post-commit", `test -e theirs.txt || { unset GIT_REFLOG_ACTION; ${theirs}; }`);
    for (const file of ["a.txt", "b.txt"]) {
      sandbox.write(join(main, file), "2\n");
      await desk.enqueue({ worktree: main, message: file, files: [file] });
    }
    await desk.flush();
    assert.equal(sandbox.git(main, "log", "--format=%s"), "b.txt\ntheirs\na.txt\nfirst\n");
    await leftAlone(/something else came in between/);
  });

  it("a branch in the middle of a rebase", async () => {
    main = sandbox.repository("clone");
    const topic = sandbox.worktree(main, "topic");
    sandbox.write(join(main, "a.txt"), "main\n");
    sandbox.git(main, "commit", "-q", "-am", "main");
    sandbox.write(join(topic, "a.txt"), "topic\n");
    const id = await desk.enqueue({ worktree: topic, message: "m", files: ["a.txt"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.gitWorks(topic, "rebase", "main"), false);
    const tip = sandbox.tip(main, "topic");
    const { restored, left } = await undoBatch(desk.git, join(main, ".git"), "batch-1");
    assert.deepEqual(restored, []);
    assert.match(left[0]?.reason ?? "", /topic is held by a rebase in .*; finish or abort that first/);
    assert.equal(sandbox.tip(main, "topic"), tip);
  });
});
