import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { LlmStats, GitStats } from "../../src/core/stats.ts";
import type { Snapshot } from "../../src/core/snapshot.ts";
import type { Result } from "../../src/core/result.ts";
import { root } from "../support/paths.ts";
import { git, receivedPushes } from "../support/sample.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface Flushed {
  readonly batches: readonly { readonly id: string }[];
  readonly outcomes: Readonly<Record<string, string>>;
}

const state = (window: WorkbenchWindow): Promise<Snapshot> =>
  window.bridge.command<Snapshot>("batchControl.getState", {});

async function screenshot(window: WorkbenchWindow, name: string): Promise<void> {
  const folder = path.join(root, "out", "test", "screenshots");
  await mkdir(folder, { recursive: true });
  await window.page.screenshot({ path: path.join(folder, `${name}.png`) });
}

describe("The main job, in the workbench", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.openViewContainer("Batch Control");
    // On a slow machine the age trigger would flush in the middle of enqueueing.
    await window.bridge.command("batchControl.pause", {});
  });

  it("makes three commits in three worktrees and delivers three pushes in one", async () => {
    const { worktrees, remote } = fixture.sample;
    const before = new Map<string, string>();
    for (const { path: worktree, branch, files } of worktrees) {
      before.set(branch, await git(worktree, "rev-parse", "HEAD"));
      await window.bridge.command("batchControl.enqueueCommit", {
        worktree,
        message: `Work of ${branch}`,
        files,
      });
      await window.bridge.command("batchControl.enqueuePush", { worktree });
    }
    await window.statusBar.waitFor(/6/);
    await window.view("Queue").waitForRow(/Work of agent\/one/);
    await screenshot(window, "queued");

    const { outcomes } = await window.bridge.command<Flushed>("batchControl.flush", {
      kind: "git",
      wait: true,
    });
    assert.deepEqual(new Set(Object.values(outcomes)), new Set(["succeeded"]));
    assert.equal(Object.keys(outcomes).length, 6);
    for (const { path: worktree, branch, files } of worktrees) {
      assert.equal(await git(worktree, "rev-parse", "HEAD~1"), before.get(branch), "one new commit");
      assert.equal(await git(worktree, "log", "-1", "--format=%s"), `Work of ${branch}`);
      const committed = (
        await git(worktree, "diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD")
      ).split("\n");
      assert.deepEqual(committed.sort(), [...files].sort(), "exactly the files that were named");
      assert.equal(await git(worktree, "status", "--porcelain"), "");
      assert.equal(
        await git(remote, "rev-parse", `refs/heads/${branch}`),
        await git(worktree, "rev-parse", "HEAD"),
      );
    }
    const pushes = await receivedPushes(fixture.sample);
    assert.equal(pushes.length, 1, "the remote's post-receive ran once");
    const { stats } = (await state(window)).git;
    assert.deepEqual(
      ((s: GitStats) => ({
        requested: s.pushesRequested,
        executed: s.pushesExecuted,
        saved: s.networkSavings,
        commits: s.commits,
      }))(stats),
      { requested: 3, executed: 1, saved: 2, commits: 3 },
    );
  });

  it("tells the story in tree, status bar and panel", async () => {
    await window.runCommand("Batch Control: Open Panel");
    const panel = await window.webview("batch-control-panel");
    const card = panel.locator("panel-totals .card", { hasText: "Pushes saved" });
    await card.waitFor();
    await until("the font of the icons", () =>
      panel.evaluate(() =>
        [...document.fonts].some(({ family, status }) => family === "codicon" && status === "loaded"),
      ),
    );
    await screenshot(window, "panel");
    assert.match(await card.innerText(), /Pushes saved\s+2\s+3 delivered by 1 run of git push/);
    await window.view("Queue").waitForRow("Finished");
    await window.statusBar.waitFor(/^0$|nothing/i);
  });

  it("merges three branches into one and pushes it, without touching any other working tree", async () => {
    const { clone, worktrees, remote } = fixture.sample;
    const heads = await Promise.all(
      worktrees.map(({ path: worktree }) => git(worktree, "rev-parse", "HEAD")),
    );
    for (const { branch } of worktrees) {
      await window.bridge.command("batchControl.enqueueMerge", {
        worktree: clone,
        source: branch,
        target: "main",
        push: true,
      });
    }
    const { outcomes } = await window.bridge.command<Flushed>("batchControl.flush", {
      kind: "git",
      wait: true,
    });
    assert.deepEqual(Object.values(outcomes), ["succeeded", "succeeded", "succeeded"]);
    assert.equal(await git(remote, "rev-parse", "refs/heads/main"), await git(clone, "rev-parse", "HEAD"));
    assert.equal(
      await git(clone, "status", "--porcelain"),
      "",
      "the checked-out target moved with its files",
    );
    for (const head of heads) await git(clone, "merge-base", "--is-ancestor", head, "main");
    for (const [index, { path: worktree }] of worktrees.entries()) {
      assert.equal(await git(worktree, "rev-parse", "HEAD"), heads[index]);
      assert.equal(await git(worktree, "status", "--porcelain"), "");
    }
    assert.equal((await receivedPushes(fixture.sample)).length, 2, "one more push");
    assert.equal((await state(window)).git.stats.merges, 3);
  });

  it("sends three requests in one call and delivers each answer", async () => {
    const ids: string[] = [];
    for (const name of ["first", "second", "third"]) {
      const input = {
        type: "implementer",
        model: "claude-opus-5-5",
        prompt: `Write the ${name} part`,
        maxTokens: 200,
      };
      ids.push((await window.bridge.command<{ id: string }>("batchControl.enqueueRequest", input)).id);
    }
    await window.bridge.command("batchControl.flush", { kind: "llm", wait: true });
    const created = fixture.simulator.requests.filter(
      ({ method, path: at }) => method === "POST" && at === "/v1/messages/batches",
    );
    assert.equal(created.length, 1);
    const results = await Promise.all(
      ids.map((id) => window.bridge.command<Result>("batchControl.getResult", { id })),
    );
    for (const [index, name] of ["first", "second", "third"].entries()) {
      assert.equal(results[index]!.status, "succeeded");
      assert.match(results[index]?.text ?? "", new RegExp(name));
      assert.ok((results[index]?.costUsd ?? 0) > 0);
    }
    await window.bridge.command("batchControl.openResult", { id: ids[0] });
    await window.page.locator(".editor-instance .view-lines", { hasText: "first" }).first().waitFor();
    await screenshot(window, "result");
  });

  it("sends thirty requests in three groups in three calls", async () => {
    const before = (await state(window)).llm.stats;
    for (let n = 0; n < 30; n++) {
      const input = {
        type: ["implementer", "judge", "planner"][n % 3],
        model: "claude-opus-5-5",
        prompt: `Request ${n}`,
        maxTokens: 100,
      };
      await window.bridge.command("batchControl.enqueueRequest", input);
    }
    const { batches } = await window.bridge.command<Flushed>("batchControl.flush", {
      kind: "llm",
      wait: true,
    });
    assert.equal(batches.length, 3);
    const after = (await state(window)).llm.stats;
    const gained = (name: keyof LlmStats): number => after[name] - before[name];
    assert.deepEqual(
      { requests: gained("totalRequests"), calls: gained("apiCalls"), saved: gained("apiCallsSaved") },
      { requests: 30, calls: 3, saved: 27 },
    );
  });
});
