import assert from "node:assert/strict";
import { InputError } from "../../../src/core/errors.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: remotes that cannot be pushed to", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let main: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    main = sandbox.repository("clone");
    sandbox.remote(main);
  });
  afterEach(() => sandbox.dispose());
  const mirror = (): string => sandbox.git(main, "config", "remote.origin.mirror", "true");
  const words = /^origin is a mirror \(remote\.origin\.mirror\)/;

  it("a mirror is refused when queued", async () => {
    mirror();
    await assert.rejects(desk.enqueue({ worktree: main, branch: "main" }), (error: unknown) => {
      assert.ok(error instanceof InputError);
      assert.equal(error.field, "remote");
      assert.match(error.message.replace("remote: ", ""), words);
      return true;
    });
  });

  it("one that became a mirror while queued is named", async () => {
    const id = await desk.enqueue({ worktree: main, branch: "main" });
    mirror();
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["mirror"]);
    assert.match(desk.result(id).error ?? "", words);
  });

  for (const change of [
    ["rename", "origin", "upstream"],
    ["remove", "origin"],
  ] as const) {
    it(`one that was gone while queued is named (${change[0]})`, async () => {
      const id = await desk.enqueue({ worktree: main, branch: "main" });
      sandbox.git(main, "remote", ...change);
      await desk.flush();
      assert.deepEqual(desk.ends([id]), ["no-remote"]);
      assert.equal(
        desk.result(id).error,
        "there is no remote origin any more; it was renamed or removed since this was queued",
      );
    });
  }

  it("a password in a remote's address is neither told nor stored, whatever is in it", async () => {
    const address = "https://alice:open@sesame@127.0.0.1:9/x.git";
    sandbox.git(main, "remote", "set-url", "origin", address);
    const id = await desk.enqueue({ worktree: main, branch: "main" });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["push-failed"]);
    const kept = [desk.operations, desk.results, desk.effects, desk.facts].map((all) => [...all]);
    assert.match(JSON.stringify(kept), /https:\/\/127\.0\.0\.1:9\/x\.git/);
    assert.doesNotMatch(JSON.stringify(kept), /sesame|alice/);
    await assert.rejects(
      desk.enqueue({ worktree: main, branch: "main", remote: address }),
      /there is no remote https:\/\/127\.0\.0\.1:9\/x\.git;/,
    );
  });
});
