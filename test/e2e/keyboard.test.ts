import assert from "node:assert/strict";
import { git, receivedPushes } from "../support/sample.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { Keyboard } from "../support/workbench/keyboard.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface State {
  readonly git: {
    readonly queued: readonly { readonly id: string; readonly label: string }[];
    readonly queuedCount: number;
  };
  readonly llm: { readonly queuedCount: number; readonly executed: readonly unknown[] };
}

/** One person's day without a mouse, in order. */
describe("Everything, by keyboard alone", () => {
  const fixture = useDemoWorkbench({ settings: { "batchControl.llm.defaultModel": "claude-haiku-4-5" } });
  let window: WorkbenchWindow;
  let keys: Keyboard;
  const state = (): Promise<State> => window.bridge.command<State>("batchControl.getState", {});
  const clipboard = (): Promise<string> =>
    window.bridge.evaluate(({ vscode }) => vscode.env.clipboard.readText());
  const editorText = (): Promise<string> =>
    window.bridge.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? "");
  const focusQueue = async (): Promise<void> => {
    await keys.command("Batch Control: Focus on Queue View");
    await until("the focus in the queue", async () => (await keys.focused()) !== "");
    await keys.press("Home");
  };

  /** Chooses from the menu of a row of the queue. */
  const onRow = async (row: string, entry: string): Promise<void> => {
    await focusQueue();
    await keys.moveTo("ArrowDown", row);
    await keys.press("Shift+F10");
    await keys.moveTo("ArrowDown", new RegExp(`^${entry}$`));
    await keys.press("Enter");
  };

  before(async () => {
    fixture.simulator.setOutcome({
      prompt: "Tidy src/basket.js",
      outcome: { kind: "succeeded", text: "```js\nexport const tidy = true;\n```\n" },
    });
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    keys = new Keyboard(window);
    // A view that has never been shown is not there yet to take the focus.
    await keys.command("Batch Control: Focus on Queue View");
    await until("the queue", async () => (await window.view("Queue").welcome()) !== "");
    // Whoever touches the mouse is found out.
    await window.page.evaluate(() => {
      globalThis.addEventListener(
        "pointerdown",
        () => document.body.setAttribute("data-mouse", "used"),
        true,
      );
    });
  });

  afterEach(async () => {
    assert.equal(await window.page.locator("body").getAttribute("data-mouse"), null);
  });

  it("queues commits and a push", async () => {
    const [one, two] = fixture.sample.worktrees;
    for (const { branch } of [one!, two!]) {
      await keys.command("Batch Control: Queue Commit");
      await keys.choose("Worktree", branch);
      await keys.accept("Files to commit");
      await keys.fill("Commit message", `Work of ${branch}`);
      await until("the commit", async () =>
        (await state()).git.queued.some(({ label }) => label.includes(branch)),
      );
    }
    await keys.command("Batch Control: Queue Push");
    await keys.choose("Worktree", one!.branch);
    await keys.choose("Push which branch?", one!.branch);
    await until("the push", async () => (await state()).git.queuedCount === 3);
  });

  it("walks the tree: reads, copies, moves and cancels what is queued", async () => {
    const [one, two] = fixture.sample.worktrees;
    await focusQueue();
    await keys.moveTo("ArrowDown", `Work of ${one!.branch}`);
    await keys.press("Enter");
    // The editor takes the focus once it has drawn the files.
    await window.page.locator(".multiDiffEditor :focus").waitFor({ state: "attached" });
    await onRow(`Work of ${two!.branch}`, "Cancel Operation");
    await until("a cancelled commit", async () => (await state()).git.queuedCount === 2);
    await onRow(`Work of ${one!.branch}`, "Copy Id");
    const { id } = (await state()).git.queued.find(({ label }) => label.includes(one!.branch))!;
    await until("its id on the clipboard", async () => (await clipboard()) === id);
    await onRow(`Work of ${one!.branch}`, "Move Down");
    await until("another order", async () => (await state()).git.queued.at(-1)?.id === id);
  });

  it("previews and flushes", async () => {
    await keys.command("Batch Control: Preview Flush");
    await until("the plan", async () =>
      (await window.editorTitles()).some((title) => title.includes("Flush plan")),
    );
    await keys.command("Batch Control: Flush Now");
    await until("the push at the remote", async () => (await receivedPushes(fixture.sample)).length === 1);
    const { branch } = fixture.sample.worktrees[0]!;
    assert.equal(await git(fixture.sample.remote, "log", "-1", "--format=%s", branch), `Work of ${branch}`);
  });

  it("asks a model, reads and copies the answer", async () => {
    await keys.command("Batch Control: Queue LLM Request");
    await keys.choose("Kind of work", "judge");
    await keys.accept("Model");
    await keys.fill("Prompt", "Is the receipt clear?");
    await until("the request", async () => (await state()).llm.queuedCount === 1);
    await keys.command("Batch Control: Flush Now");
    await until("an answer", async () => (await state()).llm.executed.length === 1);
    await keys.command("Batch Control: Open Result");
    await keys.choose("Choose an operation", "Is the receipt clear?");
    await until("the result", async () => (await editorText()).includes("cost_usd"));
    const text = await editorText();
    await keys.command("Batch Control: Copy Result");
    await until("the answer on the clipboard", async () => {
      const copied = await clipboard();
      return copied !== "" && text.includes(copied);
    });
  });

  it("opens the panel from the status bar, reads the charts and filters the list", async () => {
    await keys.command("View: Focus Status Bar");
    await keys.moveTo("ArrowRight", "Batch Control");
    await keys.press("Enter");
    await window.webview("[data-chart=trips]");
    await keys.moveTo("Tab", /Show as table/);
    await keys.press("Enter");
    const panel = await window.webview("[data-chart=trips]");
    await panel.locator("[data-chart=trips] table").waitFor();
    await keys.moveTo("Tab", /Filter|Search/);
    await window.page.keyboard.type("basket");
  });
});
