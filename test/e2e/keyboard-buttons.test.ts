import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { agentChanges } from "../support/sample-files.ts";
import { git, receivedPushes } from "../support/sample.ts";
import { moveFocusInto } from "../support/workbench/focus.ts";
import { useKeyboard } from "../support/workbench/keyboard-fixture.ts";
import { until } from "../support/workbench/until.ts";

interface Made {
  readonly id: string;
}

const prices = "export const prices = { apple: 45 };\n";
const total = "export const total = (basket) => basket.length;\n";
const milk = "export const milk = 130;\n";
const answers: Readonly<Record<string, string>> = {
  "src/prices.js": `\`\`\`js\n${prices}\`\`\`\n`,
  "src/total.js": `\`\`\`js src/total.js\n${total}\`\`\`\n\n\`\`\`js src/milk.js\n${milk}\`\`\`\n`,
};

describe("Buttons of titles and rows, by keyboard alone", () => {
  const desk = useKeyboard({
    settings: { "batchControl.git.autoFlush": false, "batchControl.llm.autoFlush": false },
  });
  const { clipboard, run, shownPath, shownText, state } = desk;
  const at = (name: string): string => path.join(desk.sample.root, name);
  const inTwo = (file: string): string => path.join(desk.sample.worktrees[1]!.path, file);
  const queued = async (side: "git" | "llm"): Promise<string[]> =>
    (await state())[side].queued.map(({ label }) => label);
  const ask = (prompt: string): Promise<Made> =>
    run("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt });
  /** As the editor has it, saved or not. */
  const textOf = (file: string): Promise<string> =>
    desk.window.bridge.evaluate(
      async ({ vscode }, name) => (await vscode.workspace.openTextDocument(vscode.Uri.file(name))).getText(),
      file,
    );
  const openResult = async (label: string): Promise<void> => {
    await desk.keys.command("Batch Control: Open Result");
    await desk.keys.choose("Choose an operation", label);
    await until("the result", async () => (await shownPath()).endsWith(`${label.replaceAll("/", " ")}.md`));
  };

  before(() => {
    for (const [file, text] of Object.entries(answers))
      desk.simulator.setOutcome({ prompt: `Make ${file}`, outcome: { kind: "succeeded", text } });
  });

  afterEach(() => run("clear", {}));

  it("cancels, edits and flushes with the plan's own buttons", async () => {
    const { buttons, keys, sample, window } = desk;
    const { branch, path: worktree, files } = sample.worktrees[0]!;
    for (const [index, file] of files.entries())
      await run("enqueueCommit", { worktree, message: `Commit ${index}`, files: [file] });
    await run("enqueuePush", { worktree });
    await ask("What is a basket?");
    await keys.command("Batch Control: Preview Flush");
    const plan = await window.webview("h3 code");
    await plan.getByText(/^Commit 1/).waitFor();
    await plan.getByText(/Estimated cost: \$/).waitFor();
    await buttons.ofEditor("Cancel Operation");
    await keys.choose("Choose an operation", "Commit 1");
    await until("one commit", async () => (await queued("git")).join() === "Commit 0,agent/one → origin");
    await buttons.ofEditor("Edit Queued Operation");
    await keys.choose("Choose an operation", "Commit 0");
    await keys.choose("What to change", "Message");
    await window.page.locator(".view-lines", { hasText: "Commit 0" }).first().waitFor();
    await keys.press("ControlOrMeta+A");
    await window.page.keyboard.type("Let items be removed");
    await keys.press("ControlOrMeta+S");
    await until("the new message", async () => (await queued("git"))[0] === "Let items be removed");
    await keys.command("Batch Control: Preview Flush");
    await (await window.webview("h3 code")).getByText(/^Let items be removed/).waitFor();
    await buttons.ofEditor("Flush Now");
    await until("the push at the remote", async () => (await receivedPushes(sample)).length === 1);
    assert.equal(await git(sample.remote, "log", "-1", "--format=%s", branch), "Let items be removed");
    await until("the answer", async () => (await state()).llm.executed.length === 1);
    await keys.command("View: Close All Editors");
  });

  it("runs a prompt from its title on the changed files of a branch, once its first text was read", async () => {
    const { buttons, keys, sample, simulator, window } = desk;
    const { branch, files } = sample.worktrees[1]!;
    const batches = simulator.batches.length;
    await keys.openFile("tidy.prompt.md");
    await buttons.ofEditor("Run Prompt on Files");
    await keys.choose("Run on which files?", `Changed files of ${branch}`);
    await keys.accept("Files to run on");
    await keys.fill("What to pay attention to", "names");
    await window.quickInput.shown("The first prompt is shown");
    const [item] = await window.quickInput.items();
    assert.equal(item!.label, "Queue requests: 2");
    assert.match(item!.detail, /^about [\d,]+ tokens in, at most [\d,]+ out · \$[\d.]+ to \$[\d.]+/);
    await moveFocusInto(window.page, "F6", window.page.locator(".editor-instance"));
    assert.match(await shownText(), /^Make src\/prices\.js simpler [^]*attention to names\.[^]*milk: 130/);
    await moveFocusInto(window.page, "Tab", window.page.locator(".quick-input-widget"));
    assert.deepEqual(await queued("llm"), []);
    await keys.accept("The first prompt is shown");
    const named = files.map((file) => `shop-two/${file}`).sort();
    await until("both requests", async () => (await queued("llm")).join() === named.join());
    await keys.command("Batch Control: Flush LLM Requests");
    await until("both answers", async () => (await state()).llm.executed[0]?.counts["succeeded"] === 2);
    assert.equal(simulator.batches.length, batches + 1);
  });

  it("edits, cancels, retries and opens what details are of from their title", async () => {
    const { buttons, keys, window } = desk;
    const { id } = await ask("What is a till?");
    const title = window.page.locator(".editor-group-container.active .editor-actions");
    const offers = (...actions: readonly string[]): Promise<unknown> =>
      until(`the actions ${actions.join()}`, async () => {
        const labels = await title
          .locator(".action-label[aria-label]")
          .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? ""));
        const own = labels.filter((label) => /Operation|Changes|Result/.test(label));
        return own.length === actions.length && actions.every((action, at) => own[at]!.startsWith(action));
      });
    await run("openDetails", { id });
    await window.webview("h1:has-text('What is a till?')");
    await offers("Edit Queued Operation", "Cancel Operation");
    await buttons.ofEditor("Edit Queued Operation");
    await keys.choose("What to change", "Kind of work");
    await window.quickInput.type("planner");
    await keys.press("Enter");
    await (
      await window.webview("h1:has-text('What is a till?')")
    )
      .getByText("Kind of work: planner")
      .waitFor();
    await buttons.ofEditor("Cancel Operation");
    await offers("Retry Operation");
    await buttons.ofEditor("Retry Operation");
    await until("it again", async () => (await queued("llm")).join() === "What is a till?");
    await window.statusBar.waitFor(/^Queued again: 1$/);
    const [again] = (await state()).llm.queued;
    await run("flush", { kind: "llm", wait: true });
    await run("openDetails", { id: again!.id });
    await offers("Open Result");
    await buttons.inMenuOfEditor("Copy Id");
    await until("its id on the clipboard", async () => (await clipboard()) === again!.id);
    await buttons.ofEditor("Open Result");
    await until("the result", async () => (await shownPath()).endsWith("/What is a till.md"));
  });

  it("steps through, copies, inserts, compares and saves results from their titles", async () => {
    const { buttons, keys, sample, window } = desk;
    await keys.openFile("README.md");
    await openResult("shop-two/src/prices.js");
    await buttons.ofEditor("Next Result of Batch");
    await until("the next", async () => (await shownPath()).endsWith("/shop-two src total.js.md"));
    await buttons.ofEditor("Previous Result of Batch");
    await until("the one before", async () => (await shownPath()).endsWith("/shop-two src prices.js.md"));
    await buttons.inMenuOfEditor("Copy Result");
    await until("the answer on the clipboard", async () => (await clipboard()) === answers["src/prices.js"]);
    await mkdir(at("saved"));
    await buttons.inMenuOfEditor("Save All Results of Batch");
    await keys.choosePath("Save All Results", `${at("saved")}/`, "..");
    await until("both files", async () => (await readdir(at("saved"))).length === 2);
    await buttons.inMenuOfEditor("Insert Result at Cursor");
    await until("the answer in the file", async () =>
      (await textOf(path.join(sample.clone, "README.md"))).startsWith(answers["src/prices.js"]!),
    );
    await openResult("shop-two/src/prices.js");
    await buttons.inMenuOfEditor("Compare Results");
    await keys.choose("Choose an operation", "shop-two/src/total.js");
    await window.page.locator(".monaco-diff-editor .modified .view-lines", { hasText: "milk" }).waitFor();
  });

  it("applies a change from the title of its review, and of several the chosen one; one undo takes it back", async () => {
    const { buttons, keys, window } = desk;
    await openResult("shop-two/src/prices.js");
    await buttons.ofEditor("Review Changes of Result");
    await window.page
      .locator(".monaco-diff-editor .modified .view-lines", { hasText: "apple: 45" })
      .waitFor();
    await buttons.ofEditor("Apply Changes of Result");
    await keys.accept("Files to change");
    await until("the new prices", async () => (await textOf(inTwo("src/prices.js"))) === prices);
    await openResult("shop-two/src/total.js");
    await buttons.ofEditor("Review Changes of Result");
    await keys.answerToast("This answer would change files: 2", "Choose and Apply");
    await keys.toggle("Files to change", "shop-two/src/milk.js");
    await until("the new total", async () => (await textOf(inTwo("src/total.js"))) === total);
    assert.ok(!(await readdir(inTwo("src"))).includes("milk.js"));
    await keys.openFile("total.js");
    await keys.press("ControlOrMeta+Z");
    await until(
      "the old total",
      async () => (await textOf(inTwo("src/total.js"))) === agentChanges["two"]!["src/total.js"],
    );
  });

  it("queues a commit from the title of a repository in Source Control", async () => {
    const { buttons, keys, sample } = desk;
    const { files } = sample.worktrees[2]!;
    await buttons.ofRepository("shop-three", "Queue Commit");
    await keys.accept("Files to commit");
    await keys.fill("Commit message", "From Source Control");
    await until("the commit", async () => (await queued("git")).join() === "From Source Control");
    const detail = JSON.stringify((await state()).git.queued[0]!.detail);
    assert.ok(
      files.every((file) => detail.includes(file)),
      detail,
    );
  });

  it("pauses and queues from the queue's title, and cancels with the button of a row", async () => {
    const { buttons, keys, queue, sample } = desk;
    const paused = async (): Promise<boolean> => (await state()).paused.git;
    const { branch } = sample.worktrees[1]!;
    await buttons.ofQueue("Pause Automatic Flushing");
    await until("a pause", paused);
    await buttons.ofQueue("Resume Automatic Flushing");
    await until("no pause", async () => !(await paused()));
    await buttons.ofQueue("More Actions...");
    await keys.fromOpenMenu("Queue Push");
    await keys.choose("Worktree", branch);
    await keys.choose("Push which branch?", branch);
    await until("the push", async () => (await queued("git")).length === 1);
    await queue.goTo(`${branch} → origin`);
    await buttons.ofRow("Cancel Operation");
    await until("an empty queue", async () => (await queued("git")).length === 0);
  });

  it("reads the tooltip in the status bar, and opens the panel there and in the side bar", async () => {
    const { keys, window } = desk;
    await ask("Is the receipt clear?");
    await keys.command("View: Focus Status Bar");
    await keys.moveTo("ArrowRight", "Batch Control, Waiting: 1");
    const tooltip = window.page.locator(".monaco-hover:visible", { hasText: "Waiting: 1" });
    await tooltip.waitFor();
    assert.match(
      await tooltip.innerText(),
      /automatic flushing is off[^]*Saved today: \$[\d.]+ at the provider/,
    );
    await keys.press("Enter");
    await window.webview("[data-chart=trips]");
    await keys.moveTo("Tab", "Export History");
    await keys.command("View: Close All Editors");
    await keys.command("Batch Control: Focus on Statistics View");
    const narrow = await window.webview("[data-chart=trips]");
    await keys.moveTo("Tab", "Filter by text");
    await window.page.keyboard.type("receipt clear");
    await until("only what matches", async () => {
      const labels = await narrow.locator(".row.operation .label").allInnerTexts();
      return labels.join() === "Is the receipt clear?";
    });
  });

  it("retries a batch, cancels one under way and everything that waits, from their rows", async () => {
    const { keys, queue, simulator, window, workbench } = desk;
    const outcome = { kind: "errored", type: "invalid_request_error", message: "Not today." } as const;
    simulator.setOutcome({ prompt: "How long is it?", outcome });
    await ask("How long is it?");
    await run("flush", { kind: "llm", wait: true });
    await queue.goTo(/^Failed/);
    await keys.moveTo("ArrowDown", /judge.* failed: 1/);
    await keys.fromMenu("Retry Unsuccessful Operations of Batch");
    await until("it in the queue", async () => (await queued("llm")).join() === "How long is it?");
    await workbench.server.setSettings({ "batchControl.llm.pollInterval": 3600 });
    await window.waitForSetting("batchControl.llm.pollInterval", 3600);
    await queue.onRow(/^LLM/, "Flush Now");
    await until("a batch under way", async () => (await state()).llm.executing.length === 1);
    const [batch] = (await state()).llm.executing;
    await queue.goTo(/^Executing/);
    await keys.moveTo("ArrowDown", /judge.* executing/);
    await keys.fromMenu("Cancel Batch");
    const created = simulator.batches.at(-1)!.id;
    await until("a call that cancels it", () =>
      simulator.requests.some(({ path: called }) => called.endsWith(`/${created}/cancel`)),
    );
    await until("its end", async () => (await state()).llm.executed[0]?.id === batch!.id);
    await ask("How wide is it?");
    await queue.onRow(/^LLM/, "Cancel Everything Waiting");
    await keys.answer("Waiting operations: 1. Cancel all of them?", "Empty the Queue");
    await until("an empty queue", async () => (await queued("llm")).length === 0);
  });
});
