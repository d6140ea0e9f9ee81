import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, watch } from "node:fs";
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

  it("those on the refs of a batch, left by an import that was killed, hinder nothing", async () => {
    const main = sandbox.repository("clone");
    const other = sandbox.worktree(main, "other");
    const desk = new Desk(sandbox);
    const ids: string[] = [];
    for (const worktree of [main, other]) {
      sandbox.write(join(worktree, "a.txt"), "2\n");
      ids.push(await desk.enqueue({ worktree, message: "m", files: ["a.txt"] }));
    }
    const batch = desk.seal([...desk.operations.values()]);
    const own = join(main, ".git/refs/batch-control");
    for (const lock of [`tmp/${batch.id}/1.lock`, `pin/${ids[0]}.lock`, `undo/${batch.id}/1.lock`])
      sandbox.write(join(own, lock), "");
    await desk.execute(batch);
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
    const effects = await desk.context(batch, new AbortController().signal).effects();
    assert.deepEqual(
      effects.map(({ kind }) => kind),
      ["refs"],
    );
    assert.deepEqual(
      readdirSync(own, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lock")),
      [],
    );
    assert.equal(sandbox.git(main, "for-each-ref", "refs/batch-control/pin", "refs/batch-control/tmp"), "");
  });

  it("those on our refs are left as long as any git works in the repository", async function () {
    if (process.platform !== "linux") this.skip();
    const main = sandbox.repository("clone");
    const desk = new Desk(sandbox);
    const lock = join(main, ".git/refs/batch-control/tmp/another/0.lock");
    sandbox.write(lock, "");
    const reader = spawn("git", ["cat-file", "--batch"], {
      cwd: main,
      env: sandbox.environment,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const commit = async (text: string): Promise<void> => {
      sandbox.write(join(main, "a.txt"), text);
      const id = await desk.enqueue({ worktree: main, message: "m", files: ["a.txt"] });
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["succeeded"]);
    };
    await commit("2\n");
    assert.equal(sandbox.exists(lock), true);
    const ended = once(reader, "close");
    reader.stdin.end();
    await ended;
    await commit("3\n");
    assert.equal(sandbox.exists(lock), false);
  });
});
