import assert from "node:assert/strict";
import { pushChoices } from "../../../src/git/push-choices.ts";
import { branchWith } from "../../support/git/branches.ts";
import { Desk } from "./desk.ts";
import { Sandbox } from "./sandbox.ts";

describe("git: what could be pushed", function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let desk: Desk;
  beforeEach(() => {
    sandbox = new Sandbox();
    desk = new Desk(sandbox);
  });
  afterEach(() => sandbox.dispose());
  const choices = async (worktree: string): Promise<readonly string[]> =>
    (await pushChoices(desk.git, worktree)).map(({ branch, state, commits }) =>
      [branch, state, commits].filter((part) => part !== undefined).join(" "),
    );

  it("is told by what the remote lacks, as last seen", async () => {
    const main = sandbox.repository("clone");
    sandbox.remote(main);
    for (const name of ["ahead", "behind", "same"]) branchWith(sandbox, main, name, { [name]: "x" }, "main");
    sandbox.git(main, "push", "-q", "origin", "ahead", "behind", "same");
    branchWith(sandbox, main, "next", { more: "x" }, "ahead");
    sandbox.git(main, "branch", "-f", "ahead", "next");
    sandbox.git(main, "branch", "-f", "behind", "main");
    sandbox.git(main, "branch", "-D", "-q", "next");
    branchWith(sandbox, main, "new", { new: "x" }, "main");
    sandbox.git(main, "checkout", "-q", "new");
    const found = await choices(main);
    assert.equal(found[0], "new absent", "the checked-out one first");
    for (const expected of ["ahead ahead 1", "behind same", "same same"])
      assert.ok(found.includes(expected), found.join());
  });

  it("names a branch without a commit, and one that has no remote to go to", async () => {
    const main = sandbox.repository("clone");
    const [own = ""] = await choices(main);
    assert.match(own, / absent$/);
    sandbox.git(main, "checkout", "-q", "--orphan", "fresh");
    assert.deepEqual((await choices(main))[0], "fresh unborn");
  });
});
