import assert from "node:assert/strict";
import type { Parts } from "../../../src/host/parts.ts";
import { MemoryLaneLocks } from "../../../src/journal/memory-lane-locks.ts";
import { Claims, laneOf } from "../../../src/host/claims.ts";
import { ContextKeys } from "../../../src/host/context-keys.ts";
import { answerLine, resultMarkdown } from "../../../src/host/results/markdown-result.ts";
import { worktreeOf } from "../../../src/host/ui/worktree-of.ts";
import { fill } from "../../support/host/translate.ts";

describe("Context keys", () => {
  it("are set only when they change", () => {
    const told: [string, unknown][] = [];
    const keys = new ContextKeys((key, value) => told.push([key, value]));
    keys.set("paused", false);
    keys.set("paused", false);
    keys.set("paused", true);
    keys.set("waiting", 0);
    assert.deepEqual(told, [
      ["batchControl.paused", false],
      ["batchControl.paused", true],
      ["batchControl.waiting", 0],
    ]);
  });
});

describe("A result as a document", () => {
  const operation = { id: "0199", label: 'judge: "x"\n---', group: "llm:anthropic/judge/m" };

  it("has usage and cost in its front matter and the answer below", () => {
    const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 1 };
    const text = resultMarkdown(
      operation,
      {
        id: "0199",
        status: "succeeded",
        text: "# Yes",
        usage,
        costUsd: 0.5,
        durationMs: 7,
      },
      fill,
    );
    assert.equal(
      text,
      `---
id: "0199"
label: "judge: \\"x\\"\\n---"
group: "llm:anthropic/judge/m"
status: "succeeded"
input_tokens: 10
output_tokens: 2
cache_read_tokens: 0
cache_write_tokens: 1
cost_usd: 0.5
duration_ms: 7
---

# Yes
`,
    );
  });

  it("says unknown where the price is, never 0", () => {
    assert.match(
      resultMarkdown(operation, { id: "0199", status: "succeeded", costUsd: null }, fill),
      /^cost_usd: "unknown"$/m,
    );
  });

  it("says above an answer that it was cut off", () => {
    const text = resultMarkdown(
      operation,
      { id: "0199", status: "succeeded", text: "Half", reason: "cut", error: "Cut: it was too long." },
      fill,
    );
    assert.match(text, /\n---\n\n> Cut: it was too long\.\n\nHalf\n$/);
    assert.equal(text.split("\n")[answerLine(text)], "> Cut: it was too long.");
    assert.equal(answerLine("No front matter"), 0);
  });

  it("quotes why there is no answer", () => {
    const text = resultMarkdown(
      operation,
      {
        id: "0199",
        status: "failed",
        error: "refused\nby policy",
        reason: "refusal",
      },
      fill,
    );
    assert.match(text, /\n> refused\n> by policy\n$/);
    assert.match(text, /^reason: "refusal"$/m);
  });
});

describe("The worktree of what was clicked", () => {
  const worktree = (path: string) => ({ path, repository: "app", main: "/w" });
  const all = [worktree("/w/app"), worktree("/w/app/.trees/a"), worktree("/w/app-b")];

  it("is the innermost that holds it", () => {
    const of = (path: string) => worktreeOf({ kind: "files", files: [path] }, all)?.path;
    assert.equal(of("/w/app/x.ts"), "/w/app");
    assert.equal(of("/w/app/.trees/a/x.ts"), "/w/app/.trees/a");
    assert.equal(of("/w/app-b/x.ts"), "/w/app-b");
    assert.equal(of("/elsewhere"), undefined);
  });

  it("is the repository's row in Source Control", () => {
    assert.equal(worktreeOf({ kind: "repository", root: "/w/app-b" }, all)?.path, "/w/app-b");
    assert.equal(worktreeOf({ kind: "none" }, all), undefined);
  });
});

describe("Whether a window may execute a lane", () => {
  const claims = (mine: boolean, lockHeldElsewhere: boolean) => {
    const released: string[] = [];
    const runner = {
      lanes: () => [],
      leader: () => false,
      mayClaim: () => mine,
      onDidChange: () => ({ dispose: () => undefined }),
    };
    const tryAcquire = (lane: string) =>
      Promise.resolve(
        lockHeldElsewhere
          ? undefined
          : {
              lane,
              release: () => {
                released.push(lane);
                return Promise.resolve();
              },
            },
      );
    return {
      released,
      claims: new Claims(
        { runner, locks: { capabilities: { kind: "os", clock: "local", scope: "process" }, tryAcquire } },
        fill,
      ),
    };
  };

  it("is so in the window that may, and where another one holds the lock", async () => {
    assert.equal(await claims(true, false).claims.refusal("git:/a"), undefined);
    assert.equal(await claims(false, true).claims.refusal("git:/a"), undefined);
  });

  it("is not so where the lock is free; the lock is left free", async () => {
    const { claims: none, released } = claims(false, false);
    assert.match((await none.refusal("git:/a"))!, /\/a/);
    assert.ok(released.length > 0);
    assert.deepEqual(new Set(released), new Set(["git:/a"]));
  });

  it("is not so where two look at once, though one's look holds the lock for a moment", async () => {
    const locks = new MemoryLaneLocks();
    const runner = { mayClaim: () => false } as unknown as Parts["runner"];
    const [one, another] = [new Claims({ runner, locks }, fill), new Claims({ runner, locks }, fill)];
    const answers = await Promise.all([
      one.refusal("git:/a"),
      one.refusal("git:/a"),
      another.refusal("git:/a"),
    ]);
    for (const answer of answers) assert.match(answer ?? "", /No open, trusted window/);
  });

  it("is so where the next window takes over what one has just left", async () => {
    const locks = new MemoryLaneLocks();
    const runner = { mayClaim: () => false } as unknown as Parts["runner"];
    const asked = new Claims({ runner, locks }, fill).refusal("git:/a");
    setTimeout(() => void locks.tryAcquire("git:/a"), 100);
    assert.equal(await asked, undefined);
  });

  it("is asked for a group's lane", () => {
    assert.equal(laneOf("git:/a/.git"), "git:/a/.git");
    assert.equal(laneOf("llm:anthropic/judge/m"), "llm:anthropic");
  });
});
