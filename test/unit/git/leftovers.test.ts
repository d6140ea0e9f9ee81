import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { commitFolders } from "../../../src/git/leftovers.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: what a killed window leaves in the temporary folder", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  const made: string[] = [];
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
    sandbox.dispose();
  });
  const folder = (name: string): string => {
    const path = join(tmpdir(), name);
    mkdirSync(path);
    sandbox.write(join(path, "index"), "");
    made.push(path);
    return path;
  };

  it("goes with the next batch, unless it may still be needed", async () => {
    const main = sandbox.repository("clone");
    const own = commitFolders(join(main, ".git"));
    // Names of this run only, in a folder that all runs share.
    const tag = basename(sandbox.root);
    const dead = spawnSync("true").pid;
    const gone = folder(`${own}${dead}-${tag}`);
    const old = folder(`batch-control-preview-${tag}`);
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    utimesSync(old, longAgo, longAgo);
    const running = folder(`${own}${process.pid}-${tag}`);
    const elsewhere = folder(`${commitFolders("/elsewhere")}${dead}-${tag}`);
    const desk = new Desk(sandbox);
    sandbox.write(join(main, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "m", files: ["a.txt"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.deepEqual(
      [gone, old, running, elsewhere].map((path) => sandbox.exists(path)),
      [false, false, true, true],
    );
  });
});
