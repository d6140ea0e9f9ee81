import assert from "node:assert/strict";
import type { ChangedFile } from "../../../src/host/parts.ts";
import { likelyFiles, worktreesByChanges } from "../../../src/host/ui/commit-choices.ts";
import { fill } from "../../support/host/translate.ts";

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  change: "modified",
  staged: false,
  ...more,
});

describe("The choices of a commit", () => {
  it("have worktrees without changes last, and say how much changed", () => {
    const worktrees = ["main", "one", "broken", "two"].map((branch) => ({
      path: `/w/${branch}`,
      branch,
      repository: "app",
      main: "/w/main",
    }));
    const counts = new Map([
      ["/w/main", 0],
      ["/w/one", 2],
      ["/w/two", 1],
    ]);
    assert.deepEqual(
      worktreesByChanges(worktrees, counts, fill).map(
        ({ label, description }) => `${label} | ${description}`,
      ),
      [
        "one | app · changed files: 2",
        "broken | app · changed files: ?",
        "two | app · changed files: 1",
        "main | app · no changes",
      ],
    );
  });

  it("tick what is pointed at, else what is staged, else every change without a conflict", () => {
    const changed = [file("a"), file("b", { staged: true }), file("c", { change: "conflicted" })];
    const ticked = (files: readonly ChangedFile[], pointedAt: readonly string[] = []) => [
      ...likelyFiles(files, new Set(pointedAt), "/w"),
    ];
    assert.deepEqual(ticked(changed, ["/w/a"]), ["a"]);
    assert.deepEqual(ticked(changed), ["b"]);
    // What is queued already is left out, unless it is pointed at.
    const queued = new Set(["a"]);
    assert.deepEqual([...likelyFiles([changed[0]!, file("n")], new Set(), "/w", queued)], ["n"]);
    assert.deepEqual([...likelyFiles([changed[0]!, file("n")], new Set(["/w/a"]), "/w", queued)], ["a"]);
    assert.deepEqual(ticked([changed[0]!, file("n", { change: "untracked" }), changed[2]!]), ["a", "n"]);
  });
});
