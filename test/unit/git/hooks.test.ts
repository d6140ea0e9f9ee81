import assert from "node:assert/strict";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: commit hooks and signing", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  let worktree: string;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
    worktree = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
  });
  afterEach(() => sandbox.dispose());
  const queue = (message: string, file: string, place = worktree): Promise<string> => {
    sandbox.write(join(place, file), `${message}\n`);
    return desk.enqueue({ worktree: place, message, files: [file] });
  };

  it("a second queued commit of a file that a hook rewrote still goes in", async () => {
    sandbox.hook(
      worktree,
      "pre-commit",
      'for f in $(git diff --cached --name-only); do tr a-z A-Z < "$f" > .t; mv .t "$f"; git add "$f"; done',
    );
    const ids = [await queue("one", "a.txt"), await queue("two", "a.txt")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded"]);
    assert.equal(sandbox.git(worktree, "log", "--format=%s"), "two\none\nfirst\n");
  });

  it("fails where the worktree has another branch checked out by now", async () => {
    sandbox.hook(worktree, "pre-commit", "exit 0");
    const id = await queue("m", "a.txt");
    sandbox.git(worktree, "stash", "-q");
    sandbox.git(worktree, "checkout", "-q", "-b", "elsewhere");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["not-checked-out"]);
    assert.equal(
      sandbox.git(worktree, "log", "--all", "--format=%s", "main"),
      sandbox.git(worktree, "log", "--all", "--format=%s", "main"),
    );
  });

  it("signs where commits are signed", async () => {
    const signer = sandbox.path("signer");
    sandbox.write(
      signer,
      `#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\n\\nstub\\n-----END PGP SIGNATURE-----\\n'\n`,
    );
    sandbox.makeExecutable(signer);
    sandbox.git(worktree, "config", "gpg.program", signer);
    sandbox.git(worktree, "config", "commit.gpgSign", "true");
    const id = await queue("signed", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.match(
      sandbox.git(worktree, "cat-file", "commit", "HEAD"),
      /^gpgsig -----BEGIN PGP SIGNATURE-----/m,
    );
  });

  it("signs off", async () => {
    sandbox.write(join(worktree, "a.txt"), "2\n");
    const id = await desk.enqueue({ worktree, message: "m", files: ["a.txt"], signoff: true });
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(
      sandbox.git(worktree, "log", "-1", "--format=%B"),
      "m\n\nSigned-off-by: Ada <ada@example.com>\n\n",
    );
  });
});
