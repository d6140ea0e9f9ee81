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
const writing = { time: () => "noon", count: String, usd: (value: number) => `$${value}` };
const told = (more: Partial<Operation> = {}, input: Readonly<Record<string, unknown>> = {}): string =>
  detailsMarkdown({ operation: { ...operation, ...more }, here, result: undefined, input }, fill, writing);

describe("An operation's details", () => {
  it("tell status, reason and error, and what the hooks said", () => {
    const text = told({}, { message: "Tidy the basket", worktree: "/repos/app" });
    assert.match(text, /^# Tidy \\\*the\\\* basket$/m);
    assert.match(text, /^- Status: failed$/m);
    assert.match(text, /^- Reason: A hook or git itself refused the commit\.$/m);
    assert.match(text, /^- Queued: noon \(by hand\)$/m);
    assert.match(text, /## Error\n\n```text\nlint failed\n```/);
    assert.match(text, /## Message\n\n```text\nTidy the basket\n```/);
    assert.match(text, /^- Repository: `\/repos\/app`$/m);
    assert.match(text, /^- Worktree: `\/repos\/app`$/m);
    assert.match(text, /^- Committed: by git commit, as its hooks and settings want it$/m);
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
    assert.match(refused, /^- Remote: `origin`$/m);
  });

  it("say what was asked for once, in words and lists, and its ids at the end", () => {
    const detail = { worktree: "/repos/app", files: ["a.js"], fileCount: 1, engine: "fast" };
    const text = told({ detail }, { worktree: "/repos/app", files: ["a.js", "b`.js"] });
    assert.equal(text.match(/\/repos\/app`$/gm)?.length, 2, "its repository and its worktree");
    assert.match(text, /^## Files\n\n- `a\.js`\n- ``\s?b`\.js\s?``$/m);
    assert.match(text, /## Ids\n\n- Operation: `0190[^`]+1`\n- Batch: `0190[^`]+b`\n$/);
    assert.match(told({ detail: { files: ["a.js"], fileCount: 21 } }), /- `a\.js`\n- and 20 more/);
  });

  it("tell of a request what it asked, of whom, what it took and what it cost", () => {
    const request = {
      kind: "request",
      group: "llm:anthropic/judge/claude-haiku-4-5",
      status: "succeeded",
      detail: {
        provider: "anthropic",
        type: "judge",
        model: "claude-haiku-4-5",
        warnings: ["short *prefix*"],
      },
    } as const;
    const { error: _, reason: __, ...bare } = operation;
    const text = detailsMarkdown(
      {
        operation: { ...bare, ...request },
        here,
        input: {
          type: "judge",
          model: "claude-haiku-4-5",
          params: { temperature: 0.5, stop: ["a", "b"], response: { type: "json" } },
          metadata: { file: "/repos/app/a.js", team: "*blue*" },
          system: [{ type: "text", text: "Be brief" }],
          messages: [{ role: "user", content: [{ type: "image" }, { type: "text", text: "What is it?" }] }],
        },
        result: {
          id: operation.id,
          status: "succeeded",
          usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 20, cacheWriteTokens: 1 },
          costUsd: 0.25,
          durationMs: 1530,
        },
      },
      fill,
      writing,
    );
    const line = (name: string): string | undefined => new RegExp(`^- ${name}: (.*)$`, "m").exec(text)?.[1];
    assert.equal(line("Provider"), "Anthropic");
    assert.equal(line("Model"), "`claude-haiku-4-5`");
    assert.equal(line("Tokens"), "31 in, 5 out, of these 20 from the cache");
    assert.equal(line("Cost"), "$0.25");
    assert.equal(line("Took"), "1.5 s");
    assert.equal(line("Warning"), "short \\*prefix\\*");
    assert.equal(line("File"), "`/repos/app/a.js`");
    assert.equal(line("metadata\\.team"), '`"*blue*"`');
    assert.equal(line("params\\.temperature"), "`0.5`");
    assert.equal(line("params\\.stop"), "`a`, `b`");
    assert.match(text, /## System prompt\n\n```text\nBe brief\n```/);
    assert.match(text, /## Messages\n\n```text\nuser:\n\[image\]\n\nWhat is it\?\n```/);
    assert.doesNotMatch(text, /[{}]|llm:/, "neither JSON nor the name of a lane");
  });

  it("say nothing of what there is not", () => {
    const { error: _, reason: __, batch: ___, detail: ____, ...bare } = operation;
    const text = detailsMarkdown(
      { operation: { ...bare, status: "queued" }, here, result: undefined, input: {} },
      fill,
      writing,
    );
    assert.deepEqual(text.match(/^##.*$/gm), ["## Ids"]);
    assert.doesNotMatch(text, /undefined|Reason|Batch|Queued in/);
  });

  it("tell which window on which machine it was queued in", () => {
    const line = (origin: Origin): string | undefined => /^- Queued in: (.*)$/m.exec(told({ origin }))?.[1];
    assert.equal(line(here), "`app` on `desk` (this window)");
    assert.equal(line({ ...here, window: "w2" }), "`app` on `desk`");
    assert.equal(line({ machine: "lap*top", window: "w2" }), "a window without a folder on `lap*top`");
  });

  it("lead to what they are a retry of and build upon", () => {
    const linked = {
      ...{ operation, here, result: undefined, input: {} },
      ...{ earlier: "/operation/0190/Tidy the basket.md", basis: "/operation/0191/Ä.md" },
    };
    const text = detailsMarkdown(linked, fill, writing);
    assert.ok(text.includes("- Retry of: [an earlier attempt](../../operation/0190/Tidy%20the%20basket.md)"));
    assert.ok(text.includes("- Builds upon: [another operation](../../operation/0191/%C3%84.md)"));
  });

  it("list the branches that moved", () => {
    const result = {
      id: operation.id,
      status: "succeeded",
      commit: "b".repeat(40),
      refs: [{ ref: "refs/heads/main", old: "a".repeat(40), new: "b".repeat(40) }],
    } as const;
    const text = detailsMarkdown({ operation, here, result, input: {} }, fill, writing);
    assert.match(text, /refs\/heads\/main\n {2}a{40}\n {2}b{40}/);
    assert.match(text, /^- Commit: `b{40}`$/m);
  });
});
