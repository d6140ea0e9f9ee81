import assert from "node:assert/strict";
import { mkdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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

  it("goes a day later with a batch, when no git that lives on can need it any more", async () => {
    const main = sandbox.repository("clone");
    // Names of this run only, in a folder that all runs share.
    const tag = basename(sandbox.root);
    const old = ["commit", "attributes", "preview", "links", "index"].map((kind) =>
      folder(`batch-control-${kind}-${tag}-old`),
    );
    const young = folder(`batch-control-commit-${tag}-young`);
    const theirs = folder(`theirs-${tag}`);
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const path of [...old, theirs]) utimesSync(path, longAgo, longAgo);
    const desk = new Desk(sandbox);
    sandbox.write(join(main, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree: main, message: "m", files: ["a.txt"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.deepEqual(
      old.filter((path) => sandbox.exists(path)),
      [],
    );
    assert.ok(sandbox.exists(young));
    assert.ok(sandbox.exists(theirs));
  });
});
