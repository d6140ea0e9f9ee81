import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

/** A process that has ended but that nobody has waited for does not run. */
function runs(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid.trim()}/stat`, "utf8"));
  } catch {
    return false;
  }
}

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

  it("a refusing hook fails its operation with its output, leaves the index alone and the others go on", async () => {
    const other = sandbox.worktree(worktree, "other");
    sandbox.hook(
      worktree,
      "pre-commit",
      'echo "no tabs please" >&2; test "$(git diff --cached --name-only)" != a.txt',
    );
    const bad = await queue("bad", "a.txt");
    const good = await queue("good", "b.txt");
    const elsewhere = await queue("elsewhere", "b.txt", other);
    sandbox.write(join(worktree, "staged.txt"), "x\n");
    sandbox.git(worktree, "add", "staged.txt");
    const before = readFileSync(join(worktree, ".git/index"));
    sandbox.git(worktree, "branch", "-q", "probe");
    await desk.flush();
    assert.deepEqual(desk.ends([bad, good, elsewhere]), ["commit-refused", "succeeded", "succeeded"]);
    assert.match(desk.result(bad).error ?? "", /no tabs please/);
    assert.equal(desk.detail(bad)["output"], "no tabs please");
    assert.equal(sandbox.status(worktree), " M a.txt\nA  staged.txt\n");

    assert.notDeepEqual(readFileSync(join(worktree, ".git/index")), before);
  });

  it("a refused commit leaves the index as it was, byte for byte", async () => {
    sandbox.hook(worktree, "pre-commit", "exit 1");
    const id = await queue("bad", "a.txt");
    const before = readFileSync(join(worktree, ".git/index"));
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["commit-refused"]);
    assert.equal(desk.result(id).error, "git commit ended with 1.");
    assert.deepEqual(readFileSync(join(worktree, ".git/index")), before);
  });

  it("commits what a hook rewrites and adds, names it, and leaves the worktree clean", async () => {
    sandbox.hook(
      worktree,
      "pre-commit",
      "echo formatted > a.txt; echo generated > gen.txt; git add a.txt gen.txt",
    );
    const id = await queue("x", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "formatted\n");
    assert.equal(sandbox.git(worktree, "show", "HEAD:gen.txt"), "generated\n");
    assert.deepEqual(desk.detail(id)["hookChanges"], ["a.txt", "gen.txt"]);
    assert.equal(sandbox.status(worktree), "");
  });

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

  it("hooks see pathspecs and the index as in any commit", async () => {
    const log = sandbox.path("seen");
    sandbox.hook(
      worktree,
      "pre-commit",
      `git diff --cached --name-only -- '*.ts' > '${log}'; env | grep -c ^GIT_LITERAL >> '${log}'; exit 0`,
    );
    sandbox.hook(worktree, "commit-msg", 'echo "Reviewed-by: hook" >> "$1"');
    const id = await queue("typed", "x.ts");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(sandbox.read(log), "x.ts\n0\n");
    assert.match(sandbox.git(worktree, "log", "-1", "--format=%B"), /Reviewed-by: hook/);
  });

  it("never runs hooks of two worktrees of one clone at once", async () => {
    const other = sandbox.worktree(worktree, "other");
    const log = sandbox.path("order");
    sandbox.hook(worktree, "pre-commit", `echo in >> '${log}'; sleep 0.2; echo out >> '${log}'`);
    const ids = [
      await queue("one", "a.txt"),
      await queue("two", "b.txt", other),
      await queue("three", "b.txt"),
    ];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["succeeded", "succeeded", "succeeded"]);
    assert.equal(sandbox.read(log), "in\nout\n".repeat(3));
  });

  it("stops a hook that never ends, with everything it started, and goes on", async () => {
    desk.settings = { ...desk.settings, commitTimeout: 1 };
    const pid = sandbox.path("pid");
    sandbox.hook(
      worktree,
      "pre-commit",
      `case "$(git diff --cached --name-only)" in a.txt) sleep 1000 & echo $! > '${pid}'; yes;; esac`,
    );
    const ids = [await queue("hangs", "a.txt"), await queue("fine", "b.txt")];
    await desk.flush();
    assert.deepEqual(desk.ends(ids), ["timeout", "succeeded"]);
    assert.equal(runs(sandbox.read(pid)), false);
  });

  it("does not wait for a background child that a hook leaves behind", async () => {
    const pid = sandbox.path("pid");
    sandbox.hook(worktree, "post-commit", `sleep 1000 & echo $! > '${pid}'`);
    const id = await queue("fine", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["succeeded"]);
    assert.equal(runs(sandbox.read(pid)), false);
  });

  it("a git that is killed in mid-commit is a failure, never a success", async () => {
    sandbox.hook(worktree, "pre-commit", "kill -9 $PPID");
    const id = await queue("killed", "a.txt");
    await desk.flush();
    assert.deepEqual(desk.ends([id]), ["killed"]);
    assert.equal(sandbox.git(worktree, "log", "--format=%s"), "first\n");
    assert.equal(sandbox.exists(join(worktree, ".git/index.lock")), false);
    assert.equal(sandbox.exists(join(worktree, ".git/HEAD.lock")), false);
  });

  it("takes back a commit that would revert what came in while it started", async () => {
    const once = sandbox.path("once");
    sandbox.hook(worktree, "pre-commit", "exit 0");
    // Another process commits between our reading the tip and git doing so: the wrapper stands in for it.
    const wrapper = sandbox.path("git");
    sandbox.write(
      wrapper,
      `#!/bin/sh\ncase "$*" in *"commit --no-status"*) if [ ! -e '${once}' ]; then touch '${once}'; (unset GIT_INDEX_FILE; cd '${worktree}'; echo theirs > b.txt; git commit -q --no-verify -m theirs b.txt); fi;; esac\nexec git "$@"\n`,
    );
    sandbox.makeExecutable(wrapper);
    const racing = new Desk(sandbox, {}, {}, wrapper);
    sandbox.write(join(worktree, "a.txt"), "mine\n");
    const id = await racing.enqueue({ worktree, message: "mine", files: ["a.txt"] });
    await racing.flush();
    assert.deepEqual(racing.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(worktree, "log", "--format=%s"), "mine\ntheirs\nfirst\n");
    assert.equal(sandbox.git(worktree, "show", "HEAD:b.txt"), "theirs\n");
    assert.equal(sandbox.status(worktree), "");
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
