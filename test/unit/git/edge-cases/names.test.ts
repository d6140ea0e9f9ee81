import assert from "node:assert/strict";
import { makeBranches } from "../../../support/git/branches.ts";
import { Product } from "../../../support/git/product.ts";
import { Sandbox } from "../sandbox.ts";
import type { Remote } from "../sandbox.ts";

describe("git edge cases: names of branches", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let product: Product;
  let main: string;
  let remote: Remote;
  beforeEach(async () => {
    sandbox = new Sandbox();
    product = await Product.open(sandbox);
    main = sandbox.repository("clone");
    remote = sandbox.remote(main);
  });
  afterEach(async () => {
    await product.close();
    sandbox.dispose();
  });
  const push = (...names: readonly string[]): Promise<string[]> =>
    product.enqueueAll(...names.map((branch) => ({ worktree: main, branch })));
  const known = (name: string): void => {
    sandbox.git(remote.path, "update-ref", `refs/heads/${name}`, "main");
    sandbox.git(main, "fetch", "-q", "origin");
  };

  it("pushes a branch that is named like an option, or like an alias, and raises no alarm", async () => {
    sandbox.git(main, "update-ref", "refs/heads/--upload-pack=x", "HEAD");
    sandbox.git(main, "config", "alias.my-alias", "push --force");
    makeBranches(sandbox, main, "my-alias");
    const ids = await push("refs/heads/--upload-pack=x", "my-alias");
    await product.flush();
    assert.deepEqual(product.ends(ids), ["succeeded", "succeeded"]);
    assert.equal(sandbox.tip(remote.path, "refs/heads/--upload-pack=x"), sandbox.tip(main, "HEAD"));
    assert.equal(sandbox.tip(remote.path, "refs/heads/my-alias"), sandbox.tip(main, "refs/heads/my-alias"));
  });

  it("shows in the plan that a branch needs the place of a folder on the remote, which then refuses it alone", async () => {
    makeBranches(sandbox, main, "a", "fine");
    known("a/b");
    const ids = await push("a", "fine");
    await product.flush({
      ends: { [ids[0]!]: "rejected" },
      warnings: [/origin\.git: a and a\/b cannot be there side by side/],
    });
    assert.deepEqual(product.ends(ids), ["rejected", "succeeded"]);
    assert.match(product.result(ids[0]!).error ?? "", /the remote refused a .*failed to update ref/);
    assert.equal(sandbox.tip(remote.path, "a/b"), sandbox.tip(remote.path, "main"));
  });

  it("shows in the plan that names differ only in case; a host that ignores case refuses one, and only that", async () => {
    makeBranches(sandbox, main, "Feature/x", "one", "ONE");
    known("feature/x");
    // Stands in for a host whose file system ignores case.
    sandbox.hook(
      remote.path,
      "update",
      `for ref in $(git for-each-ref --format='%(refname)'); do
if [ "$ref" != "$1" ] && [ "$(echo "$ref" | tr A-Z a-z)" = "$(echo "$1" | tr A-Z a-z)" ]; then
echo "$1 is here as $ref" >&2; exit 1; fi; done`,
    );
    const ids = await push("Feature/x", "one", "ONE");
    await product.flush({
      ends: { [ids[0]!]: "hook-declined", [ids[2]!]: "hook-declined" },
      warnings: [
        /Feature\/x and feature\/x differ only in case; a host that ignores case refuses one/,
        /ONE and one differ only in case/,
      ],
    });
    assert.deepEqual(product.ends(ids), ["hook-declined", "succeeded", "hook-declined"]);
    assert.match(product.result(ids[0]!).error ?? "", /Feature\/x is here as refs\/heads\/feature\/x/);
    assert.equal(sandbox.tip(remote.path, "one"), sandbox.tip(main, "refs/heads/one"));
  });

  it("raises no alarm over names that only begin alike", async () => {
    makeBranches(sandbox, main, "a-b", "ab", "a/c");
    known("a/b");
    const ids = await push("a-b", "ab", "a/c");
    await product.flush();
    assert.deepEqual(product.ends(ids), ["succeeded", "succeeded", "succeeded"]);
  });
});
