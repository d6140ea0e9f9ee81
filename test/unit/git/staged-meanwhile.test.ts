import assert from "node:assert/strict";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: what somebody stages while hooks run", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.dispose());

  it("stays staged, whatever of the batch is committed after it", async () => {
    const main = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n", "theirs.txt": "1\n" });
    for (const file of ["a.txt", "b.txt", "theirs.txt"]) sandbox.write(join(main, file), "2\n");
    const desk = new Desk(sandbox);
    const ids: string[] = [];
    for (const file of ["a.txt", "b.txt"])
      ids.push(await desk.enqueue({ worktree: main, message: file, files: [file] }));
    // The first time only, and into the worktree's own index, as from a terminal.
    const begun = sandbox.path("begun");
    sandbox.hook(
      main,
      "pre-commit",
      `[ -e '${begun}' ] && exit 0; touch '${begun}'; unset GIT_INDEX_FILE; git add theirs.txt`,
    );
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
    // Only in the index is now what was staged.
    sandbox.write(join(main, "theirs.txt"), "3\n");
    assert.equal(sandbox.git(main, "show", ":theirs.txt"), "2\n");
    assert.equal(sandbox.status(main), "MM theirs.txt\n");
  });
});
