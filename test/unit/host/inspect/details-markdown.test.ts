import assert from "node:assert/strict";
import type { Operation, Origin } from "../../../../src/core/operation.ts";
import { detailsMarkdown } from "../../../../src/host/inspect/details-markdown.ts";
import { fill } from "../../../support/host/translate.ts";

const operation: Operation = {
  id: "01900000-0000-7000-8000-000000000001",
  kind: "commit",
  group: "git:/repos/app/.git",
  lane: "git:/repos/app/.git",
  label: "Tidy *the* basket",
  source: "person",
  enqueuedAt: 0,
  status: "failed",
  reason: "commit-refused",
  error: "lint failed",
  batch: "01900000-0000-7000-8000-00000000000b",
  position: 1,
  bytes: 10,
  detail: { engine: "porcelain", output: "lint:\n```\nbasket.js: bad\n```" },
};
const here: Origin = { machine: "desk", window: "w1", workspace: "app" };
const told = (more: Partial<Operation> = {}, input: Readonly<Record<string, unknown>> = {}): string =>
  detailsMarkdown(
    { operation: { ...operation, ...more }, here, result: undefined, input },
    fill,
    () => "noon",
  );

describe("An operation's details", () => {
  it("tell status, reason and error, and what the hooks said", () => {
    const text = told({}, { message: "Tidy the basket", worktree: "/repos/app" });
    assert.match(text, /^# Tidy \\\*the\\\* basket$/m);
    assert.match(text, /^- Status: failed$/m);
    assert.match(text, /^- Reason: `commit-refused`$/m);
    assert.match(text, /^- Queued: noon \(by hand\)$/m);
    assert.match(text, /## Error\n\n```text\nlint failed\n```/);
    assert.match(text, /## Message\n\n```text\nTidy the basket\n```/);
    assert.match(text, /"worktree": "\/repos\/app"/);
    assert.match(text, /## Detail\n\n```json\n{\n {2}"engine": "porcelain"\n}\n```/);
  });

  it("tell what to do about a failure, below it, with names as plain text", () => {
    const detail = { source: "agent/*two*", target: "main" };
    const text = told({ kind: "merge", reason: "conflict", error: "both changed a.js", detail });
    assert.match(
      text,
      /both changed a\.js\n```\n\n## What to do\n\nMerge main into agent\/\\\*two\\\* where /,
    );
    assert.doesNotMatch(told({ reason: "git-failed" }), /What to do/);
  });

  it("keep a fence within an output from ending theirs", () => {
    assert.match(told(), /````text\nlint:\n```\nbasket\.js: bad\n```\n````/);
  });

  it("tell the answer of a remote, and take no remote's name for one", () => {
    const push = {
      kind: "push",
      detail: { worktree: "/repos/app", branch: "main", remote: "origin" },
    } as const;
    assert.doesNotMatch(told(push), /Answer of the remote/);
    const refused = told({ ...push, detail: { ...push.detail, remoteOutput: "main is protected" } });
    assert.match(refused, /## Answer of the remote\n\n```text\nmain is protected\n```/);
    assert.match(refused, /"remote": "origin"/);
  });

  it("do not repeat what was asked for", () => {
    const detail = { worktree: "/repos/app", files: ["a.js"], engine: "fast" };
    const text = told({ detail }, { worktree: "/repos/app", files: ["a.js"] });
    assert.match(text, /## Detail\n\n```json\n{\n {2}"engine": "fast"\n}\n```/);
    assert.match(text, /## Asked for\n\n```json\n{\n {2}"worktree": "\/repos\/app"/);
  });

  it("say nothing of what there is not", () => {
    const { error: _, reason: __, batch: ___, detail: ____, ...bare } = operation;
    const text = detailsMarkdown(
      { operation: { ...bare, status: "queued" }, here, result: undefined, input: {} },
      fill,
      () => "noon",
    );
    assert.deepEqual(text.match(/^##.*$/gm), null);
    assert.doesNotMatch(text, /undefined|Reason|Batch|Queued in/);
  });

  it("tell which window on which machine it was queued in", () => {
    const line = (origin: Origin): string | undefined => /^- Queued in: (.*)$/m.exec(told({ origin }))?.[1];
    assert.equal(line(here), "`app` on `desk` (this window)");
    assert.equal(line({ ...here, window: "w2" }), "`app` on `desk`");
    assert.equal(line({ machine: "lap*top", window: "w2" }), "a window without a folder on `lap*top`");
  });

  it("list the branches that moved", () => {
    const result = {
      id: operation.id,
      status: "succeeded",
      commit: "b".repeat(40),
      refs: [{ ref: "refs/heads/main", old: "a".repeat(40), new: "b".repeat(40) }],
    } as const;
    const text = detailsMarkdown({ operation, here, result, input: {} }, fill, () => "noon");
    assert.match(text, /refs\/heads\/main\n {2}a{40}\n {2}b{40}/);
    assert.match(text, /^- Commit: `b{40}`$/m);
  });
});
