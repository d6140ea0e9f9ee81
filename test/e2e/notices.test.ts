import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { git } from "../support/sample.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("What failed", () => {
  const fixture = useDemoWorkbench({
    settings: { "batchControl.git.autoFlush": false, "batchControl.llm.autoFlush": false },
  });
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  /** Answers the id of a push that has failed since. */
  const failPush = async (): Promise<string> => {
    const { path: worktree } = fixture.sample.worktrees[2]!;
    const { id } = await run<{ readonly id: string }>("enqueuePush", { worktree, remote: "gone" });
    await run("flush", { kind: "git", wait: true });
    return id;
  };
  const warns = async (): Promise<boolean> =>
    (await window.statusBar.waitFor(/batchControl\.status/)).kind === "warning";

  before(async () => {
    const { root, worktrees, workspace } = fixture.sample;
    await git(worktrees[2]!.path, "remote", "add", "gone", path.join(root, "gone.git"));
    for (const { path: worktree, branch } of worktrees.slice(0, 2)) {
      await writeFile(path.join(worktree, "motto.txt"), `The motto of ${branch}\n`);
      await git(worktree, "add", "motto.txt");
      await git(worktree, "commit", "--quiet", "-m", "A motto", "--", "motto.txt");
    }
    window = await fixture.workbench.open(workspace);
  });

  it("of all that was flushed together is one message, which leads to its row", async () => {
    const [one, two, three] = fixture.sample.worktrees;
    await window.openViewContainer("Explorer");
    const merge = { worktree: one!.path, source: two!.branch, target: one!.branch };
    await run("enqueueMerge", merge);
    await run("enqueuePush", { worktree: three!.path, remote: "gone" });
    await run("enqueuePush", { worktree: three!.path, remote: "origin" });
    await run("flush", { wait: true });
    const told = await window.notifications.waitFor("failed");
    assert.match(
      told.message,
      /^2 of 3 operations failed: .*agent\/two conflicts with agent\/one in motto\.txt.*gone\.git/,
    );
    assert.equal(told.severity, "error");
    assert.equal((await window.notifications.shown()).length, 1);
    assert.ok(await warns());
    await window.notifications.press("operations failed", "Show Failed");
    const row = window.page.locator(".pane .monaco-list-row.selected[role=treeitem]");
    await row.filter({ hasText: /conflicts with agent\/one/ }).waitFor();
    await until("no warning", async () => !(await warns()));
    assert.deepEqual(await window.notifications.shown(), []);
  });

  it("in a merge leads to the files in conflict and their worktree, says what to do, and is well then", async () => {
    const [one, two] = fixture.sample.worktrees;
    const view = window.view("Queue");
    const row = "agent/two → agent/one";
    await view.contextAction(row, "Open File");
    const opened = (): Promise<string | undefined> =>
      window.bridge.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.uri.fsPath);
    await until("the file", async () => (await opened()) === path.join(two!.path, "motto.txt"));
    await view.contextAction(row, "Open Worktree");
    await window.page
      .locator(".explorer-folders-view .monaco-list-row.selected", { hasText: "shop-two" })
      .waitFor();
    await window.openViewContainer("Batch Control");
    await view.contextAction(row, "Open Details");
    const details = await window.webview("h2:has-text('What to do')");
    await details.getByText("Merge agent/one into agent/two where agent/two is checked out").waitFor();

    await git(two!.path, "merge", "--quiet", "--no-commit", "--strategy-option=ours", one!.branch);
    await git(two!.path, "commit", "--quiet", "--message", "Both mottos");
    await view.contextAction(row, "Retry Operation");
    await until("the merge in the queue", async () =>
      (await view.rows()).some(({ label }) => label === "Queued"),
    );
    await run("flush", { kind: "git", wait: true });
    assert.equal(await git(one!.path, "show", "HEAD:motto.txt"), "The motto of agent/two");
    await window.bridge.command("workbench.action.closeAllEditors");
  });

  it("warns until its row is chosen, where the queue is in view anyway", async () => {
    await window.openViewContainer("Batch Control");
    await failPush();
    await until("a warning", warns);
    await window.view("Queue").click("agent/three → gone");
    await until("no warning", async () => !(await warns()));
    await window.bridge.command("workbench.action.closeAllEditors");
  });

  it("warns until its details are opened, from wherever that is", async () => {
    await window.openViewContainer("Explorer");
    const id = await failPush();
    await until("a warning", warns);
    await run("openDetails", { id });
    await until("no warning", async () => !(await warns()));
  });

  it("is not told any more, once a person said so", async () => {
    await window.notifications.waitFor("agent/three → gone");
    await window.notifications.press("agent/three → gone", "Don't Show Again");
    await window.waitForSetting("batchControl.notifications.operationsFailed", false);
    await window.bridge.command("notifications.clearAll");
    await failPush();
    await until("a warning", warns);
    // What is told of requests comes later than what would have been told of the push.
    await window.bridge.evaluate(({ vscode }) =>
      vscode.workspace.getConfiguration("batchControl").update("notifications.batchFinished", "always", true),
    );
    await run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt: "Why?" });
    await run("flush", { kind: "llm", wait: true });
    await window.notifications.waitFor("An LLM batch has finished.");
    assert.deepEqual(
      (await window.notifications.shown()).map(({ message }) => message),
      ["An LLM batch has finished. Answers: 1."],
    );
  });
});
