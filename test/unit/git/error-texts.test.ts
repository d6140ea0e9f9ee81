import assert from "node:assert/strict";
import { join } from "node:path";
import { plainText } from "../../../src/git/plain-text.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** Colour, a window title, a link, a bell, and a carriage return that would hide what stands before it. */
const loud = String.raw`printf '\033[31;1mno\033[0m \033]0;owned\007\033]8;;http://evil\033\\way\033]8;;\033\\ \007here\r\nsecond\n' >&2; exit 1`;

describe("git: what others print", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone");
  });
  afterEach(() => sandbox.dispose());
  const held = (value: unknown): string => JSON.stringify(value);
  // eslint-disable-next-line no-control-regex
  const raw = /\\u00[01]|[\x00-\x09\x0b-\x1f\x7f-\x9f]/;

  it("is text without escape sequences and control characters", () => {
    assert.equal(plainText("\u001b[2Ja\tb\r\nc\rd\u0000\u0008\u009b31me\u202ef"), "a\tb\nc\nd" + "ef");
  });

  it("of a remote's hook", async () => {
    const remote = sandbox.remote(main);
    sandbox.hook(remote.path, "pre-receive", loud);
    sandbox.git(main, "commit", "-q", "--allow-empty", "-m", "more");
    const id = await desk.enqueue({ worktree: main, branch: "main" });
    await desk.flush();
    const { error, reason } = desk.result(id);
    assert.equal(reason, "hook-declined");
    assert.equal(error, "the remote refused main (pre-receive hook declined): no way here\nsecond");
    assert.equal(desk.detail(id)["remoteOutput"], "no way here\nsecond");
    assert.doesNotMatch(held(desk.detail(id)), raw);
  });

  it("of a commit hook, and of what verifies a merge", async () => {
    sandbox.worktree(main, "topic");
    sandbox.git(join(main, "../topic"), "commit", "-q", "--allow-empty", "-m", "topic");
    sandbox.hook(main, "pre-commit", loud);
    sandbox.write(join(main, "a.txt"), "2\n");
    const commit = await desk.enqueue({ worktree: main, message: "m\u001b[1mbold", files: ["a.txt"] });
    await desk.flush();
    assert.equal(desk.result(commit).error, "no way here");
    assert.equal(desk.detail(commit)["output"], "no way here\nsecond");
    assert.equal(desk.operations.get(commit)!.label, "mbold");
    desk.settings = {
      ...desk.settings,
      verifyCommand: `test "$(git log -1 --format=%s)" = first || { ${loud}; }`,
    };
    sandbox.git(main, "branch", "free");
    const merge = await desk.enqueue({ worktree: main, source: "topic", target: "free" });
    await desk.flush();
    assert.equal(desk.result(merge).error, "verification fails with topic: second");
    assert.doesNotMatch(held(desk.detail(merge)), raw);
  });
});
