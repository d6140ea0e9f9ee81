import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const link = "[Continue](command:workbench.action.showCommands)";
const answer = [
  `\`\`\`js ../${link}`,
  "out();",
  "```",
  "```js shop/src/milk.js",
  "export const milk = 130;",
  "```",
];
/** What is seen of a text. */
const seen = (text: string): string => text.replaceAll("\u200b", "");

describe("Texts from outside", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const linksIn = (place: string): Promise<number> => window.page.locator(`${place} a[href]`).count();
  const iconsIn = (place: string): Promise<number> => window.page.locator(`${place} .codicon`).count();
  const toast = ".notifications-toasts .notification-list-item-message";
  const message = ".quick-input-widget .quick-input-message";
  const rows = ".quick-input-widget .quick-input-list-row";

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await run("pause", {});
  });

  it("would be links and icons if the editor were given them as they are", async () => {
    const { bridge, notifications, quickInput, page } = window;
    await bridge.evaluate(({ vscode }, text) => {
      void vscode.window.showInformationMessage(text);
      void vscode.window.showQuickPick(["a $(trash)"], { prompt: `${text} $(bell)`, ignoreFocusOut: true });
    }, link);
    await notifications.waitFor("Continue");
    assert.equal(await linksIn(toast), 1);
    await page.locator(`${rows} .codicon-trash`).waitFor();
    assert.deepEqual([await linksIn(message), await iconsIn(message)], [1, 1]);
    await quickInput.cancel();
    await bridge.command("notifications.clearAll");
  });

  it("put no link into a notification, be it the path in an answer of a model", async () => {
    const outcome = { kind: "succeeded", text: answer.join("\n") } as const;
    fixture.simulator.setOutcome({ prompt: "What of milk?", outcome });
    const { id } = await run<{ id: string }>("enqueueRequest", {
      type: "implementer",
      model: "claude-haiku-4-5",
      prompt: "What of milk?",
    });
    await run("flush", { kind: "llm", wait: true });
    await run("openResult", { id });
    await window.runCommand("Batch Control: Review Changes of Result");
    const told = await window.notifications.waitFor("This answer would change files: 1.");
    assert.ok(seen(told.message).includes(`../${link}`), told.message);
    assert.equal(await linksIn(toast), 0);
    await window.notifications.press("This answer would change", "Choose and Apply");
    await window.quickInput.shown("Files to change");
    assert.ok((await window.quickInput.prompt()).includes(`../${link}`), "the whole name in the placeholder");
    assert.equal(await linksIn(".quick-input-widget"), 0);
    await window.quickInput.cancel();
    await window.bridge.command("workbench.action.closeAllEditors");
  });

  it("stand in a pick as they are, so that no two files look the same", async () => {
    const { path: worktree, branch, files } = fixture.sample.worktrees[0]!;
    const names = ["odd/$(trash) a.js", "odd/ a.js", "odd/$(sync~spin)$(bell).js", `odd/${link}.js`];
    await mkdir(path.join(worktree, "odd"));
    for (const name of names) await writeFile(path.join(worktree, name), "");
    const { quickInput } = window;
    await window.runCommand("Batch Control: Queue Commit");
    await quickInput.shown("Worktree");
    await quickInput.pick(branch);
    await quickInput.shown("Files to commit");
    await until("the files", async () => (await quickInput.items()).length === names.length + files.length);
    const shown = (await window.page.locator(`${rows} .label-name`).allTextContents()).map(seen);
    assert.deepEqual(shown.filter((label) => label.startsWith("odd/")).sort(), [...names].sort());
    assert.equal((await iconsIn(rows)) + (await linksIn(rows)), 0);
    await quickInput.type("trash");
    await until("the one that is looked for", async () => (await quickInput.items()).length === 1);
    await quickInput.cancel();
  });

  it("stand as they are in what was typed and in what is wrong with it", async () => {
    const { quickInput } = window;
    await window.runCommand("Batch Control: Queue LLM Request");
    await quickInput.shown("Kind of work");
    await quickInput.type("$(bell)");
    await until("it as a row", async () =>
      (await quickInput.items()).some(({ label }) => seen(label) === "$(bell)"),
    );
    assert.equal(await iconsIn(rows), 0);
    await quickInput.accept();
    await quickInput.shown("Model");
    await quickInput.type(link);
    await until("it as a row", async () =>
      (await quickInput.items()).some(({ label }) => seen(label) === link),
    );
    await quickInput.accept();
    await until("a refusal", async () => (await quickInput.message()) !== "");
    assert.deepEqual([await linksIn(message), await iconsIn(message)], [0, 0]);
    await quickInput.cancel();
  });

  it("stand as they are in the question of a prompt file", async () => {
    const { clone } = fixture.sample;
    const prompt = path.join(clone, "$(bell) odd.prompt.md");
    await writeFile(prompt, `Look at \${file}, \${input:focus:${link} $(bell)}.\n`);
    const { bridge, quickInput, page } = window;
    await window.runCommand("Batch Control: Run Prompt on Files");
    await quickInput.shown("Prompt file");
    await quickInput.type("odd");
    await until("the prompt", async () => {
      const [only] = await quickInput.items();
      return only !== undefined && seen(only.label) === "$(bell) odd";
    });
    await quickInput.accept();
    await quickInput.shown("Run on which files?");
    await quickInput.type("match a pattern");
    await until("the pattern", async () => (await quickInput.items()).length === 1);
    await quickInput.accept();
    await quickInput.shown("Pattern of paths");
    await quickInput.type("src/basket.js");
    await quickInput.accept();
    await quickInput.shown("Files to run on");
    await until("the files", async () => (await quickInput.items()).length > 0);
    await quickInput.accept();
    await until("the question", async () => seen(await quickInput.message()).includes(`${link} $(bell)`));
    assert.deepEqual([await linksIn(message), await iconsIn(message)], [0, 0]);
    await page.locator(message).click();
    assert.ok(await quickInput.visible());
    await quickInput.cancel();
    await bridge.command("workbench.action.closeAllEditors");
  });
});
