import assert from "node:assert/strict";
import path from "node:path";
import { git, receivedPushes } from "../support/sample.ts";
import { useKeyboard } from "../support/workbench/keyboard-fixture.ts";
import { until } from "../support/workbench/until.ts";

/** One person's day without a mouse, in order. */
describe("Everything, by keyboard alone", () => {
  const desk = useKeyboard({ settings: { "batchControl.llm.defaultModel": "claude-haiku-4-5" } });
  const { state, clipboard, shownText, shownPath } = desk;

  before(() =>
    desk.simulator.setOutcome({
      prompt: "src/basket.js",
      outcome: { kind: "succeeded", text: "```js\nexport const tidy = true;\n```\n" },
    }),
  );

  it("queues commits and a push", async () => {
    const { keys } = desk;
    const [one, two] = desk.sample.worktrees;
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

  it("walks the tree: reads, copies, edits, moves and cancels what is queued", async () => {
    const { window, keys, queue } = desk;
    const [one, two] = desk.sample.worktrees;
    await queue.focus();
    await keys.moveTo("ArrowDown", `Work of ${one!.branch}`);
    await keys.press("Enter");
    // The editor takes the focus once it has drawn the files.
    await window.page.locator(".multiDiffEditor :focus").waitFor({ state: "attached" });
    await queue.onRow(`Work of ${two!.branch}`, "Cancel Operation");
    await until("a cancelled commit", async () => (await state()).git.queuedCount === 2);
    await queue.onRow(`Work of ${one!.branch}`, "Copy Id");
    const { id } = (await state()).git.queued.find(({ label }) => label.includes(one!.branch))!;
    await until("its id on the clipboard", async () => (await clipboard()) === id);
    await queue.onRow(`Work of ${one!.branch}`, "Edit Queued Operation");
    await keys.choose("What to change", "Message");
    await window.page.locator(".view-lines", { hasText: "Work of" }).first().waitFor();
    await keys.press("ControlOrMeta+A");
    await window.page.keyboard.type("Let items be removed");
    await keys.press("ControlOrMeta+S");
    await window.view("Queue").waitForRow("Let items be removed");
    await queue.onRow("Let items be removed", "Move Down");
    // Its push runs after it whatever stands first, so the queue shows them that way.
    await window.notifications.waitFor(/^a push runs after everything queued onto its branch/);
    await keys.command("Notifications: Clear All Notifications");
    assert.equal((await state()).git.queued[0]?.id, id);
  });

  it("previews and flushes", async () => {
    const { window, keys } = desk;
    await keys.command("Batch Control: Preview Flush");
    await until("the plan", async () =>
      (await window.editorTitles()).some((title) => title.includes("Flush plan")),
    );
    await keys.command("Batch Control: Flush Now");
    await until("the push at the remote", async () => (await receivedPushes(desk.sample)).length === 1);
    const { branch } = desk.sample.worktrees[0]!;
    assert.equal(await git(desk.sample.remote, "log", "-1", "--format=%s", branch), "Let items be removed");
    // A web page in view may take the focus back from the next question.
    await keys.command("View: Close All Editors");
  });

  it("merges, and undoes the batch", async () => {
    const { keys } = desk;
    const { branch } = desk.sample.worktrees[0]!;
    const before = await git(desk.sample.clone, "rev-parse", "main");
    await keys.command("Batch Control: Queue Merge");
    await keys.choose("Merge which branch?", branch);
    await keys.choose("into which branch?", "main");
    await keys.choose("How to merge", "Merge commit");
    await keys.choose("Push main afterwards?", "Merge only");
    await until("the merge", async () => (await state()).git.queuedCount === 1);
    await keys.command("Batch Control: Flush Now");
    const main = (): Promise<string> => git(desk.sample.clone, "log", "-1", "--format=%s", "main");
    await until("a merged main", async () => (await main()).startsWith("Merge branch"));
    await until("an end", async () => (await state()).git.executing.length === 0);
    await keys.command("Batch Control: Undo Batch");
    await desk.window.quickInput.shown("Undo Batch");
    await keys.choose("Choose a batch", `${branch} → main`);
    await keys.answer(`- ${branch} → main`, "Undo");
    await until("main as before", async () => (await git(desk.sample.clone, "rev-parse", "main")) === before);
  });

  it("runs a prompt on a file, reviews what the answer would change, and applies it", async () => {
    const { window, keys } = desk;
    await keys.command("Batch Control: Run Prompt on Files");
    await keys.choose("Prompt file", "tidy");
    await keys.choose("Run on which files?", "Files that match a pattern");
    await keys.fill("Pattern of paths", "src/basket.js");
    await keys.accept("Files to run on");
    await keys.fill("What to pay attention to", "names");
    await keys.accept("The first prompt is shown");
    await until("requests", async () => (await state()).llm.queuedCount > 0);
    const answered = (await state()).llm.executed.length;
    await keys.command("Batch Control: Flush Now");
    await until("answers", async () => (await state()).llm.executed.length > answered);
    await keys.command("Batch Control: Open Result");
    await keys.choose("Choose an operation", "shop/src/basket.js");
    await until("the result", async () => (await shownText()).includes("tidy = true"));
    await keys.command("Batch Control: Review Changes of Result");
    await window.page
      .locator(".monaco-diff-editor .modified .view-lines", { hasText: "tidy = true" })
      .waitFor();
    await keys.command("Batch Control: Apply Changes of Result");
    await keys.accept("Files to change");
    const holdsAnswer = (file: string): Promise<boolean> =>
      window.bridge.evaluate(
        async ({ vscode }, name) =>
          (await vscode.workspace.openTextDocument(vscode.Uri.file(name))).getText().includes("tidy = true"),
        file,
      );
    const places = [desk.sample.clone, ...desk.sample.worktrees.map((worktree) => worktree.path)];
    await until("the new text in one of the folders", async () =>
      (await Promise.all(places.map((place) => holdsAnswer(path.join(place, "src/basket.js"))))).some(
        Boolean,
      ),
    );
  });

  it("asks a model, reads and copies the answer", async () => {
    const { keys } = desk;
    await keys.command("Batch Control: Queue LLM Request");
    await keys.choose("Kind of work", "judge");
    await keys.accept("Model");
    await keys.fill("Prompt", "Is the receipt clear?");
    await until("the request", async () => (await state()).llm.queuedCount === 1);
    await keys.command("Batch Control: Flush Now");
    await until("an answer", async () => (await state()).llm.executed.length === 1);
    await keys.command("Batch Control: Open Result");
    await keys.choose("Choose an operation", "Is the receipt clear?");
    await until("the result", async () => (await shownText()).includes("cost_usd"));
    const text = await shownText();
    await keys.command("Batch Control: Copy Result");
    await until("the answer on the clipboard", async () => {
      const copied = await clipboard();
      return copied !== "" && text.includes(copied);
    });
  });

  it("steps through results, compares two and inserts one", async () => {
    const { window, keys } = desk;
    await keys.command("Batch Control: Open Result");
    await keys.choose("Choose an operation", "shop/src/basket.js");
    await until("a result", async () => (await shownPath()).startsWith("/result/"));
    const first = await shownPath();
    await keys.command("Batch Control: Next Result of Batch");
    await until(
      "another one",
      async () => (await shownPath()) !== first && (await shownPath()).startsWith("/result/"),
    );
    await keys.command("Batch Control: Previous Result of Batch");
    await until("the first again", async () => (await shownPath()) === first);
    await keys.command("Batch Control: Compare Results");
    await keys.choose("Choose an operation", "Is the receipt clear?");
    await window.page.locator(".monaco-diff-editor .modified .view-lines", { hasText: "receipt" }).waitFor();
    await keys.openFile("receipt.js");
    await until("an editor", async () => (await shownPath()).endsWith("receipt.js"));
    await keys.command("Batch Control: Insert Result at Cursor");
    await keys.choose("Choose an operation", "Is the receipt clear?");
    await until("the answer in the file", async () =>
      (await shownText()).includes("Answer to: Is the receipt"),
    );
  });

  it("retries what was cancelled", async () => {
    const { keys } = desk;
    const { branch } = desk.sample.worktrees[1]!;
    await keys.command("Batch Control: Retry Operation");
    await keys.choose("Choose an operation", `Work of ${branch}`);
    await until("it in the queue again", async () =>
      (await state()).git.queued.some(({ label }) => label === `Work of ${branch}`),
    );
  });

  it("finds its way through the walkthrough", async () => {
    const { window, keys } = desk;
    await keys.command("Welcome: Open Walkthrough...");
    await keys.choose("walkthrough", "Queue it, then send it once");
    await window.page.locator(".getting-started-step").first().waitFor();
    await keys.moveTo("Tab", /See what it saved/);
    await keys.press("Enter");
    await window.page.locator(".getting-started-step.expanded", { hasText: "See what it saved" }).waitFor();
  });

  it("opens the panel from the status bar, reads the charts and filters the list", async () => {
    const { window, keys } = desk;
    await keys.command("View: Focus Status Bar");
    await keys.moveTo("ArrowRight", "Batch Control");
    await keys.press("Enter");
    await window.webview("[data-chart=trips]");
    await keys.moveTo("Tab", /Show as table/);
    await keys.press("Enter");
    const panel = await window.webview("[data-chart=trips]");
    await panel.locator("[data-chart=trips] table").waitFor();
    await keys.moveTo("Tab", "Filter by text");
    await window.page.keyboard.type("receipt clear");
    const rows = panel.locator("batch-list [data-key]");
    await until("only what matches", async () => {
      const texts = await rows.allInnerTexts();
      return texts.length > 0 && texts.every((text) => text.includes("judge") || text.includes("receipt"));
    });
  });
});
