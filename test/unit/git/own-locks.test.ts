import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

async function appears(folder: string, name: string): Promise<void> {
  const watcher = watch(folder);
  while (!existsSync(join(folder, name))) await once(watcher, "change");
  watcher.close();
}

describe("git: locks after a crash", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.dispose());

  it("that of somebody who is writing a message is left, although git does not have it open", async function () {
    // Elsewhere nothing tells which git runs where.
    if (process.platform !== "linux") this.skip();
    const main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
    sandbox.hook(main, "post-commit", "exit 0");
    const desk = new Desk(sandbox);
    for (const file of ["a.txt", "b.txt"]) sandbox.write(join(main, file), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "mine", files: ["a.txt"] });
    const batch = desk.seal([...desk.operations.values()]);
    const context = desk.context(batch, new AbortController().signal);
    const old = sandbox.tip(main, "main");
    const n = await context.intent("commit", { id, worktree: main, ref: "refs/heads/main", old });
    // No process has this number: it is beyond what a system gives.
    await context.started(n, { pid: 2 ** 30, start: "?" });
    const editor = sandbox.path("editor");
    const written = sandbox.path("written");
    sandbox.write(
      editor,
      `#!/bin/sh\ntouch '${sandbox.path("open")}'\nwhile [ ! -e '${written}' ]; do sleep 0.05; done\necho theirs > "$1"\n`,
    );
    sandbox.makeExecutable(editor);
    const env = { ...sandbox.environment, GIT_EDITOR: editor };
    const theirs = spawn("git", ["commit", "-q", "b.txt"], { cwd: main, env, stdio: "ignore" });
    const ended = once(theirs, "close");
    try {
      await appears(sandbox.root, "open");
      await desk.execute(batch);
      assert.deepEqual(desk.ends([id]), ["locked"]);
      assert.equal(sandbox.exists(join(main, ".git/index.lock")), true);
    } finally {
      sandbox.write(written, "");
      await ended;
    }
    assert.equal(theirs.exitCode, 0);
    assert.equal(sandbox.git(main, "log", "--format=%s"), "theirs\nfirst\n");
    assert.equal(sandbox.status(main), " M a.txt\n");
  });
});
