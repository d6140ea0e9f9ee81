import assert from "node:assert/strict";
import type { Snapshot } from "../../../src/core/snapshot.ts";
import type { PushChoice } from "../../../src/host/parts.ts";
import { branchesToPush, isUnborn } from "../../../src/host/ui/push-branches.ts";
import { queuedBranches } from "../../../src/host/ui/queued-files.ts";
import { fill } from "../../support/host/translate.ts";

const choices: readonly PushChoice[] = [
  { branch: "fresh", state: "unborn" },
  { branch: "done", state: "same" },
  { branch: "more", state: "ahead", commits: 3 },
  { branch: "many", state: "ahead" },
  { branch: "new", state: "absent" },
];

describe("The branches of a push", () => {
  const shown = (queued: readonly string[]): readonly string[] =>
    branchesToPush(choices, new Set(queued), fill, String).map(
      ({ label, description }) => `${label}: ${description}`,
    );

  it("begin with those that have something to push, and say what", () => {
    assert.deepEqual(shown([]), [
      "more: commits to push: 3",
      "many: differs from the remote",
      "new: not on the remote yet",
      "done: nothing to push",
      "fresh: no commits yet",
    ]);
    assert.ok(isUnborn(choices, new Set(), "fresh"));
    assert.ok(!isUnborn(choices, new Set(), "done"));
  });

  it("have something to push where a queued commit or merge goes onto them", () => {
    assert.deepEqual(shown(["fresh", "done"]).slice(0, 2), [
      "fresh: what is queued for it is pushed with it",
      "done: what is queued for it is pushed with it",
    ]);
    assert.ok(!isUnborn(choices, new Set(["fresh"]), "fresh"));
    const queued = [
      { kind: "commit", detail: { worktree: "/one", branch: "a", files: [], fileCount: 0 } },
      { kind: "merge", detail: { worktree: "/two", source: "x", target: "b", mode: "merge" } },
      { kind: "push", detail: { worktree: "/two", branch: "c", remote: "origin" } },
      { kind: "commit", detail: { worktree: "/other", branch: "d", files: [], fileCount: 0 } },
    ];
    const snapshot = { git: { queued } } as unknown as Pick<Snapshot, "git">;
    assert.deepEqual([...queuedBranches(snapshot, ["/one", "/two"])], ["a", "b"]);
  });
});
