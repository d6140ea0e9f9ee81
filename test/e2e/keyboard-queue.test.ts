import assert from "node:assert/strict";
import path from "node:path";
import { git, receivedPushes } from "../support/sample.ts";
import { useKeyboard } from "../support/workbench/keyboard-fixture.ts";
import { until } from "../support/workbench/until.ts";

/** In the page. */
const chosenOptions = (selects: readonly Element[]): string[] =>
  selects.flatMap((select) =>
    select instanceof HTMLSelectElement ? (select.selectedOptions[0]?.textContent ?? "") : [],
  );

interface Made {
  readonly id: string;
}

describe("The queue, by keyboard alone", () => {
  const desk = useKeyboard({
    settings: { "batchControl.git.autoFlush": false, "batchControl.llm.autoFlush": false },
  });
  const { run, state, clipboard, shownPath } = desk;
  const labels = async (): Promise<string> => (await state()).git.queued.map(({ label }) => label).join();
  const commits = async (): Promise<void> => {
    const { path: worktree, files } = desk.sample.worktrees[0]!;
    for (const [at, file] of files.entries())
      await run("enqueueCommit", { worktree, message: `Commit ${at}`, files: [file] });
    await desk.window.view("Queue").waitForRow(`Commit ${files.length - 1}`);
  };
  const ask = (prompt: string): Promise<Made> =>
    run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt });

  afterEach(() => run("clear", {}));

  it("selects several rows and cancels them at once", async () => {
    await commits();
    await run("enqueuePush", { worktree: desk.sample.worktrees[0]!.path });
    await until("all three", async () => (await state()).git.queuedCount === 3);
    await desk.queue.goTo("agent/one → origin");
    // All in the same place, then not this one.
    await desk.keys.press("ControlOrMeta+A", "ControlOrMeta+Shift+Enter", "ArrowUp");
    await desk.keys.fromMenu("Cancel Operation");
    await until("only the push", async () => (await labels()) === "agent/one → origin");
  });

  it("begins a selection at a row and extends it, which opens nothing", async () => {
    const { keys, queue, window } = desk;
    await commits();
    await run("enqueuePush", { worktree: desk.sample.worktrees[0]!.path });
    await until("all three", async () => (await state()).git.queuedCount === 3);
    await queue.goTo("Commit 0");
    // Shift with an arrow alone would open the row that it comes to, in this tree as in all that extensions bring.
    await keys.press("ControlOrMeta+Shift+Enter", "Shift+ArrowDown");
    await keys.fromMenu("Cancel Operation");
    await until("only the push", async () => (await labels()) === "agent/one → origin");
    assert.deepEqual(await window.editorTitles(), []);
  });

  it("takes of a range over two worktrees the operations, whatever rows hold them", async () => {
    const { keys, queue } = desk;
    await commits();
    const other = desk.sample.worktrees[1]!;
    await run("enqueueCommit", { worktree: other.path, message: "Elsewhere", files: other.files });
    await desk.window.view("Queue").waitForRow("Elsewhere");
    await queue.goTo("Commit 1");
    // Over the row of the other worktree, which stands between the two.
    await keys.press("ControlOrMeta+Shift+Enter", "Shift+ArrowDown", "Shift+ArrowDown");
    await keys.fromMenu("Cancel Operation");
    await until("the first only", async () => (await labels()) === "Commit 0");
  });

  it("cancels on the row of a worktree what is queued there, after it has asked", async () => {
    const { keys, queue } = desk;
    await commits();
    const other = desk.sample.worktrees[1]!;
    await run("enqueueCommit", { worktree: other.path, message: "Elsewhere", files: other.files });
    await desk.window.view("Queue").waitForRow("Elsewhere");
    await queue.onRow(/^shop-one/, "Cancel All Queued Here");
    await keys.answer("Operations queued here: 2. Cancel all of them?", "Cancel Operations");
    await until("the other worktree's", async () => (await labels()) === "Elsewhere");
  });

  it("goes on from the rows beside one that was cancelled", async () => {
    const { keys, queue } = desk;
    await commits();
    await run("enqueuePush", { worktree: desk.sample.worktrees[0]!.path });
    await until("all three", async () => (await state()).git.queuedCount === 3);
    await queue.onRow("Commit 0", "Cancel Operation");
    await until("the focus on the next row", async () => (await keys.focused()).startsWith("Commit 1"));
    await keys.press("ArrowDown");
    assert.match(await keys.focused(), /^agent\/one → origin/);
    await keys.fromMenu("Cancel Operation");
    await until("the focus on the row before", async () => (await keys.focused()).startsWith("Commit 1"));
    await keys.press("ArrowUp");
    assert.match(await keys.focused(), /^Queued/);
  });

  it("moves a row down, up and to a place", async () => {
    await commits();
    await desk.queue.onRow("Commit 0", "Move Down");
    await until("it last", async () => (await labels()) === "Commit 1,Commit 0");
    await desk.queue.onRow("Commit 0", "Move Up");
    await until("it first", async () => (await labels()) === "Commit 0,Commit 1");
    await desk.queue.onRow("Commit 0", "Move Queued Operation");
    await desk.keys.fill("Position within its queue", "2");
    await until("it second", async () => (await labels()) === "Commit 1,Commit 0");
  });

  it("opens the change, the file and the details behind a row, and the log", async () => {
    const { keys, queue, window } = desk;
    await commits();
    const file = desk.sample.worktrees[0]!.files[0]!;
    await queue.onRow("Commit 0", "Open Changes");
    await window.page
      .locator(".monaco-diff-editor .modified .view-lines", { hasText: "removeItem" })
      .first()
      .waitFor();
    await queue.onRow("Commit 0", "Open File");
    await until("the file", async () => (await shownPath()).endsWith(`/shop-one/${file}`));
    await queue.onRow("Commit 0", "Open Details");
    const details = await window.webview("h1");
    await details.getByRole("heading", { name: "Commit 0" }).waitFor();
    await keys.command("Batch Control: Show Log");
    await until("its channel", async () =>
      (await window.page.locator(".panel select").evaluateAll(chosenOptions)).includes("Batch Control"),
    );
    await keys.command("View: Hide Panel");
  });

  it("edits the files of a commit, the branch of a push, and prompt and model of a request", async () => {
    const { keys, queue, window } = desk;
    const { path: worktree, files } = desk.sample.worktrees[0]!;
    await run("enqueueCommit", { worktree, message: "Both files", files });
    await run("enqueuePush", { worktree });
    const { id } = await ask("What is a basket?");
    await window.view("Queue").waitForRow("What is a basket?");
    await queue.onRow("Both files", "Edit Queued Operation");
    await window.quickInput.shown("What to change");
    await window.page.locator(".quick-input-list", { hasText: files.join(", ") }).waitFor();
    await keys.choose("What to change", "Files");
    await keys.toggle("Files to commit", path.basename(files[1]!));
    await until("one file", async () => {
      const detail = JSON.stringify((await state()).git.queued[0]!.detail);
      return detail.includes(files[0]!) && !detail.includes(files[1]!);
    });
    await queue.onRow("agent/one → origin", "Edit Queued Operation");
    await keys.choose("What to change", "Branch");
    await keys.choose("Branch", "main");
    await until("another branch", async () => (await labels()) === "Both files,main → origin");
    await queue.onRow("What is a basket?", "Edit Queued Operation");
    await keys.choose("What to change", "Model");
    await keys.fill("Model", "claude-opus-5-5");
    await until("another model", async () =>
      (await state()).llm.queued[0]!.group.includes("claude-opus-5-5"),
    );
    await queue.onRow("What is a basket?", "Edit Queued Operation");
    await keys.choose("What to change", "Prompt");
    await window.page.locator(".view-lines", { hasText: "What is a basket?" }).first().waitFor();
    await keys.press("ControlOrMeta+A");
    await window.page.keyboard.type("What is a receipt?");
    await keys.press("ControlOrMeta+S");
    await until("another prompt", async () => {
      const [request] = (await state()).llm.queued;
      return request?.id === id && request.label === "What is a receipt?";
    });
  });

  it("pauses and resumes one side from its row, and both from the palette", async () => {
    const { keys, queue } = desk;
    await commits();
    const paused = async (): Promise<string> => {
      const now = (await state()).paused;
      return `${now.git} ${now.llm}`;
    };
    await queue.onRow(/^Git/, "Pause Automatic Flushing");
    await until("a paused side", async () => (await paused()) === "true false");
    await queue.onRow(/^Git/, "Resume Automatic Flushing");
    await until("no pause", async () => (await paused()) === "false false");
    await keys.command("Batch Control: Pause Automatic Flushing");
    await until("two paused sides", async () => (await paused()) === "true true");
    await keys.command("Batch Control: Resume Automatic Flushing");
    await until("no pause", async () => (await paused()) === "false false");
  });

  it("reads the plan of a side, and edits, cancels and flushes with it in view", async () => {
    const { keys, queue, window } = desk;
    const { path: worktree, branch } = desk.sample.worktrees[0]!;
    await commits();
    await run("enqueuePush", { worktree });
    await until("all three", async () => (await state()).git.queuedCount === 3);
    await queue.onRow(/^Git/, "Preview Flush");
    const plan = await window.webview("h3 code");
    await plan
      .getByText(/Commit 0/)
      .first()
      .waitFor();
    await plan.getByText(/Runs of git push: 1/).waitFor();
    await keys.commandFromPage("Batch Control: Edit Queued Operation", "Choose an operation");
    await keys.choose("Choose an operation", "Commit 0");
    await keys.choose("What to change", "Message");
    await window.page.locator(".view-lines", { hasText: "Commit 0" }).first().waitFor();
    await keys.press("ControlOrMeta+A");
    await window.page.keyboard.type("Let items be removed");
    await keys.press("ControlOrMeta+S");
    await until("the new message", async () => (await labels()).startsWith("Let items be removed,"));
    await keys.command("Batch Control: Cancel Operation");
    await keys.choose("Choose an operation", "Commit 1");
    await until("two left", async () => (await state()).git.queuedCount === 2);
    await keys.command("Batch Control: Flush Now");
    await until("the push at the remote", async () => (await receivedPushes(desk.sample)).length === 1);
    assert.equal(await git(desk.sample.remote, "log", "-1", "--format=%s", branch), "Let items be removed");
  });

  it("reads what has finished: its day, its batch, the commit behind it, and why a pushed one is not undone", async () => {
    const { keys, queue } = desk;
    const [batch] = (await state()).git.executed;
    await queue.goTo(/^Finished/);
    await queue.expand();
    await keys.moveTo("ArrowDown", /^shop/);
    await keys.fromMenu("Copy Id");
    await until("its id on the clipboard", async () => (await clipboard()) === batch!.id);
    await queue.expand();
    await keys.moveTo("ArrowDown", "Let items be removed");
    await keys.fromMenu("Open Changes");
    await desk.window.page
      .locator(".monaco-diff-editor .modified .view-lines", { hasText: "removeItem" })
      .first()
      .waitFor();
    await queue.goTo(/^Finished/);
    await keys.moveTo("ArrowDown", /^shop/);
    await keys.fromMenu("Undo Batch");
    await keys.answer("- Let items be removed", "Undo");
    await desk.window.notifications.waitFor(/Left agent\/one: .*push/);
  });

  it("retries a failed operation from its row, on top of the tree", async () => {
    const { path: worktree } = desk.sample.worktrees[1]!;
    await git(worktree, "remote", "add", "nowhere", path.join(desk.sample.root, "nowhere.git"));
    await run("enqueuePush", { worktree, remote: "nowhere" });
    await run("flush", { kind: "git", wait: true });
    await desk.queue.goTo(/^shop.*failed/);
    await desk.keys.expand("agent/two → nowhere");
    await desk.keys.moveTo("ArrowDown", "agent/two → nowhere");
    await desk.keys.fromMenu("Retry Operation");
    await until("it in the queue again", async () => (await labels()) === "agent/two → nowhere");
  });

  it("queues a commit from a changed file in Source Control", async () => {
    const { keys } = desk;
    const { files } = desk.sample.worktrees[2]!;
    await keys.command("Source Control: Focus on Changes View");
    // It begins in a message box.
    await keys.moveTo("Shift+Tab", "Source Control Management");
    await keys.moveTo("ArrowDown", path.basename(files[0]!));
    await keys.fromMenu("Queue Commit");
    // Just that one is ticked.
    await keys.accept("Files to commit");
    await keys.fill("Commit message", "From Source Control");
    await until("the commit", async () => (await labels()) === "From Source Control");
    const detail = JSON.stringify((await state()).git.queued[0]!.detail);
    assert.ok(detail.includes(files[0]!) && !detail.includes(files[1]!), detail);
  });

  it("runs a prompt on one file of the Explorer, on several, and on the one in the editor", async () => {
    const { keys, window } = desk;
    const selectedFiles = (): Promise<string[]> =>
      window.page.locator(".explorer-folders-view .monaco-list-row.selected").allTextContents();
    const runPrompt = async (...files: readonly string[]): Promise<void> => {
      await keys.fromMenu("Run Prompt on Files");
      await keys.choose("Prompt file", "tidy");
      await keys.fill("What to pay attention to", "names");
      await keys.accept("The first prompt is shown");
      await until(`a request about each of ${files.join()}`, async () => {
        const { queued } = (await state()).llm;
        return files.every((file) => queued.some(({ label }) => label.includes(file)));
      });
      const { queuedCount } = (await state()).llm;
      assert.equal(queuedCount, files.length);
      await run("clear", {});
    };
    await keys.explorer();
    await keys.moveTo("ArrowDown", /^shop/);
    await keys.expand("README.md");
    await keys.moveTo("ArrowDown", "README.md");
    await runPrompt("README.md");
    await keys.explorer();
    await keys.moveTo("ArrowDown", "src");
    await keys.expand("prices.js");
    await keys.moveTo("ArrowDown", "prices.js");
    // Shown without leaving the Explorer, and so selected once more when the editor is there; what the next key adds to.
    await keys.press("Space");
    await window.page.locator('.tab.active[data-resource-name="prices.js"]').waitFor();
    await until(
      "both selected",
      async () => {
        if ((await selectedFiles()).join() === "prices.js,receipt.js") return true;
        await keys.press("Shift+ArrowDown");
        return false;
      },
      { interval: 1_000 },
    );
    await runPrompt("prices.js", "receipt.js");
    await keys.openFile("receipt.js");
    await window.page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await runPrompt("receipt.js");
  });
});
