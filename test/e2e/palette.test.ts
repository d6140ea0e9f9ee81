import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { git, receivedPushes } from "../support/sample.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface State {
  readonly git: {
    readonly queued: readonly { readonly label: string; readonly source: string }[];
    readonly queuedCount: number;
  };
  readonly llm: { readonly queued: readonly { readonly label: string }[]; readonly queuedCount: number };
  readonly paused: { readonly git: boolean; readonly llm: boolean };
}

/** What the workbench has stored in the browser, as text. */
const storedBy = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const answered = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("The storage gave no answer."));
      });
    const found: unknown[] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await answered(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        found.push(await answered(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    return JSON.stringify(found);
  });

describe("Commands from the palette", () => {
  const fixture = useSampleWorkbench({ env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined } });
  let window: WorkbenchWindow;
  const state = (): Promise<State> => window.bridge.command<State>("batchControl.getState", {});

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.openViewContainer("Batch Control");
  });

  it("welcome a person who has queued nothing", async () => {
    await until("the welcome text", async () =>
      (await window.view("Queue").welcome()).includes("Nothing is queued"),
    );
  });

  it("queue a commit of the files that stayed ticked, and remember the message of one that was dismissed", async () => {
    const worktree = fixture.sample.worktrees[0]!;
    const { quickInput } = window;
    const begin = async (): Promise<void> => {
      await window.runCommand("Batch Control: Queue Commit");
      await quickInput.shown("Worktree");
      await quickInput.pick(worktree.branch);
      await quickInput.shown("Files to commit");
      // Every change starts ticked.
      await quickInput.untick(worktree.files[1]!);
      await quickInput.accept();
      await quickInput.shown("Commit message");
    };
    await begin();
    await quickInput.accept();
    await quickInput.shown("Write a commit message.");
    await quickInput.type("Count what is in the basket");
    await quickInput.cancel();
    assert.equal((await state()).git.queuedCount, 0);
    await begin();
    assert.equal(await quickInput.value(), "Count what is in the basket");
    await quickInput.accept();
    await window.view("Queue").waitForRow("Count what is in the basket");
    const { queued } = (await state()).git;
    assert.deepEqual(
      queued.map(({ source }) => source),
      ["person"],
    );
  });

  it("offer a message again whose commit was refused", async () => {
    const worktree = fixture.sample.worktrees[1]!;
    const { quickInput, notifications } = window;
    const begin = async (): Promise<void> => {
      await window.runCommand("Batch Control: Queue Commit");
      await quickInput.shown("Worktree");
      await quickInput.pick(worktree.branch);
      await quickInput.shown("Files to commit");
      await quickInput.acceptRow();
      await quickInput.shown("Commit message");
    };
    await begin();
    assert.equal(await quickInput.value(), "", "the message before this one was queued");
    await quickInput.type("Keep prices in one place");
    await git(worktree.path, "checkout", "--detach", "--quiet");
    await quickInput.accept();
    await notifications.waitFor("detached HEAD");
    await notifications.dismissAll();
    await git(worktree.path, "checkout", "--quiet", worktree.branch);
    await begin();
    assert.equal(await quickInput.value(), "Keep prices in one place");
    await quickInput.cancel();
    assert.equal((await state()).git.queuedCount, 1);
  });

  it("queue a push of a branch", async () => {
    const worktree = fixture.sample.worktrees[0]!;
    const { quickInput } = window;
    await window.runCommand("Batch Control: Queue Push");
    await quickInput.shown("Worktree");
    await quickInput.pick(worktree.branch);
    await quickInput.shown("Push which branch?");
    await quickInput.pick(worktree.branch);
    await until("two queued operations", async () => (await state()).git.queuedCount === 2);
  });

  it("wait for the person: what a person queued does not flush by age", async () => {
    assert.equal((await state()).git.queuedCount, 2);
    await until(
      "both in the status bar",
      async () => (await window.statusBar.waitFor(/batchControl\.status/)).text === "2",
    );
  });

  it("flush, and the remote has what was queued", async () => {
    const worktree = fixture.sample.worktrees[0]!;
    await window.runCommand("Batch Control: Flush Now");
    await until("the push at the remote", async () => (await receivedPushes(fixture.sample)).length === 1);
    const files = await git(fixture.sample.remote, "show", "--format=", "--name-only", worktree.branch);
    assert.equal(files, worktree.files[0]);
    await window.view("Queue").waitForRow("Finished");
  });

  it("queue a merge, step back and change one's mind", async () => {
    const [one, two] = fixture.sample.worktrees;
    const { quickInput } = window;
    await window.runCommand("Batch Control: Queue Merge");
    await quickInput.shown("Merge which branch?");
    await quickInput.pick(two!.branch);
    await quickInput.shown(`Merge ${two!.branch} into which branch?`);
    await window.page.locator(".quick-input-widget .codicon-quick-input-back").click();
    await quickInput.shown("Merge which branch?");
    await quickInput.pick(one!.branch);
    await quickInput.shown(`Merge ${one!.branch} into which branch?`);
    await quickInput.pick("main");
    await quickInput.shown("How to merge");
    await quickInput.pick("Merge commit");
    await quickInput.shown("Push main afterwards?");
    await quickInput.pick("Merge only");
    await window.view("Queue").waitForRow(`${one!.branch} → main`);
    await window.bridge.command("batchControl.clear", {});
  });

  it("queue a request and cancel it from the tree", async () => {
    const { quickInput } = window;
    await window.runCommand("Batch Control: Queue LLM Request");
    await quickInput.shown("Kind of work");
    await quickInput.pick("judge");
    await quickInput.shown("Model");
    await quickInput.acceptRow();
    await quickInput.shown("Prompt");
    await quickInput.type("Is the receipt clear?");
    await quickInput.accept();
    const view = window.view("Queue");
    await view.waitForRow("Is the receipt clear?");
    await view.inlineAction("Is the receipt clear?", "Cancel Operation");
    await until("an empty queue", async () => (await state()).llm.queuedCount === 0);
  });

  it("pause and resume from the view's title", async () => {
    const view = window.view("Queue");
    await view.titleAction("Pause Automatic Flushing");
    await until("a pause", async () => (await state()).paused.git);
    await view.titleAction("Resume Automatic Flushing");
    await until("no pause", async () => !(await state()).paused.git);
  });

  it("show a dry run of the sample prompt, marked as one, and queue nothing", async () => {
    const queued = (await state()).llm.queuedCount;
    await window.runCommand("Batch Control: Try It Without a Key");
    await window.page.locator(".tab", { hasText: "Dry run.md" }).waitFor();
    // The rendered document would keep the keys to itself.
    await window.bridge.command("workbench.action.closeActiveEditor");
    const run = await window.bridge.command<{ requests: unknown[]; batch: { mostUsd: number } }>(
      "batchControl.tryWithoutKey",
      {},
    );
    assert.equal(run.requests.length, 3);
    assert.ok(run.batch.mostUsd > 0);
    await window.bridge.command("workbench.action.closeAllEditors");
    assert.equal((await state()).llm.queuedCount, queued);
  });

  it("ask which, where nothing is pointed at, and do the rest at once", async () => {
    const { bridge, quickInput, notifications } = window;
    const { path: worktree, files } = fixture.sample.worktrees[1]!;
    // What code queues would leave by itself.
    await bridge.command("batchControl.pause", {});
    const { id } = await bridge.command<{ id: string }>("batchControl.enqueuePush", { worktree });
    await bridge.command("batchControl.cancelOperation", { id });
    await bridge.command("batchControl.enqueueCommit", { worktree, message: "Which one?", files });
    await window.view("Queue").waitForRow("Which one?");
    for (const [title, asked] of [
      ["Open Changes", "Choose an operation"],
      ["Open File", "Choose an operation"],
      ["Open Details", "Choose an operation"],
      ["Move Queued Operation", "Choose an operation"],
      ["Retry Unsuccessful Operations of Batch", "Choose a batch"],
      ["Set API Key", "Provider"],
      ["Export History", "Export History"],
    ] as const) {
      await window.runCommand(`Batch Control: ${title}`);
      await quickInput.shown(asked);
      await quickInput.cancel();
    }
    await window.runCommand("Batch Control: Flush LLM Requests");
    await notifications.waitFor("Nothing is queued, so there is nothing to flush.");
    await notifications.dismissAll();
    await window.runCommand("Batch Control: New Prompt from Sample");
    await until("the sample", () =>
      bridge.evaluate(
        ({ vscode }) => vscode.window.activeTextEditor?.document.getText().includes("${file}") ?? false,
      ),
    );
    await bridge.command("workbench.action.revertAndCloseActiveEditor");
    const waiting = async () => (await state()).git.queuedCount + (await state()).llm.queuedCount;
    await bridge.command("batchControl.clear", {});
    const { clone, worktrees } = fixture.sample;
    await bridge.command("batchControl.enqueuePush", { worktree: clone, branch: "main" });
    await bridge.command("batchControl.enqueuePush", { worktree: clone, branch: worktrees[0]!.branch });
    for (const [button, left] of [
      ["Cancel", 2],
      ["Empty the Queue", 0],
    ] as const) {
      await window.runCommand("Batch Control: Cancel Everything Waiting");
      await until("the question", async () =>
        (await notifications.dialog()).includes("Waiting operations: 2. Cancel all of them?"),
      );
      await notifications.pressInDialog(button);
      await until(`${left} left`, async () => (await waiting()) === left);
    }
    await bridge.command("batchControl.resume", {});
  });

  it("tell what is missing, as information", async () => {
    await window.runCommand("Batch Control: Cancel Batch");
    const told = await window.notifications.waitFor("There is no pending or executing batch to cancel.");
    assert.equal(told.severity, "info");
    await window.notifications.dismissAll();
  });

  it("offer a prompt again that was being typed when the window was reloaded", async () => {
    const { quickInput, page } = window;
    const begin = async (): Promise<void> => {
      await window.runCommand("Batch Control: Queue LLM Request");
      await quickInput.shown("Kind of work");
      await quickInput.pick("judge");
      await quickInput.shown("Model");
      await quickInput.acceptRow();
      await quickInput.shown("Prompt");
    };
    const typed = "Is it kept when the window goes away?";
    await begin();
    await page.keyboard.type(typed);
    await until("the editor's storage to have it", async () => (await storedBy(page)).includes(typed));
    await window.reload();
    await begin();
    assert.equal(await quickInput.value(), typed);
    await quickInput.cancel();
  });
});

describe("Commands without trust", () => {
  const fixture = useSampleWorkbench({ trusted: false });

  it("show the queue and refuse to queue, execute or change anything, naming trust", async () => {
    const window = await fixture.workbench.open(fixture.sample.clone);
    const commit = { worktree: fixture.sample.clone, message: "x" };
    await assert.rejects(window.bridge.command("batchControl.enqueueCommit", commit), /trust/);
    await assert.rejects(window.bridge.command("batchControl.flush", {}), /trust/);
    await assert.rejects(window.bridge.command("batchControl.clear", {}), /trust/);
    await assert.rejects(window.bridge.command("batchControl.resume", {}), /trust/);
    const state = await window.bridge.command<{ holds: { reason: string }[]; lanes: unknown[] }>(
      "batchControl.getState",
      {},
    );
    assert.deepEqual([...new Set(state.holds.map(({ reason }) => reason))], ["untrusted"]);
    assert.deepEqual(state.lanes, []);
    await window.openViewContainer("Batch Control");
    await until("the welcome text", async () =>
      (await window.view("Queue").welcome()).includes("not trusted"),
    );
    await window.runCommand("Batch Control: Queue Push");
    const told = await window.notifications.waitFor("not trusted");
    assert.deepEqual(told.buttons, ["Manage Workspace Trust"]);
  });

  it("go on in the same window once trust is granted", async () => {
    const [window] = fixture.workbench.windows;
    const { bridge, page, notifications } = window!;
    const { pid } = bridge;
    await notifications.press("not trusted", "Manage Workspace Trust");
    await page.locator(".workspace-trust-editor .workspace-trust-buttons-row .monaco-button").first().click();
    const { clone } = fixture.sample;
    await until("trust", () => bridge.evaluate(({ vscode }) => vscode.workspace.isTrusted));
    await bridge.command("batchControl.enqueuePush", { worktree: clone, branch: "main" });
    await bridge.command("batchControl.flush", { kind: "git", wait: true });
    await window!.view("Queue").waitForRow("Finished");
    const { holds } = await bridge.command<{ holds: unknown[] }>("batchControl.getState", {});
    assert.deepEqual(holds, []);
    assert.equal(window!.bridge.pid, pid);
  });
});
