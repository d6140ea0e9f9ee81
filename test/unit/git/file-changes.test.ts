import assert from "node:assert/strict";
import { join } from "node:path";
import { fileChanges, fileContent } from "../../../src/git/file-changes.ts";
import type { FileChange } from "../../../src/git/file-changes.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: what an operation does to files", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone", { "a.txt": "1\n", "gone.txt": "old\n" });
  });
  afterEach(() => sandbox.dispose());

  const changesOf = (id: string): Promise<readonly FileChange[]> =>
    fileChanges(desk.git, desk.operations.get(id)!, desk.results.get(id));
  /** Path, text before, text after. */
  const shown = async (id: string): Promise<readonly (readonly (string | undefined)[])[]> => {
    const textOf = async (version: FileChange["before"]): Promise<string | undefined> => {
      if (!version) return undefined;
      const content = await fileContent(desk.git, join(main, ".git"), version);
      return content.kind === "text" ? content.text : content.kind;
    };
    const changes = await changesOf(id);
    return Promise.all(
      changes.map(async ({ path, before, after }) => [path, await textOf(before), await textOf(after)]),
    );
  };

  it("shows a queued commit as it was pinned, and the same once it is made", async () => {
    sandbox.write(join(main, "a.txt"), "2\n");
    sandbox.write(join(main, "dir/new ü.txt"), "new\n");
    sandbox.remove(join(main, "gone.txt"));
    const files = ["a.txt", "dir/new ü.txt", "gone.txt"];
    const id = await desk.enqueue({ worktree: main, message: "m", files });
    sandbox.write(join(main, "a.txt"), "3\n");
    const expected = [
      ["a.txt", "1\n", "2\n"],
      ["dir/new ü.txt", undefined, "new\n"],
      ["gone.txt", "old\n", undefined],
    ];
    assert.deepEqual(await shown(id), expected);
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.deepEqual(await shown(id), expected);
  });

  it("shows the first commit of a branch against nothing", async () => {
    const unborn = sandbox.path("unborn");
    sandbox.git(sandbox.path("."), "init", "-q", "-b", "main", unborn);
    sandbox.write(join(unborn, "first.txt"), "first\n");
    const id = await desk.enqueue({ worktree: unborn, message: "m", files: ["first.txt"] });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.deepEqual(
      (await changesOf(id)).map(({ path, before }) => [path, before]),
      [["first.txt", undefined]],
    );
  });

  it("shows what a merge brought into its target", async () => {
    const worktree = sandbox.worktree(main, "topic");
    sandbox.write(join(worktree, "a.txt"), "topic\n");
    sandbox.git(worktree, "commit", "-q", "-am", "topic");
    const id = await desk.enqueue({ worktree, source: "topic", target: "main" });
    assert.deepEqual(await changesOf(id), []);
    await desk.flush();
    assert.deepEqual(await shown(id), [["a.txt", "1\n", "topic\n"]]);
  });

  it("shows no bytes of what is no text, and names the commit of a submodule", async () => {
    sandbox.write(join(main, "a.bin"), Buffer.from([0, 1, 2]));
    const id = await desk.enqueue({ worktree: main, message: "m", files: ["a.bin"] });
    assert.deepEqual(await shown(id), [["a.bin", undefined, "binary"]]);
    const oid = sandbox.tip(main, "main");
    assert.deepEqual(await fileContent(desk.git, join(main, ".git"), { mode: "160000", oid }), {
      kind: "text",
      text: `Subproject commit ${oid}\n`,
    });
  });

  it("knows of no files behind a push", async () => {
    sandbox.remote(main);
    const id = await desk.enqueue({ worktree: main });
    assert.deepEqual(await changesOf(id), []);
  });
});
