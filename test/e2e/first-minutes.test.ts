import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { useDemoWorkbench, useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("The first minutes", () => {
  const fixture = useSampleWorkbench({ env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined } });
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
  });

  it("say what is missing and offer a way without it", async () => {
    await window.openViewContainer("Batch Control");
    const welcome = await until("the welcome text", async () => {
      const text = await window.view("Queue").welcome();
      return text.includes("No API key is set") ? text : undefined;
    });
    for (const offer of ["Queue Commit", "Set API Key", "Try It Without a Key"])
      assert.ok(welcome.includes(offer), offer);
  });

  it("say what to do in a window without a folder, and in a folder without a repository", async () => {
    const plain = path.join(fixture.sample.root, "plain");
    await mkdir(plain);
    for (const [open, text] of [
      [undefined, "Open a folder of a git repository"],
      [plain, "No git repository was found"],
    ] as const) {
      const other = await fixture.workbench.open(open);
      await other.openViewContainer("Batch Control");
      await until(`"${text}"`, async () => (await other.view("Queue").welcome()).includes(text));
      const welcome = await other.view("Queue").welcome();
      assert.ok(welcome.includes("Queue LLM Request"), welcome);
      assert.ok(!welcome.includes("Queue Commit"), welcome);
      await other.close();
    }
  });

  it("offer to flush only where something waits", async () => {
    await window.openViewContainer("Batch Control");
    const flush = window.page.locator(".pane-header .actions .action-item", {
      has: window.page.locator('.action-label[aria-label^="Flush Now"]'),
    });
    const disabled = (): Promise<boolean> =>
      flush.first().evaluate((item) => item.querySelector(".action-label")!.classList.contains("disabled"));
    await until("nothing to flush", disabled);
    const { id } = await run<{ id: string }>("enqueueRequest", {
      type: "judge",
      model: "claude-haiku-4-5",
      prompt: "Is the receipt clear?",
    });
    await until("something to flush", async () => !(await disabled()));
    await run("cancelOperation", { id });
    await until("nothing to flush", disabled);
  });

  it("say in the settings what is wrong with a value", async () => {
    const { page } = window;
    await window.bridge.command("workbench.action.openSettings2", { query: "batchControl.llm.defaultModel" });
    const input = page.locator(".settings-editor .setting-item-contents input").first();
    await input.fill("two words");
    await page
      .locator(".settings-editor .setting-item-validation-message", { hasText: "A model id is one word" })
      .waitFor();
    await input.fill("claude-haiku-4-5");
    await window.bridge.command("workbench.action.closeAllEditors");
  });

  it("tick a step of the walkthrough once it was done, and not before", async () => {
    await window.bridge.command("workbench.action.openWalkthrough", "batch-control.batch-control#start");
    const steps = window.page.locator(".getting-started-step");
    await steps.first().waitFor();
    const done = (title: string): Promise<boolean> =>
      steps
        .filter({ hasText: title })
        .locator(".codicon-getting-started-step-checked")
        .count()
        .then((count) => count > 0);
    assert.equal(await steps.count(), 4);
    await window.runCommand("Batch Control: Queue Commit");
    await window.quickInput.shown("Worktree");
    await window.quickInput.cancel();
    assert.equal(await done("Queue commits and pushes"), false, "who dismissed it has not done it");
    const { path: worktree, files } = fixture.sample.worktrees[0]!;
    await run("enqueueCommit", { worktree, message: "Done", files });
    await until("a tick", () => done("Queue commits and pushes"));
    assert.equal(await done("See what it saved"), false);
    await window.bridge.command("workbench.action.closeAllEditors");
  });
});

describe("What the status bar and a notification tell", () => {
  const fixture = useDemoWorkbench({
    settings: { "batchControl.notifications.batchFinished": "always", "batchControl.git.maxBatchAge": 3600 },
  });
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
  });

  it("when the next flush comes, and what was saved today", async () => {
    const [one, two] = fixture.sample.worktrees;
    for (const { path: worktree, branch } of [one!, two!]) await run("enqueuePush", { worktree, branch });
    const item = await window.statusBar.waitFor(/batchControl\.status/);
    await until("a count", async () => (await window.statusBar.waitFor(/batchControl\.status/)).text === "2");
    assert.match(await window.statusBar.tooltip(item), /once 10 wait/);
    await run("flush", { kind: "git", wait: true });
    await until("what was saved", async () => {
      await window.page.mouse.move(500, 300);
      return /saved today[^]*1/i.test(await window.statusBar.tooltip(item));
    });
  });

  const asked = { type: "judge", model: "claude-haiku-4-5", prompt: "Is the receipt clear?" };

  it("that a batch has finished, with a way to its results", async () => {
    await run("enqueueRequest", asked);
    await run("flush", { kind: "llm", wait: true });
    await window.notifications.waitFor("An LLM batch has finished.");
    await window.notifications.press("An LLM batch has finished.", "Open Results");
    await window.page.locator(".view-lines", { hasText: "cost_usd" }).waitFor();
  });

  it("nothing of finished batches any more, once a person said so", async () => {
    await run("enqueueRequest", asked);
    await run("flush", { kind: "llm", wait: true });
    await window.notifications.press("An LLM batch has finished.", "Don't Show Again");
    const chosen = (): Promise<unknown> =>
      window.bridge.evaluate(
        ({ vscode }) =>
          vscode.workspace.getConfiguration().inspect("batchControl.notifications.batchFinished")
            ?.globalValue,
      );
    await until("the setting", async () => (await chosen()) === "never");
  });

  it("nothing in the status bar, once its setting says so", async () => {
    const { server } = fixture.workbench;
    const shown = async (): Promise<boolean> =>
      (await window.statusBar.items()).some(({ id }) => id.includes("batchControl.status"));
    assert.ok(await shown());
    await server.setSettings({ "batchControl.statusBar.show": false });
    await until("no item", async () => !(await shown()));
    await server.setSettings({ "batchControl.statusBar.show": true });
    await until("the item", shown);
  });

  it("writes the history to a file that code names", async () => {
    const file = path.join(fixture.sample.root, "history.json");
    await run("exportHistory", { file });
    const history = JSON.parse(await readFile(file, "utf8")) as unknown;
    assert.match(JSON.stringify(history), /Is the receipt clear\?/);
  });
});
