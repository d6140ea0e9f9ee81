import assert from "node:assert/strict";
import { useKeyboard } from "../support/workbench/keyboard-fixture.ts";
import { until } from "../support/workbench/until.ts";

const prefix = "ctrl+k b";

describe("The keys of the extension", () => {
  const desk = useKeyboard({
    settings: { "batchControl.git.autoFlush": false, "batchControl.llm.autoFlush": false },
  });
  const press = (last: string): Promise<void> => desk.keys.press("Control+K", "B", last);
  const asked = async (what: string): Promise<void> => {
    await desk.window.quickInput.shown(what);
    await desk.keys.press("Escape");
    await until("no question", async () => (await desk.window.quickInput.items()).length === 0);
  };

  it("are none that the editor itself has, whole or in part", async () => {
    const defaults = await desk.window.bridge.evaluate(async ({ vscode }) => {
      const uri = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
      return (await vscode.workspace.openTextDocument(uri)).getText();
    });
    const bindings = [...defaults.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)];
    const keys = bindings.flatMap(([, key = "", command = ""]) =>
      command.startsWith("batchControl.") ? [] : [key],
    );
    assert.ok(keys.length > 500 && keys.includes("ctrl+k ctrl+s"), `${keys.length} keys were read`);
    assert.deepEqual(
      keys.filter((key) => key === prefix || key.startsWith(`${prefix} `)),
      [],
    );
  });

  it("begin to queue a commit, a merge, a push and a request", async () => {
    await press("C");
    await asked("Queue Commit");
    await press("M");
    await asked("Queue Merge");
    await press("P");
    await asked("Queue Push");
    await press("R");
    await asked("Queue LLM Request");
    const { git, llm } = await desk.state();
    assert.deepEqual([git.queuedCount, llm.queuedCount], [0, 0]);
  });

  it("show what a flush would do, without flushing, and the panel", async () => {
    const { path: worktree } = desk.sample.worktrees[0]!;
    await desk.run("enqueuePush", { worktree });
    await until("the push", async () => (await desk.window.view("Queue").rows()).length > 0);
    await press("F");
    await until("the plan", async () =>
      (await desk.window.editorTitles()).some((title) => title.includes("Flush plan")),
    );
    assert.equal((await desk.state()).git.queuedCount, 1);
    await desk.keys.command("Batch Control: Focus on Queue View");
    await press("S");
    await until("the panel", async () => (await desk.window.editorTitles()).includes("Batch Control"));
  });

  it("open the menu of what has finished, which leads to the panel and to the history", async () => {
    await desk.run("flush", { kind: "git", wait: true });
    await desk.window.view("Queue").waitForRow("Finished");
    await desk.keys.command("View: Close All Editors");
    await desk.queue.onRow(/^Finished/, "Open Panel");
    await until("the panel", async () => (await desk.window.editorTitles()).includes("Batch Control"));
    await desk.queue.onRow(/^Finished/, "Export History");
    await desk.window.quickInput.shown("Export History");
    await desk.keys.press("Escape");
  });
});
