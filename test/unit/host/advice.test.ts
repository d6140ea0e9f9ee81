import assert from "node:assert/strict";
import { adviceFor } from "../../../src/host/advice.ts";
import { worktreeBehind } from "../../../src/host/inspect/worktree-behind.ts";
import type { WorktreeChoice } from "../../../src/host/parts.ts";
import { operation } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const merge = { worktree: "/repos/app", source: "agent/two", target: "main", mode: "merge" };
const failed = (kind: "commit" | "push" | "merge" | "request", reason: string, detail?: unknown) =>
  operation("a", { kind, reason, status: "failed", ...(detail === undefined ? {} : { detail }) });

describe("The advice about a failure", () => {
  it("says of a conflict which branch to merge into which, and where", () => {
    assert.equal(
      adviceFor(failed("merge", "conflict", merge), fill),
      "Merge main into agent/two where agent/two is checked out, resolve the files there and commit them; then retry.",
    );
  });

  it("is there for what hooks, checks and changed files are met with", () => {
    const cases: readonly (readonly [ReturnType<typeof failed>, RegExp])[] = [
      [failed("merge", "not-fast-forward", merge), /^Merge main into agent\/two, or rebase agent\/two/],
      [failed("merge", "verify-failed", merge), /^Mend on agent\/two what the check found/],
      [failed("merge", "worktree-dirty", merge), /^Commit or stash what is in the way/],
      [failed("commit", "commit-refused"), /queue the commit again.*a retry would bring the same content/],
      [failed("push", "push-refused"), /pre-push hook.*then retry/],
    ];
    for (const [of, advice] of cases) assert.match(adviceFor(of, fill) ?? "", advice, of.reason);
  });

  it("is not there where the failure's own words say what to do, where nothing is known, or where nothing failed", () => {
    const none = [
      failed("push", "non-fast-forward"),
      failed("commit", "changed"),
      failed("request", "conflict"),
      failed("merge", "git-failed", merge),
      failed("merge", "conflict", "unreadable"),
      { ...failed("merge", "conflict", merge), status: "succeeded" as const },
    ];
    for (const of of none) assert.equal(adviceFor(of, fill), undefined, of.reason);
  });
});

describe("The worktree behind an operation", () => {
  const at = (path: string, branch: string, main = "/repos/app"): WorktreeChoice => ({
    path,
    branch,
    repository: "app",
    main,
  });
  const worktrees = [
    at("/repos/other-two", "agent/two", "/repos/other"),
    at("/repos/app", "main"),
    at("/repos/app-two", "agent/two"),
  ];

  it("is, of a merge that failed, the one of its repository that has its source checked out", () => {
    const conflicting = failed("merge", "conflict", merge);
    assert.equal(worktreeBehind(conflicting, "/repos/app", worktrees), "/repos/app-two");
    assert.equal(worktreeBehind(conflicting, "/repos/app", worktrees.slice(0, 2)), "/repos/app");
    assert.equal(worktreeBehind(conflicting, "/repos/gone", worktrees), "/repos/gone");
  });

  it("is the one that it was queued from, of everything else", () => {
    const queued = { ...failed("merge", "conflict", merge), status: "queued" as const };
    assert.equal(worktreeBehind(queued, "/repos/app", worktrees), "/repos/app");
    assert.equal(worktreeBehind(failed("push", "rejected"), "/repos/app-two", worktrees), "/repos/app-two");
  });
});
