import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";

/** A process that has ended but that nobody has waited for does not run. */
function runs(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid.trim()}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("git edge cases: hooks", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let worktree: string;
  let other: string;
  beforeEach(async () => {
    sandbox = new Sandbox();
    product = await Product.open(sandbox);
    worktree = sandbox.repository("clone", { "a.txt": "1\n", "b.txt": "1\n" });
    other = sandbox.worktree(worktree, "other");
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });
  const queue = (message: string, file: string, place = worktree): Promise<string> => {
    sandbox.write(join(place, file), `${message}\n`);
    return product.enqueue({ worktree: place, message, files: [file] });
  };
  const index = (): Buffer => readFileSync(join(worktree, ".git/index"));
  const locks = (): readonly string[] =>
    ["index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock"].filter((name) =>
      sandbox.exists(join(worktree, ".git", name)),
    );

  it("a refusing hook fails its operation with what it said, leaves the index byte for byte, and other worktrees go on", async () => {
    sandbox.hook(
      worktree,
      "pre-commit",
      'echo "no tabs please" >&2; test "$(git diff --cached --name-only)" != a.txt',
    );
    sandbox.write(join(worktree, "staged.txt"), "x\n");
    sandbox.git(worktree, "add", "staged.txt");
    const bad = await queue("bad", "a.txt");
    const elsewhere = await queue("elsewhere", "b.txt", other);
    const before = index();
    await product.flush({ ends: { [bad]: "commit-refused" } });
    assert.deepEqual(product.ends([bad, elsewhere]), ["commit-refused", "succeeded"]);
    assert.match(product.result(bad).error ?? "", /no tabs please/);
    assert.equal(product.detail(bad)["output"], "no tabs please");
    assert.deepEqual(index(), before);
    assert.equal(sandbox.status(worktree), " M a.txt\nA  staged.txt\n");
    const good = await queue("good", "b.txt");
    await product.flush();
    assert.deepEqual(product.ends([good]), ["succeeded"]);
    assert.equal(sandbox.status(worktree), " M a.txt\nA  staged.txt\n");
  });

  it("of a hook that prints more than is kept, what it said first and last is", async () => {
    sandbox.hook(
      worktree,
      "pre-commit",
      'echo "lint begins" >&2; yes "another line" | head -n 80000 >&2; echo "3 problems" >&2; exit 1',
    );
    const bad = await queue("bad", "a.txt");
    await product.flush({ ends: { [bad]: "commit-refused" } });
    const output = String(product.detail(bad)["output"]);
    assert.match(output, /^lint begins\nanother line\n/);
    assert.match(output, /\n\[…\]\n[^]*another line\n3 problems$/);
    assert.ok(Buffer.byteLength(output) < 100_000, `${output.length} characters`);
  });

  it("commits what a hook rewrites and adds, names it, and leaves the worktree clean", async () => {
    sandbox.hook(
      worktree,
      "pre-commit",
      "echo formatted > a.txt; echo generated > gen.txt; git add a.txt gen.txt",
    );
    const id = await queue("x", "a.txt");
    await product.flush({ hookFiles: { [id]: ["gen.txt"] } });
    assert.deepEqual(product.ends([id]), ["succeeded"]);
    assert.equal(sandbox.git(worktree, "show", "HEAD:a.txt"), "formatted\n");
    assert.equal(sandbox.git(worktree, "show", "HEAD:gen.txt"), "generated\n");
    assert.deepEqual(product.detail(id)["hookChanges"], ["a.txt", "gen.txt"]);
    assert.equal(sandbox.status(worktree), "");
  });

  it("hooks see pathspecs, the index and the message as in any commit", async () => {
    const log = sandbox.path("seen");
    sandbox.hook(
      worktree,
      "pre-commit",
      `git diff --cached --name-only -- '*.ts' > '${log}'; env | grep -c ^GIT_LITERAL >> '${log}'; exit 0`,
    );
    sandbox.hook(worktree, "commit-msg", 'echo "Reviewed-by: hook" >> "$1"');
    const id = await queue("typed", "x.ts");
    await product.flush();
    assert.deepEqual(product.ends([id]), ["succeeded"]);
    assert.equal(sandbox.read(log), "x.ts\n0\n");
    assert.match(sandbox.git(worktree, "log", "-1", "--format=%B"), /Reviewed-by: hook/);
  });

  it("a git that is killed in mid-commit is a failure that the journal tells, and leaves no lock", async () => {
    sandbox.hook(worktree, "pre-commit", "kill -9 $PPID");
    const id = await queue("killed", "a.txt");
    await product.flush({ ends: { [id]: "killed" } });
    assert.deepEqual(product.ends([id]), ["killed"]);
    assert.equal(sandbox.git(worktree, "log", "--format=%s"), "first\n");
    assert.deepEqual(locks(), []);
    const batch = (await product.journal.operation(id))?.batch ?? "";
    const [effect] = await product.journal.effects(batch);
    assert.deepEqual([effect?.kind, effect?.state], ["commit", "failed"]);
    assert.equal((JSON.parse(effect?.plan ?? "{}") as { id?: string }).id, id);
    sandbox.hook(worktree, "pre-commit", "exit 0");
    const again = await queue("again", "a.txt");
    await product.flush();
    assert.deepEqual(product.ends([again]), ["succeeded"]);
  });

  it("an import of commits that is killed is a failure too: no branch, index or lock is left half way", async () => {
    const wrapper = sandbox.path("git");
    // The plan tries commits out in a store of its own; only the real import is hit.
    const hit = 'test -z "$GIT_OBJECT_DIRECTORY" && kill -9 $$';
    sandbox.write(wrapper, `#!/bin/sh\ncase "$*" in *fast-import*) ${hit};; esac\nexec git "$@"\n`);
    sandbox.makeExecutable(wrapper);
    await product.close();
    product = await Product.open(sandbox, { binary: wrapper });
    const id = await queue("killed", "a.txt");
    const before = index();
    await product.flush({ ends: { [id]: "killed" } });
    assert.deepEqual(product.ends([id]), ["killed"]);
    assert.equal(sandbox.git(worktree, "log", "--format=%s"), "first\n");
    assert.deepEqual(index(), before);
    assert.deepEqual(locks(), []);
    assert.equal(sandbox.status(worktree), " M a.txt\n");
    const batch = (await product.journal.operation(id))?.batch ?? "";
    assert.deepEqual(await product.journal.effects(batch), []);
  });

  it("stops a hook that never ends or prints for ever, with everything it started, and goes on", async () => {
    product.settings = { ...product.settings, commitTimeout: 1 };
    const pid = sandbox.path("pid");
    sandbox.hook(
      worktree,
      "pre-commit",
      `case "$(git diff --cached --name-only)" in
a.txt) sleep 1000 & echo $! > '${pid}'; yes;;
c.txt) sleep 1000;;
esac`,
    );
    const ids = [
      await queue("prints", "a.txt"),
      await queue("sleeps", "c.txt"),
      await queue("fine", "b.txt"),
    ];
    await product.flush({ ends: { [ids[0]!]: "timeout", [ids[1]!]: "timeout" } });
    assert.deepEqual(product.ends(ids), ["timeout", "timeout", "succeeded"]);
    assert.match(product.result(ids[0]!).error ?? "", /git commit took longer than 1 s/);
    assert.equal(runs(sandbox.read(pid)), false);
    assert.deepEqual(locks(), []);
    assert.equal(sandbox.git(worktree, "log", "--format=%s"), "fine\nfirst\n");
  });

  it("does not wait for a background child that a hook leaves behind, and ends it", async () => {
    const pid = sandbox.path("pid");
    sandbox.hook(worktree, "post-commit", `sleep 1000 & echo $! > '${pid}'`);
    const ids = [await queue("fine", "a.txt"), await queue("next", "b.txt")];
    await product.flush();
    assert.deepEqual(product.ends(ids), ["succeeded", "succeeded"]);
    assert.equal(runs(sandbox.read(pid)), false);
  });

  it("hooks that keep a backup in the stash never overlap between worktrees, and the stash stays as it was", async () => {
    sandbox.write(join(worktree, "b.txt"), "stashed before\n");
    sandbox.git(worktree, "stash", "-q");
    const stash = sandbox.git(worktree, "stash", "list", "--format=%H %gs");
    const log = sandbox.path("order");
    const swapped = sandbox.path("swapped");
    // As lint-staged does: a backup on the stack that all worktrees share, checked and dropped by its place there.
    sandbox.hook(
      worktree,
      "pre-commit",
      `echo in >> '${log}'
mine=$(git stash create backup); git stash store -q -m backup "$mine"
for file in $(git diff --cached --name-only); do tr a-z A-Z < "$file" > .t; mv .t "$file"; git add "$file"; done
sleep 0.2
test "$(git rev-parse 'stash@{0}')" = "$mine" || echo swapped >> '${swapped}'
git stash drop -q 'stash@{0}'
echo out >> '${log}'`,
    );
    const ids = [
      await queue("one", "a.txt"),
      await queue("two", "b.txt", other),
      await queue("three", "b.txt"),
      await queue("four", "a.txt", other),
    ];
    await product.flush();
    assert.deepEqual(product.ends(ids), ["succeeded", "succeeded", "succeeded", "succeeded"]);
    assert.equal(sandbox.read(log), "in\nout\n".repeat(4));
    assert.equal(sandbox.exists(swapped), false);
    assert.equal(sandbox.git(worktree, "stash", "list", "--format=%H %gs"), stash);
    assert.equal(sandbox.git(worktree, "show", "main:a.txt", "other:a.txt"), "ONE\nFOUR\n");
    assert.deepEqual([sandbox.status(worktree), sandbox.status(other)], ["", ""]);
  });
});
