import assert from "node:assert/strict";
import { likelySources, likelyTargets, repositoriesOf } from "../../../src/host/ui/merge-choices.ts";

const at = (repository: string, path: string, branch?: string) => ({
  path: `/${repository}${path}`,
  main: `/${repository}`,
  repository,
  ...(branch === undefined ? {} : { branch }),
});
const worktrees = [
  at("shop", "", "main"),
  at("shop", "-one", "one"),
  at("lib", "", "trunk"),
  at("shop", "-x"),
];
const branches = ["main", "old", "one", "two"];

describe("The choices of a merge", () => {
  it("are of a repository, asked for only where there are several", () => {
    assert.deepEqual(
      repositoriesOf(worktrees).map(({ path }) => path),
      ["/shop", "/lib"],
    );
    // A bare repository has no main worktree.
    const bare = [at("bare", "/a", "a"), at("bare", "/b", "b")];
    assert.deepEqual(
      repositoriesOf(bare).map(({ path }) => path),
      ["/bare/a"],
    );
  });

  it("begin with what is checked out beside the main worktree, and into what that one has", () => {
    assert.deepEqual(likelySources(branches, worktrees, "/shop"), ["one", "old", "two", "main"]);
    assert.deepEqual(likelyTargets(["old", "main", "two"], worktrees, "/shop"), ["main", "old", "two"]);
    assert.deepEqual(
      likelySources(["old", "one", "two"], [...worktrees, at("shop", "-two", "two")], "/shop-two"),
      ["two", "one", "old"],
    );
  });
});
