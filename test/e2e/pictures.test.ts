import assert from "node:assert/strict";
import path from "node:path";
import { seriousFindings, seriousIn } from "../support/panel/axe.ts";
import { usePanelPages } from "../support/panel/fixture.ts";
import { themeNames } from "../support/panel/panel-page.ts";
import { busySnapshot, idOf, largeSnapshot, snapshot } from "../support/panel/snapshots.ts";
import { outDir } from "../support/paths.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";
import { themes } from "../support/workbench/window.ts";

/** Pictures of everything that is drawn, for an eye to look at; in `out/test/screenshots`. */
describe("Pictures of the panel", () => {
  const open = usePanelPages();

  for (const theme of themeNames) {
    it(`in the theme ${theme}: empty, busy, large, narrow`, async () => {
      const empty = await open({ theme });
      await empty.show(snapshot());
      await empty.picture(`panel-empty-${theme}`);
      assert.deepEqual(await seriousFindings(empty.page), []);
      const busy = await open({ theme });
      await busy.show(busySnapshot());
      await busy.row(idOf(1_000_040)).click();
      await busy.picture(`panel-busy-${theme}`);
      const large = await open({ theme });
      await large.show(largeSnapshot(10_000, 5));
      await large.picture(`panel-large-${theme}`, { fullPage: false });
      assert.deepEqual(await seriousFindings(large.page), []);
      const narrow = await open({ theme, width: 300, place: "view" });
      await narrow.show(busySnapshot());
      await narrow.picture(`panel-narrow-${theme}`);
    });
  }
});

describe("Pictures of the workbench", () => {
  // A notification would lie over what is pictured.
  const fixture = useDemoWorkbench({ settings: { "batchControl.notifications.operationsFailed": false } });
  let window: WorkbenchWindow;
  let request: string;
  let committed: string;
  let failed: string;
  let undone: string;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const picture = (name: string): Promise<unknown> =>
    window.page.screenshot({ path: path.join(outDir, "screenshots", `${name}.png`) });

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.bridge.command("workbench.action.closeAuxiliaryBar");
    await run("pause", {});
    const [one, two, three] = fixture.sample.worktrees;
    const commit = (tree: typeof one, message: string): Promise<{ id: string }> =>
      run("enqueueCommit", { worktree: tree!.path, message, files: [...tree!.files] });
    committed = (await commit(one, "Let items be removed")).id;
    await run("enqueuePush", { worktree: one!.path });
    // Both have commits of their own: a batch that fails in part.
    await commit(three, "Show the receipt");
    const merge = {
      worktree: fixture.sample.clone,
      source: three!.branch,
      target: one!.branch,
      mode: "ff-only",
    };
    // A batch is named by what succeeded in it, the newest first.
    undone = "Show the receipt";
    failed = (await run<{ id: string }>("enqueueMerge", merge)).id;
    await run("flush", { kind: "git", wait: true });
    const asked = { type: "judge", model: "claude-haiku-4-5", prompt: "Is the receipt clear?" };
    request = (await run<{ id: string }>("enqueueRequest", asked)).id;
    await run("flush", { kind: "llm", wait: true });
    await commit(two, "Keep prices in one place");
    await run("enqueueMerge", {
      worktree: fixture.sample.clone,
      source: one!.branch,
      target: "main",
      push: true,
    });
    await run("enqueueRequest", { ...asked, prompt: "What would you test first?" });
    await window.openViewContainer("Batch Control");
  });

  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    const name = themes[theme];
    it(`in the theme ${theme}: tree, plan, result, panel, status bar`, async () => {
      await window.setTheme(theme);
      await window.view("Queue").waitForRow("What would you test first?");
      await run("previewFlush", {});
      await window.runCommand("Batch Control: Preview Flush");
      await window.webview("h2");
      await picture(`window-plan-${name}`);
      // The editor puts no space between a row's label and its description, so the name that is spoken differs.
      const spacing = ["label-content-name-mismatch"];
      assert.deepEqual(await seriousIn(window.page, ".pane:has([aria-label^=Queue])", spacing), []);
      await run("openResult", { id: request });
      await window.page.locator(".view-lines", { hasText: "cost_usd" }).waitFor();
      await picture(`window-result-${name}`);
      await run("openPanel", {});
      const panel = await window.webview("[data-chart=trips]");
      await panel.evaluate(() => document.fonts.ready.then(() => undefined));
      await picture(`window-panel-${name}`);
      // The background is the workbench's, outside the frame: contrast is looked at in the panel's own pages.
      assert.deepEqual(await seriousIn(panel, "html", ["color-contrast"]), []);
      const { id } = await window.statusBar.waitFor(/batchControl\.status/);
      assert.deepEqual(await seriousIn(window.page, `[id="${id}"]`), []);
      await window.bridge.command("workbench.action.closeAllEditors");
    });

    it(`in the theme ${theme}: details, changes, undo report`, async () => {
      await window.setTheme(theme);
      await run("openDetails", { id: failed });
      await (await window.webview("h2")).locator("h2", { hasText: "Error" }).waitFor();
      await picture(`window-details-${name}`);
      await run("openChanges", { id: committed });
      await window.page.locator(".monaco-diff-editor .view-lines").first().waitFor();
      await picture(`window-changes-${name}`);
      await window.runCommand("Batch Control: Undo Batch");
      await window.quickInput.pick(undone);
      await until("the question", async () => (await window.notifications.dialog()).includes(undone));
      await picture(`window-undo-question-${name}`);
      await window.notifications.pressInDialog("Undo");
      await window.notifications.waitFor(/Left/);
      await picture(`window-undo-${name}`);
      await window.notifications.dismissAll();
      await window.bridge.command("workbench.action.closeAllEditors");
    });
  }
});
