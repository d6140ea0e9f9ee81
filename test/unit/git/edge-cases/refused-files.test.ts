import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../../src/core/errors.ts";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";

describe("git edge cases: files that are refused", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let worktree: string;
  beforeEach(async () => {
    sandbox = new Sandbox();
    product = await Product.open(sandbox);
    worktree = sandbox.repository("clone", {
      "a.txt": "1\n",
      "dir/b.txt": "1\n",
      ".gitignore": "*.log\nbuild/\n",
    });
    sandbox.write(join(worktree, "a.txt"), "2\n");
    symlinkSync("dir", join(worktree, "link"));
    mkdirSync(join(worktree, "empty"));
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });
  const written = (): string =>
    sandbox.git(worktree, "for-each-ref") +
    sandbox.git(worktree, "ls-files", "-s") +
    sandbox.status(worktree);

  for (const [what, file, field, message] of [
    ["a folder", "dir", "files", /^files: dir is a folder; name the files in it$/],
    ["an empty folder", "empty", "files", /^files: empty is a folder/],
    ["a missing path", "missing.txt", "files", /^files: missing\.txt does not exist and is not on main$/],
    [
      "a path that leaves the worktree",
      "../x",
      "files.1",
      /^files\.1: \.\.\/x may not contain \.\.; name files inside/,
    ],
    ["one that leaves it further on", "dir/../../x", "files.1", /dir\/\.\.\/\.\.\/x may not contain \.\./],
    [
      "git's own folder",
      ".git/config",
      "files.1",
      /^files\.1: \.git\/config lies in a \.git folder; name files of the worktree$/,
    ],
    ["git's own folder in other letters", "sub/.GIT/hooks/pre-commit", "files.1", /lies in a \.git folder/],
    [
      "a path through a symbolic link",
      "link/b.txt",
      "files",
      /^files: link\/b\.txt lies behind the symbolic link link$/,
    ],
    [
      "an absolute path elsewhere",
      "/etc/passwd",
      "files.1",
      /^files\.1: \/etc\/passwd is outside the worktree/,
    ],
    ["the worktree itself", ".", "files.1", /is the worktree itself; name files/],
  ] as const) {
    it(`refuses a list with ${what}, names it and writes nothing`, async () => {
      const before = written();
      const asked = product.enqueue({ worktree, message: "m", files: ["a.txt", file] });
      await assert.rejects(asked, (error: unknown) => {
        assert.ok(error instanceof InputError, String(error));
        assert.equal(error.field, field);
        assert.match(error.message, message);
        return true;
      });
      assert.equal(written(), before);
      assert.deepEqual(await product.preview(), []);
    });
  }

  it("refuses an ignored file and says how to commit it all the same, which then works", async () => {
    for (const file of ["x.log", "build/out.txt"]) {
      sandbox.write(join(worktree, file), "x\n");
      const before = written();
      const asked = { worktree, message: "m", files: [file] };
      await assert.rejects(product.enqueue(asked), (error: unknown) => {
        assert.ok(error instanceof InputError, String(error));
        assert.equal(error.reason, "ignored");
        assert.equal(
          error.message,
          `files: ${file} is untracked and matches an ignore rule; git add -f it first to commit it all the same`,
        );
        return true;
      });
      assert.equal(written(), before);
      sandbox.git(worktree, "add", "-f", file);
      const id = await product.enqueue(asked);
      await product.flush();
      assert.deepEqual(product.ends([id]), ["succeeded"]);
      assert.equal(sandbox.git(worktree, "show", "--format=", "--name-only", "HEAD"), `${file}\n`);
    }
  });
});
