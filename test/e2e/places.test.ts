import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { git } from "../support/sample.ts";
import { chooseFromMenu, contextMenu } from "../support/workbench/context-menu.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("Queueing where people work", () => {
  const fixture = useSampleWorkbench();
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const queued = async (): Promise<Snapshot["git"]["queued"]> =>
    (await run<Snapshot>("getState", {})).git.queued;
  const labels = async (): Promise<string[]> => (await queued()).map(({ label }) => label);
  before(async () => {
    window = await fixture.workbench.open(fixture.sample.worktrees[0]!.path);
    await run("pause", {});
  });

  afterEach(() => run("clear", {}));

  it("a changed file in Source Control: its menu queues a commit of just that file", async () => {
    const { files } = fixture.sample.worktrees[0]!;
    const name = path.basename(files[0]!);
    await window.openViewContainer("Source Control");
    const row = window.page.locator(".scm-view .monaco-list-row .resource", { hasText: name }).first();
    await chooseFromMenu(window.page, row, "Queue Commit");
    // Just that one is ticked.
    await window.quickInput.shown("Files to commit");
    await window.quickInput.acceptRow();
    await window.quickInput.shown("Commit message");
    await window.quickInput.type("From Source Control");
    await window.quickInput.accept();
    await until("the commit", async () => (await labels()).includes("From Source Control"));
    assert.match(JSON.stringify((await queued())[0]!.detail), new RegExp(RegExp.escape(files[0]!)));
    assert.doesNotMatch(JSON.stringify((await queued())[0]!.detail), new RegExp(RegExp.escape(files[1]!)));
  });

  it("several rows of the queue at once: cancelling takes all that are selected", async () => {
    const { path: worktree, files } = fixture.sample.worktrees[0]!;
    for (const [at, file] of files.entries())
      await run("enqueueCommit", { worktree, message: `Commit ${at}`, files: [file] });
    await run("enqueuePush", { worktree });
    await window.openViewContainer("Batch Control");
    const view = window.view("Queue");
    await view.waitForRow("Commit 1");
    const rows = window.page.locator(".pane .monaco-list-row[role=treeitem]");
    await rows.filter({ hasText: "Commit 0" }).click();
    await rows.filter({ hasText: "Commit 1" }).click({ modifiers: ["ControlOrMeta"] });
    await view.contextAction("Commit 1", "Cancel Operation");
    await until("only the push", async () => (await labels()).join() === "agent/one → origin");
  });

  it("a row dragged onto another takes its place", async () => {
    const { path: worktree, files } = fixture.sample.worktrees[0]!;
    for (const [at, file] of files.entries())
      await run("enqueueCommit", { worktree, message: `Commit ${at}`, files: [file] });
    await window.openViewContainer("Batch Control");
    const view = window.view("Queue");
    await view.waitForRow("Commit 1");
    assert.deepEqual(await labels(), ["Commit 0", "Commit 1"]);
    await view.drag("Commit 1", "Commit 0");
    await until("the other order", async () => (await labels()).join() === "Commit 1,Commit 0");
  });

  it("a row dragged onto one of another queue stays where it is, and that is said", async () => {
    const { path: worktree, files } = fixture.sample.worktrees[0]!;
    for (const [at, file] of files.entries())
      await run("enqueueCommit", { worktree, message: `Commit ${at}`, files: [file] });
    await run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt: "Why?" });
    await run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt: "How?" });
    await window.openViewContainer("Batch Control");
    const view = window.view("Queue");
    await view.waitForRow("How?");
    await view.drag("Commit 0", "How?");
    await window.notifications.waitFor("An operation can only be moved within its own queue.");
    await window.notifications.dismissAll();
    assert.deepEqual(await labels(), ["Commit 0", "Commit 1"]);
  });

  it("what failed leaves the top of the tree for the day it is of, and comes back by nothing but another failure", async () => {
    const { path: worktree } = fixture.sample.worktrees[1]!;
    await git(worktree, "remote", "add", "gone", path.join(fixture.sample.root, "gone.git"));
    const fail = async (): Promise<void> => {
      await run("enqueuePush", { worktree, remote: "gone" });
      await run("flush", { kind: "git", wait: true });
    };
    const sections = async (): Promise<string> =>
      (await window.view("Queue").rows())
        .filter(({ level, label }) => level === 2 && ["Failed", "Finished"].includes(label))
        .map(({ label, description }) => `${label} ${description}`)
        .join();
    await fail();
    await window.openViewContainer("Batch Control");
    const view = window.view("Queue");
    await view.waitForRow("Failed");
    const before = await sections();
    assert.match(before, /^Failed 1/);
    await view.inlineAction("Failed", "Move Failed to Finished");
    await until("nothing on top", async () => /^Finished \d/.test(await sections()));
    await fail();
    await until("the new one alone", async () => /^Failed 1\b/.test(await sections()));
    await window.runCommand("Batch Control: Move Failed to Finished");
    await until("nothing on top again", async () => /^Finished \d/.test(await sections()));
  });

  it("a batch that works shows above the queue, and is cancelled from its row before it commits", async () => {
    const { clone, root, worktrees } = fixture.sample;
    const { path: worktree, files } = worktrees[0]!;
    const hook = path.join(clone, ".git", "hooks", "pre-commit");
    const begun = path.join(root, "hook-begun");
    await mkdir(path.dirname(hook), { recursive: true });
    await writeFile(hook, `#!/bin/sh\ntouch '${begun}'\nexec sleep 600\n`, { mode: 0o755 });
    const before = await git(worktree, "rev-parse", "HEAD");
    await window.openViewContainer("Batch Control");
    const view = window.view("Queue");
    const progress = window.page.locator(".pane .monaco-progress-container.active");
    const badge = window.page.locator(".activitybar .action-item", { hasText: "1" });
    try {
      await run("enqueueCommit", { worktree, message: "Never made", files });
      await badge.waitFor();
      await run("flush", { kind: "git" });
      await until("the hook", () => existsSync(begun));
      await view.waitForRow("Executing");
      await view.settled();
      await progress.first().waitFor({ state: "attached" });
      await view.contextAction("shop", "Cancel Batch");
      await until("its end", async () => (await run<Snapshot>("getState", {})).git.executing.length === 0);
    } finally {
      await rm(hook);
    }
    await until("no progress", async () => (await progress.count()) === 0);
    assert.equal(await badge.count(), 0);
    assert.equal(await git(worktree, "rev-parse", "HEAD"), before);
    assert.equal((await run<Snapshot>("getState", {})).git.executed[0]!.status, "cancelled");
  });

  it("a file in the Explorer and an open editor offer to run a prompt on it", async () => {
    await window.openViewContainer("Explorer");
    const file = window.page
      .locator(".explorer-folders-view .monaco-list-row", { hasText: "README.md" })
      .first();
    assert.ok((await contextMenu(window.page, file)).includes("Run Prompt on Files"));
    await window.page.keyboard.press("Escape");
  });
});
