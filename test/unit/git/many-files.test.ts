import assert from "node:assert/strict";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: a commit of many files", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.dispose());

  it("is pinned in one pack that is there when it is acknowledged, and holds what git add would add", async () => {
    const desk = new Desk(sandbox);
    const main = sandbox.repository("clone");
    sandbox.write(join(main, ".git/info/attributes"), "*.txt text\n");
    const names = Array.from({ length: 150 }, (_, index) => `f ${index}.txt`);
    for (const name of names) sandbox.write(join(main, name), `${name}\r\n`);
    // Nothing twice: a file that is known, and two alike.
    sandbox.write(join(main, "known.txt"), "a\n");
    sandbox.write(join(main, "twin.txt"), "f 0.txt\n");
    symlinkSync("f 0.txt", join(main, "link"));
    const files = [...names, "known.txt", "twin.txt", "link"];
    const id = await desk.enqueue({ worktree: main, message: "many", files });
    const counted = sandbox.git(main, "count-objects", "-v");
    assert.match(counted, /^packs: 1$/m);
    assert.match(counted, /^in-pack: 151$/m);
    assert.deepEqual(
      readdirSync(join(main, ".git/objects")).filter((name) => name.startsWith("tmp_")),
      [],
    );
    for (const name of names) sandbox.remove(join(main, name));
    sandbox.git(main, "gc", "-q", "--prune=now");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(main, "show", "HEAD:f 149.txt"), "f 149.txt\n");
    assert.equal(sandbox.git(main, "show", "HEAD:twin.txt"), "f 0.txt\n");
    assert.equal(sandbox.git(main, "show", "HEAD:link"), "f 0.txt");
    assert.equal(sandbox.git(main, "ls-tree", "-r", "--name-only", "HEAD").split("\n").length, 155);
    assert.ok(sandbox.gitWorks(main, "fsck", "--strict"));
  });
});
