import assert from "node:assert/strict";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { themes } from "../support/workbench/window.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("The page objects of the end-to-end tests", () => {
  const fixture = useSampleWorkbench();
  let window: WorkbenchWindow;

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
  });

  it("read a quick pick and choose from it", async () => {
    const picked = window.bridge.evaluate(({ vscode }) =>
      vscode.window.showQuickPick(
        [
          { label: "main", description: "the trunk", detail: "moves slowly" },
          { label: "maintenance", description: "old" },
        ],
        { placeHolder: "Which branch?" },
      ),
    );
    await window.quickInput.shown("Which branch?");
    assert.deepEqual(await window.quickInput.items(), [
      { label: "main", description: "the trunk", detail: "moves slowly" },
      { label: "maintenance", description: "old", detail: "" },
    ]);
    await window.quickInput.pick("main");
    assert.equal((await picked)?.label, "main");
  });

  it("tick several items", async () => {
    const picked = window.bridge.evaluate(({ vscode }) =>
      vscode.window.showQuickPick(["one", "two", "three"], { canPickMany: true, title: "Which agents?" }),
    );
    await window.quickInput.shown("Which agents?");
    await window.quickInput.tick("one");
    await window.quickInput.tick("three");
    await window.quickInput.accept();
    assert.deepEqual(await picked, ["one", "three"]);
  });

  it("fill an input box, read what is wrong, and cancel", async () => {
    const typed = window.bridge.evaluate(({ vscode }) =>
      vscode.window.showInputBox({
        prompt: "Commit message",
        validateInput: (value) => (value === "" ? "Write something" : undefined),
      }),
    );
    await window.quickInput.shown("Commit message");
    await window.quickInput.type("x");
    await window.quickInput.type("");
    await window.quickInput.shown("Write something");
    await window.quickInput.type("Add a basket");
    await window.quickInput.shown("Commit message");
    await window.quickInput.accept();
    assert.equal(await typed, "Add a basket");

    const cancelled = window.bridge.evaluate(({ vscode }) => vscode.window.showInputBox({ prompt: "Again" }));
    await window.quickInput.shown("Again");
    await window.quickInput.cancel();
    assert.equal(await cancelled, undefined);
  });

  it("read notifications, press their buttons and dismiss them", async () => {
    const pressed = window.bridge.evaluate(({ vscode }) =>
      vscode.window.showWarningMessage("Push refused", "Retry", "Log"),
    );
    assert.deepEqual(await window.notifications.waitFor("refused"), {
      severity: "warning",
      message: "Push refused",
      buttons: ["Retry", "Log"],
    });
    await window.notifications.press("refused", "Log");
    assert.equal(await pressed, "Log");

    void window.bridge.evaluate(({ vscode }) => vscode.window.showErrorMessage("Broken"));
    assert.equal((await window.notifications.waitFor("Broken")).severity, "error");
    await window.notifications.dismissAll();
    assert.deepEqual(await window.notifications.shown(), []);
  });

  it("answer a modal dialog", async () => {
    const pressed = window.bridge.evaluate(({ vscode }) =>
      vscode.window.showWarningMessage("Push to main?", { modal: true, detail: "It is protected." }, "Push"),
    );
    assert.match(await window.notifications.dialog(), /Push to main\?\s+It is protected\./);
    await window.notifications.pressInDialog("Push");
    assert.equal(await pressed, "Push");
  });

  it("read and click the status bar", async () => {
    await window.bridge.evaluate(({ vscode }) => {
      const item = vscode.window.createStatusBarItem("waiting", vscode.StatusBarAlignment.Left);
      item.text = "$(warning) 3 waiting";
      item.tooltip = "Saved two pushes";
      item.command = "workbench.action.showCommands";
      item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
      item.show();
    });
    const item = await window.statusBar.waitFor(/3 waiting/);
    assert.deepEqual([item.text, item.icons, item.kind], ["3 waiting", ["warning"], "warning"]);
    assert.match(await window.statusBar.tooltip(item), /Saved two pushes/);
    await window.statusBar.click(item);
    assert.equal(await window.quickInput.value(), ">");
    await window.quickInput.cancel();
  });

  it("read a tree, expand it and open its menu", async () => {
    await window.openViewContainer("Explorer");
    const tree = window.view("Explorer Section: shop (Workspace)");
    await tree.waitForRow("shop-three");
    assert.deepEqual(
      (await tree.rows()).filter((row) => row.level === 1).map((row) => row.label),
      ["shop", "shop-one", "shop-two", "shop-three"],
    );
    await tree.expand("shop-one");
    assert.equal((await tree.waitForRow("shop-one")).expanded, true);
    assert.ok((await tree.contextMenu("shop-one")).includes("New File..."));
    await window.page.keyboard.press("Escape");
  });

  it("find a webview", async () => {
    await window.bridge.evaluate(({ vscode }) => {
      const panel = vscode.window.createWebviewPanel("probe", "Probe", vscode.ViewColumn.One, {
        enableScripts: true,
      });
      panel.webview.html = "<main id=probe></main><script>probe.textContent = String(6 * 7)</script>";
    });
    const frame = await window.webview("#probe");
    assert.equal(await frame.locator("#probe").innerText(), "42");
    assert.ok((await window.editorTitles()).includes("Probe"));
  });

  it("change theme and settings", async () => {
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) await window.setTheme(theme);
    await fixture.workbench.server.setSettings({ "editor.fontSize": 17 });
    await window.waitForSetting("editor.fontSize", 17);
  });

  it("give the errors of the extension host", async () => {
    await assert.rejects(window.bridge.command("no.such.command"), /command 'no.such.command' not found/);
  });

  it("reload a window, crash its host and open a second one", async () => {
    const first = window.bridge.pid;
    await window.reload();
    assert.notEqual(window.bridge.pid, first);
    const second = window.bridge.pid;
    await window.crashExtensionHost();
    assert.notEqual(window.bridge.pid, second);
    const other = await fixture.workbench.open(fixture.sample.clone);
    assert.notEqual(other.bridge.pid, window.bridge.pid);
    assert.equal(await other.bridge.evaluate(({ vscode }) => vscode.workspace.name), "shop");
    await other.close();
  });
});
