import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { git, receivedPushes } from "../support/sample.ts";
import { ButtonsByKeyboard } from "../support/workbench/buttons-by-keyboard.ts";
import { pointerUsed, watchPointer } from "../support/workbench/focus.ts";
import { useKeyboard } from "../support/workbench/keyboard-fixture.ts";
import { Keyboard } from "../support/workbench/keyboard.ts";
import { until } from "../support/workbench/until.ts";

const walkthrough = "Queue it, then send it once";
const withoutKey = { env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined } };

/** Whoever has just installed it, in order. */
describe("The first minutes, by keyboard alone", () => {
  const desk = useKeyboard({
    ...withoutKey,
    settings: {
      "batchControl.git.autoFlush": false,
      "batchControl.llm.autoFlush": false,
      "batchControl.llm.defaultModel": "claude-haiku-4-5",
    },
  });
  const { state, shownText } = desk;
  const at = (name: string): string => path.join(desk.sample.root, name);
  const message = "Count what is in the basket";

  /** From the question for a worktree to the one for the message. */
  const chooseWork = async (): Promise<void> => {
    await desk.keys.choose("Worktree", desk.sample.worktrees[0]!.branch);
    await desk.keys.accept("Files to commit");
    await desk.window.quickInput.shown("Commit message");
  };

  /** Opens a step of the walkthrough and presses a button in it. */
  const step = async (title: string, button: string): Promise<void> => {
    const { keys, window } = desk;
    await keys.command("Welcome: Open Walkthrough...");
    await keys.choose("walkthrough", walkthrough);
    const place = window.page.locator(".getting-started-step", { hasText: title });
    await place.waitFor();
    await keys.moveTo("Tab", new RegExp(title));
    await keys.press("Enter");
    await place.and(window.page.locator(".expanded")).waitFor();
    await keys.moveTo("Tab", new RegExp(`^${button}$`));
    await keys.press("Enter");
  };
  /** Waits until these steps are ticked and no others. */
  const ticks = async (...titles: readonly string[]): Promise<void> => {
    const { window } = desk;
    const ticked = window.page.locator(".getting-started-step", {
      has: window.page.locator(".codicon-getting-started-step-checked"),
    });
    await until(`a tick at ${titles.join(" and ")}`, async () => (await ticked.count()) === titles.length);
    for (const title of titles) await ticked.filter({ hasText: title }).waitFor();
  };

  it("try it without a key from the text of an empty queue: a plan is read, and nothing is queued or sent", async () => {
    const { buttons, keys, simulator, window } = desk;
    await buttons.ofWelcome("Try It Without a Key");
    const dryRun = await window.webview("h1");
    await dryRun.getByRole("heading", { name: "Dry run: nothing was queued, sent or paid" }).waitFor();
    await dryRun.getByText(/As one batch: about .* tokens/).waitFor();
    assert.equal((await state()).llm.queuedCount, 0);
    assert.deepEqual(simulator.requests, []);
    await keys.command("View: Close All Editors");
  });

  it("open a folder from an empty window, and queue a request where there is no repository", async () => {
    await mkdir(at("plain"));
    const window = await desk.workbench.open();
    await watchPointer(window.page);
    const keys = new Keyboard(window);
    const buttons = new ButtonsByKeyboard(window, keys);
    const welcome = (text: string): Promise<unknown> =>
      until(`a text that says "${text}"`, async () => (await window.view("Queue").welcome()).includes(text));
    await keys.command("Batch Control: Focus on Queue View");
    await welcome("Open a folder of a git repository");
    await buttons.ofWelcome("Open Folder");
    await keys.choosePath("Open Folder", at("plain"), "plain");
    await window.page.waitForURL(/folder=/);
    await window.page.locator(".monaco-workbench .statusbar").waitFor({ timeout: 60_000 });
    await watchPointer(window.page);
    await keys.command("Batch Control: Focus on Queue View");
    await welcome("No git repository was found");
    await buttons.ofWelcome("Queue LLM Request");
    await keys.choose("Kind of work", "judge");
    await keys.accept("Model");
    await keys.fill("Prompt", "Is it clear without a repository?");
    await window.view("Queue").waitForRow("Is it clear without a repository?");
    assert.equal(await pointerUsed(window.page), false);
    await window.close();
  });

  it("queue from the walkthrough; the message of a commit that was dismissed is still there", async () => {
    const { keys, window } = desk;
    const { branch } = desk.sample.worktrees[0]!;
    await step("Queue commits and pushes", "Queue Commit");
    await chooseWork();
    await window.page.keyboard.type(message);
    await keys.press("Escape");
    await step("Queue commits and pushes", "Queue Commit");
    await chooseWork();
    assert.equal(await window.quickInput.value(), message);
    assert.equal((await state()).git.queuedCount, 0);
    // A request was queued before the walkthrough was opened.
    await ticks("Queue LLM requests");
    await keys.accept("Commit message");
    await ticks("Queue commits", "Queue LLM requests");
    await step("Queue commits and pushes", "Queue Push");
    await keys.choose("Worktree", branch);
    await keys.choose("Push which branch?", branch);
    await until("both", async () => (await state()).git.queuedCount === 2);
  });

  it("do the other steps of the walkthrough, each of which is ticked once it was done", async () => {
    const { keys, simulator, window } = desk;
    const { branch } = desk.sample.worktrees[0]!;
    await step("Queue LLM requests", "Set API Key");
    await keys.choose("Provider", "Anthropic");
    await keys.fill("API key, kept in", "typed-by-hand");
    await step("Queue LLM requests", "Queue LLM Request");
    await keys.choose("Kind of work", "judge");
    await keys.accept("Model");
    await keys.fill("Prompt", "Is the receipt clear?");
    await until("both requests", async () => (await state()).llm.queuedCount === 2);

    await step("Flush", "Flush Now");
    await ticks("Queue commits", "Queue LLM requests", "Flush");
    await until("the push at the remote", async () => (await receivedPushes(desk.sample)).length === 1);
    assert.equal(await git(desk.sample.remote, "log", "-1", "--format=%s", branch), message);
    await until("a batch at the provider", () => simulator.batches.length === 1);

    // Only that it is open: this editor leaves web pages empty, its own beside a step as well, once another window of the
    // same browser was closed. What the panel shows is read in suites with a single window.
    await step("See what it saved", "Open Panel");
    await until("the panel", async () => (await window.editorTitles()).includes("Batch Control"));
    await keys.command("Welcome: Open Walkthrough...");
    await keys.choose("walkthrough", walkthrough);
    await ticks("Queue commits", "Queue LLM requests", "Flush", "See what it saved");
  });

  it("make a prompt of the sample, save it and run it", async () => {
    const { keys, window } = desk;
    await keys.command("Batch Control: New Prompt from Sample");
    await until("the sample", async () => (await shownText()).includes("${relativePath}"));
    await keys.press("ControlOrMeta+End");
    await window.page.keyboard.type("Begin with the worst.");
    await keys.press("ControlOrMeta+S");
    const file = path.join(desk.sample.clone, "prompts", "worst.prompt.md");
    await keys.choosePath("Save As", file, "tidy.prompt.md");
    await until("the saved prompt", async () =>
      (await readFile(file, "utf8").catch(() => "")).endsWith("Begin with the worst."),
    );
    await keys.command("Batch Control: Run Prompt on Files");
    await keys.choose("Prompt file", "worst");
    await keys.choose("Run on which files?", "Files that match a pattern");
    await keys.fill("Pattern of paths", "{docs,test}/**");
    await keys.toggle("Files to run on", "test/basket.test.js");
    await keys.accept("The first prompt is shown");
    await until("the request", async () => {
      const labels = (await state()).llm.queued.map(({ label }) => label);
      return labels.join() === "shop-three/docs/receipt.md";
    });
  });
});

describe("A workspace that is not trusted, by keyboard alone", () => {
  const desk = useKeyboard({ ...withoutKey, trusted: false });

  it("is trusted from the queue's text, which then offers to queue", async () => {
    const { buttons, keys, window } = desk;
    await buttons.ofWelcome("Manage Workspace Trust");
    const editor = window.page.locator(".workspace-trust-editor");
    await editor.and(window.page.locator(":focus, :focus-within")).waitFor();
    await keys.moveTo("Tab", /^Trust$/);
    await keys.press("Enter");
    await until("what a trusted one offers", async () =>
      (await window.view("Queue").welcome()).includes("Nothing is queued"),
    );
    // The button that had the focus is gone.
    await until("the queue in view", async () => {
      await keys.press("Tab", "Escape");
      return (await editor.count()) === 0;
    });
    await buttons.ofWelcome("Queue Push");
    await keys.choose("Worktree", desk.sample.worktrees[0]!.branch);
    await keys.choose("Push which branch?", desk.sample.worktrees[0]!.branch);
    await until("the push", async () => (await desk.state()).git.queuedCount === 1);
  });
});
