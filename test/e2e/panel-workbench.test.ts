import assert from "node:assert/strict";
import path from "node:path";
import type { Frame } from "playwright-core";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { git } from "../support/sample.ts";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("The panel in the workbench", () => {
  const fixture = useSampleWorkbench();
  let window: WorkbenchWindow;
  let panel: Frame;
  let commitId: string;

  /** The pages that show the panel now: `editor` for the tab, `view` for the side bar. */
  const places = async (): Promise<string[]> => {
    const found = await Promise.all(
      window.page.frames().map((frame) =>
        frame
          .locator("batch-control-panel")
          .getAttribute("data-place", { timeout: 100 })
          .catch(() => null),
      ),
    );
    return found.filter((place) => place !== null).sort();
  };
  const state = (): Promise<Snapshot> => window.bridge.command<Snapshot>("batchControl.getState", {});

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.runCommand("Batch Control: Open Panel");
    panel = await window.webview("batch-control-panel");
  });

  after(() => {
    const breaches = window.consoleLines.filter((line) => /Content Security Policy/i.test(line));
    assert.deepEqual(breaches, []);
  });

  it("shows an operation as soon as it is queued", async () => {
    const [worktree] = fixture.sample.worktrees;
    const { id } = await window.bridge.command<{ id: string }>("batchControl.enqueueCommit", {
      worktree: worktree!.path,
      message: "Seen in the panel",
      files: worktree!.files,
    });
    commitId = id;
    await panel.locator(`[data-key="${id}"]`, { hasText: "Seen in the panel" }).waitFor();
    const group = panel.locator(".row.node .label").first();
    assert.equal(await group.innerText(), path.basename(fixture.sample.clone));
  });

  it("pauses, resumes and flushes from its buttons", async () => {
    await panel.getByRole("button", { name: "Pause", exact: true }).first().click();
    await panel.getByText("Git is paused: batches form only when you flush.").waitFor();
    assert.deepEqual((await state()).paused, { git: true, llm: true });
    await panel.locator("panel-header").getByRole("button", { name: "Resume" }).click();
    await until(
      "both sides to go on",
      async () => !(await state()).paused.git && !(await state()).paused.llm,
    );
    await panel.locator("panel-header").getByRole("button", { name: "Flush" }).click();
    const [worktree] = fixture.sample.worktrees;
    await until(
      "the commit",
      async () => (await git(worktree!.path, "log", "-1", "--format=%s")) === "Seen in the panel",
    );
    const batch = panel.locator(".row.node", { hasText: "1 commit" });
    await batch.getByRole("img", { name: "completed" }).waitFor();
    assert.match(await panel.locator("[data-total=waiting] .value").innerText(), /^0$/);
  });

  it("shows what became of each operation of a batch", async () => {
    await panel.locator(".row.node", { hasText: "1 commit" }).click();
    await panel.locator(`[data-key="${commitId}"]`).waitFor();
    assert.match(await panel.locator(`[data-key="${commitId}"]`).innerText(), /succeeded/);
  });

  it("opens the changes of a commit by a double click on its row", async () => {
    await panel.locator(`[data-key="${commitId}"]`).dblclick();
    await window.page.locator(".monaco-diff-editor .view-lines").first().waitFor();
    await window.runCommand("Batch Control: Open Panel");
    panel = await window.webview("batch-control-panel");
  });

  it("keeps its filters while it is hidden and shows what happened meanwhile", async () => {
    await panel.getByLabel("State").selectOption("waiting");
    await window.runCommand("File: New Untitled Text File");
    await until("the panel to be hidden", async () => (await places()).length === 0);
    const [, worktree] = fixture.sample.worktrees;
    // Nothing is to leave the queue by itself while the test looks at it.
    await window.bridge.command("batchControl.pause", {});
    await window.bridge.command("batchControl.enqueuePush", { worktree: worktree!.path });
    await window.runCommand("Batch Control: Open Panel");
    panel = await window.webview("batch-control-panel");
    await panel.locator(".row.operation", { hasText: worktree!.branch }).waitFor();
    assert.equal(await panel.getByLabel("State").inputValue(), "waiting");
  });

  it("comes back after the window was reloaded, beside the same page in the side bar", async () => {
    await window.bridge.command("batchControl.statsView.focus");
    await until("both pages", async () => (await places()).join() === "editor,view");
    await window.reload();
    // The workbench stores late which tab is in front.
    await window.page.locator(".tab", { hasText: "Batch Control" }).click();
    await until("both pages again", async () => (await places()).join() === "editor,view");
    for (const frame of window.page.frames()) {
      if ((await frame.locator("batch-control-panel").count()) === 0) continue;
      const waiting = frame.locator("[data-total=waiting] .value");
      const finished = frame.locator("[data-total=finished] .value");
      await until("the figures of the journal", async () => {
        const shown = [await waiting.innerText(), await finished.innerText()];
        return shown.join() === "1,1";
      });
    }
  });

  it("has one tab, which is alive, after the extension host has crashed", async () => {
    await window.crashExtensionHost();
    await window.bridge.command("batchControl.openPanel", {});
    // The page of the ended host may still be there for a moment, and answers nothing.
    await until("a panel that is listened to", async () => {
      const frame = await window.webview("batch-control-panel[data-place=editor]");
      const resume = frame.locator("panel-header").getByRole("button", { name: "Resume" });
      await resume.click({ timeout: 2000 }).catch(() => undefined);
      return !(await state()).paused.git;
    });
    const tabs = window.page.locator(".editor-group-container .tab", { hasText: "Batch Control" });
    await until("one tab", async () => (await tabs.count()) === 1);
  });
});
