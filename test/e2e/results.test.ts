import assert from "node:assert/strict";
import { access, readFile, readdir, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { baseFiles } from "../support/sample-files.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const basket = "export const addItem = (basket, item) => [...basket, item];\n";
const receipt = "export const receipt = (basket) => basket.join();\n";
const answers = {
  "src/basket.js": `\`\`\`js\n${basket}\`\`\`\n`,
  "src/prices.js": [
    "Two files change, and a new one is needed.",
    "```diff",
    "--- a/src/prices.js",
    "+++ b/src/prices.js",
    "@@ -1 +1 @@",
    "-export const prices = { apple: 40, bread: 250, cheese: 620 };",
    "+export const prices = { apple: 45, bread: 250, cheese: 620 };",
    "```",
    `\`\`\`js src/receipt.js\n${receipt}\`\`\``,
    "```js ../escaped.js",
    "out();",
    "```",
    "```js src/milk.js",
    "export const milk = 130;",
    "```",
  ].join("\n"),
  "src/receipt.js": "Nothing is wrong with it.",
} as const;
type Name = keyof typeof answers;

describe("Results", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;
  let ids: Readonly<Record<Name, string>>;
  let batch: string;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const inClone = (file: string): string => path.join(fixture.sample.clone, file);
  const open = (name: Name): Promise<void> => run("openResult", { id: ids[name] });
  const activeText = (): Promise<string | undefined> =>
    window.bridge.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText());
  /** As the editor has it, saved or not. */
  const textOf = (name: string): Promise<string> =>
    window.bridge.evaluate(
      async ({ vscode }, file) => (await vscode.workspace.openTextDocument(vscode.Uri.file(file))).getText(),
      inClone(name),
    );
  const shows = (text: string | RegExp): Promise<string> =>
    until(`an editor that shows ${String(text)}`, async () => {
      const now = (await activeText()) ?? "";
      return (typeof text === "string" ? now.includes(text) : text.test(now)) ? now : undefined;
    });

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await run("pause", {});
    for (const [name, text] of Object.entries(answers))
      fixture.simulator.setOutcome({ prompt: `Tidy ${name}`, outcome: { kind: "succeeded", text } });
    const names = Object.keys(answers) as Name[];
    const made = await run<{ ids: string[] }>("runPromptOnFiles", {
      prompt: { text: "Tidy ${relativePath}" },
      files: names.map(inClone),
      model: "claude-haiku-4-5",
    });
    ids = Object.fromEntries(names.map((name, index) => [name, made.ids[index]!])) as typeof ids;
    const flushed = await run<{ batches: { id: string }[] }>("flush", { kind: "llm", wait: true });
    batch = flushed.batches[0]!.id;
  });

  afterEach(() =>
    window.bridge.evaluate(async ({ vscode }) => {
      await vscode.commands.executeCommand("notifications.clearAll");
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand("workbench.action.files.revert");
      }
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    }),
  );

  /** The cursor is in this line, and what is above it in view is at most what the editor keeps room for there. */
  const begins = (line: string): Promise<unknown> =>
    until(`the cursor in "${line}", near the top`, () =>
      window.bridge.evaluate(({ vscode }, expected) => {
        const editor = vscode.window.activeTextEditor;
        const at = editor?.selection.active.line;
        return (
          editor !== undefined &&
          at !== undefined &&
          at > 6 &&
          at - (editor.visibleRanges[0]?.start.line ?? 0) <= 5 &&
          editor.document.lineAt(at).text === expected
        );
      }, line),
    );

  it("follow each other in the order of the batch, by keyboard, each beginning with its answer", async () => {
    await open("src/basket.js");
    await shows("[...basket, item]");
    await begins("```js");
    await window.runCommand("Batch Control: Next Result of Batch");
    await shows("Two files change");
    await begins("Two files change, and a new one is needed.");
    await window.runCommand("Batch Control: Next Result of Batch");
    await shows("Nothing is wrong");
    await window.runCommand("Batch Control: Next Result of Batch");
    await shows("[...basket, item]");
    await window.runCommand("Batch Control: Previous Result of Batch");
    await shows("Nothing is wrong");
  });

  it("show their actions in the editor's title", async () => {
    await open("src/basket.js");
    for (const action of ["Previous Result of Batch", "Next Result of Batch", "Review Changes of Result"])
      await window.page.locator(`.editor-actions .action-label[aria-label^="${action}"]`).first().waitFor();
  });

  it("are reviewed in the diff editor and applied only when chosen; one undo takes it back", async () => {
    const before = baseFiles["src/basket.js"]!;
    await open("src/basket.js");
    await window.runCommand("Batch Control: Review Changes of Result");
    await window.page
      .locator(".monaco-diff-editor .modified .view-lines", { hasText: "const addItem" })
      .waitFor();
    await window.page
      .locator(".monaco-diff-editor .original .view-lines", { hasText: "function addItem" })
      .waitFor();
    assert.equal(await textOf("src/basket.js"), before, "a review changes nothing");
    await window.notifications.press("This answer would change files: 1", "Choose and Apply");
    await window.quickInput.shown("Files to change");
    await until("the file", async () => (await window.quickInput.items())[0]?.label === "shop/src/basket.js");
    await window.quickInput.accept();
    await until("the new text", async () => (await textOf("src/basket.js")) === basket);
    assert.equal(await readFile(inClone("src/basket.js"), "utf8"), before, "saving is left to the person");
    await window.bridge.evaluate(async ({ vscode }, file) => {
      await vscode.window.showTextDocument(vscode.Uri.file(file));
      await vscode.commands.executeCommand("undo");
    }, inClone("src/basket.js"));
    await until("the old text", async () => (await textOf("src/basket.js")) === before);
  });

  it("are offered for review only where they hold files, with model, outcome and time", async () => {
    await window.runCommand("Batch Control: Review Changes of Result");
    await window.quickInput.shown("Choose an operation");
    await until("the answers with files", async () => (await window.quickInput.items()).length === 2);
    const items = await window.quickInput.items();
    assert.deepEqual(items.map(({ label }) => label).sort(), ["shop/src/basket.js", "shop/src/prices.js"]);
    for (const { description } of items)
      assert.match(description, /^succeeded · prompt · claude-haiku-4-5 · .*\d:\d\d/);
    await window.quickInput.cancel();
  });

  it("change several files as one, which one undo takes back, and none outside the folder", async () => {
    const id = ids["src/prices.js"];
    const reviewed = await run<{ files: string[]; refused: { name: string; reason: string }[] }>(
      "reviewResult",
      { id },
    );
    assert.deepEqual(reviewed.files, ["shop/src/prices.js", "shop/src/receipt.js", "shop/src/milk.js"]);
    assert.deepEqual(reviewed.refused, [{ name: "../escaped.js", reason: "its path leaves the folder" }]);
    const files = ["shop/src/prices.js", "shop/src/receipt.js"];
    assert.deepEqual(await run("applyResult", { id, files }), { files });
    assert.match(await textOf("src/prices.js"), /apple: 45/);
    assert.equal(await textOf("src/receipt.js"), receipt);
    await assert.rejects(access(inClone("src/milk.js")), "it was not chosen");
    await assert.rejects(access(path.join(fixture.sample.root, "escaped.js")));

    await window.bridge.evaluate(async ({ vscode }, file) => {
      await vscode.window.showTextDocument(vscode.Uri.file(file));
      await vscode.commands.executeCommand("undo");
    }, inClone("src/prices.js"));
    await until("both old texts", async () => {
      const texts = [await textOf("src/prices.js"), await textOf("src/receipt.js")];
      return texts.join() === [baseFiles["src/prices.js"], baseFiles["src/receipt.js"]].join();
    });
  });

  it("make a new file where one is proposed", async () => {
    const id = ids["src/prices.js"];
    await run("applyResult", { id, files: ["shop/src/milk.js"] });
    assert.equal(await readFile(inClone("src/milk.js"), "utf8"), "export const milk = 130;\n");
    const again = await run<{ files: string[] }>("reviewResult", { id });
    assert.deepEqual(
      again.files,
      ["shop/src/prices.js", "shop/src/receipt.js"],
      "it would change nothing more",
    );
  });

  it("tell files of several folders apart, and show what an answer names as text", async () => {
    const text = [
      "```md shop/README.md\n# The clone\n```",
      "```md shop-one/README.md\n# The worktree\n```",
      "```js ../[Continue](command:workbench.action.showCommands)\nx\n```",
    ].join("\n");
    const prompt = "Write both titles anew";
    fixture.simulator.setOutcome({ prompt, outcome: { kind: "succeeded", text } });
    const { id } = await run<{ id: string }>("enqueueRequest", {
      type: "titles",
      model: "claude-haiku-4-5",
      prompt,
    });
    await run("flush", { kind: "llm", wait: true });
    const { files } = await run<{ files: string[] }>("reviewResult", { id });
    assert.deepEqual(files, ["shop/README.md", "shop-one/README.md"]);
    const shown = window.page.locator(".monaco-diff-editor .modified .view-lines");
    for (const title of ["The clone", "The worktree"]) await shown.filter({ hasText: title }).waitFor();
    await window.notifications.waitFor("This answer would change files: 2");
    assert.match((await window.notifications.shown())[0]!.message, /Left out \.\.\/\[Continue\]/);
    assert.equal(
      await window.page.locator(".notification-list-item-message a").count(),
      0,
      "no link is made of it",
    );
    await run("applyResult", { id, files: ["shop-one/README.md"] });
    assert.equal(await textOf("../shop-one/README.md"), "# The worktree\n");
    assert.equal(await textOf("README.md"), baseFiles["README.md"]);
  });

  it("change no file whose characters would be lost when it is saved", async () => {
    await writeFile(inClone("latin.txt"), Buffer.from("caf\xe9 one\nsecond\n", "latin1"));
    await writeFile(inClone("picture.bin"), Buffer.from([0x89, 0x50, 0, 1]));
    const text = [
      "```diff\n--- a/latin.txt\n+++ b/latin.txt\n@@ -2 +2 @@\n-second\n+SECOND\n```",
      "```js picture.bin\nx\n```",
      "```js src/more.js\nx\n```",
    ].join("\n");
    const prompt = "Shout the second line";
    fixture.simulator.setOutcome({ prompt, outcome: { kind: "succeeded", text } });
    const { ids } = await run<{ ids: string[] }>("runPromptOnFiles", {
      prompt: { text: prompt },
      files: [inClone("README.md")],
      model: "claude-haiku-4-5",
      type: "shouting",
    });
    await run("flush", { kind: "llm", wait: true });
    const reason = "it is no text, or not in the encoding that the editor takes it for";
    assert.deepEqual(await run("reviewResult", { id: ids[0]! }), {
      files: ["shop/src/more.js"],
      refused: [
        { name: "shop/latin.txt", reason },
        { name: "shop/picture.bin", reason },
      ],
    });
  });

  it("delete a file that a button brings back, and leave the editor's setup alone unless it is ticked", async () => {
    const text = [
      "```diff\n--- a/solo.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-all alone\n```",
      '```json .vscode/tasks.json\n{ "tasks": [] }\n```',
    ].join("\n");
    await writeFile(inClone("solo.txt"), "all alone\n");
    const prompt = "Tidy up";
    fixture.simulator.setOutcome({ prompt, outcome: { kind: "succeeded", text } });
    const made = await run<{ ids: string[] }>("runPromptOnFiles", {
      prompt: { text: prompt },
      files: [inClone("README.md")],
      model: "claude-haiku-4-5",
      type: "tidying",
    });
    await run("flush", { kind: "llm", wait: true });
    await run("openResult", { id: made.ids[0] });
    await window.runCommand("Batch Control: Apply Changes of Result");
    await window.quickInput.shown("Files to change");
    await until("both files", async () => (await window.quickInput.items()).length === 2);
    await window.quickInput.accept();
    await until("a deleted file", () =>
      access(inClone("solo.txt")).then(
        () => false,
        () => true,
      ),
    );
    await assert.rejects(access(inClone(".vscode/tasks.json")));
    await window.notifications.press(
      "Applied. Files changed: 1. Deleted: shop/solo.txt.",
      "Restore Deleted Files",
    );
    await window.notifications.waitFor("Restored: shop/solo.txt");
    assert.equal(await readFile(inClone("solo.txt"), "utf8"), "all alone\n");
  });

  it("are compared, by keyboard", async () => {
    await open("src/receipt.js");
    await window.runCommand("Batch Control: Compare Results");
    await window.quickInput.shown("Choose an operation");
    await until("the other results", async () => (await window.quickInput.items()).length > 1);
    await window.quickInput.type("basket");
    await window.quickInput.accept();
    const sides = window.page.locator(".monaco-diff-editor .view-lines");
    await sides.filter({ hasText: "Nothing is wrong" }).first().waitFor();
    await sides.filter({ hasText: "addItem" }).first().waitFor();
    assert.equal(await sides.filter({ hasText: "cost_usd" }).count(), 0, "what always differs is left out");
    const actions = window.page.locator(".editor-group-container.active .editor-actions .action-label");
    await actions.and(window.page.locator('[aria-label^="Review Changes of Result"]')).waitFor();
    for (const action of ["Next Result of Batch", "Previous Result of Batch"])
      assert.equal(await actions.and(window.page.locator(`[aria-label^="${action}"]`)).count(), 0);
  });

  it("go where the cursor was, and to the clipboard", async () => {
    await window.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await window.bridge.evaluate(async ({ vscode }, file) => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
      const end = editor.document.lineAt(0).range.end;
      editor.selection = new vscode.Selection(end, end);
    }, inClone("README.md"));
    await open("src/receipt.js");
    await shows("Nothing is wrong");
    await window.runCommand("Batch Control: Insert Result at Cursor");
    await until("the inserted text", async () =>
      (await textOf("README.md")).startsWith("# ShopNothing is wrong with it."),
    );
    await run("copyResult", { id: ids["src/receipt.js"] });
    assert.equal(
      await window.bridge.evaluate(({ vscode }) => vscode.env.clipboard.readText()),
      answers["src/receipt.js"],
    );
  });

  it("are saved as files", async () => {
    const folder = path.join(fixture.sample.root, "saved");
    await mkdir(folder);
    const { files } = await run<{ files: string[] }>("saveResults", { batch, folder });
    assert.equal(files.length, 3);
    assert.deepEqual((await readdir(folder)).sort(), [
      "shop src basket.js.md",
      "shop src prices.js.md",
      "shop src receipt.js.md",
    ]);
    assert.equal(
      await readFile(path.join(folder, "shop src receipt.js.md"), "utf8"),
      answers["src/receipt.js"],
    );
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ["applyResult", { id: "PRICES" }, /^files: /],
    ["applyResult", { id: "PRICES", files: [] }, /^files: is empty/],
    ["applyResult", { id: "PRICES", files: ["../escaped.js"] }, /^files: \.\.\/escaped\.js is not among/],
    [
      "applyResult",
      { id: "PRICES", files: ["shop/src/prices.js", "README.md"] },
      /^files: README\.md is not among/,
    ],
    ["reviewResult", { id: "RECEIPT" }, /^id: this answer holds no file and no diff/],
    ["reviewResult", { id: "019a0000-0000-7000-8000-000000000000" }, /^id: there is no operation/],
    ["compareResults", { ids: ["PRICES"] }, /^ids/],
    ["saveResults", { batch: "BATCH" }, /^folder: /],
    ["saveResults", { batch: "BATCH", folder: "/nowhere/at/all" }, /^folder: there is no folder/],
    ["copyResult", {}, /^id: /],
  ];
  for (const [name, argument, message] of bad)
    it(`${name} refuses ${JSON.stringify(argument)}, naming the field, and changes nothing`, async () => {
      const filled: unknown = JSON.parse(
        JSON.stringify(argument)
          .replace("PRICES", ids["src/prices.js"])
          .replace("RECEIPT", ids["src/receipt.js"])
          .replace("BATCH", batch),
      );
      await assert.rejects(
        run(name, filled),
        (error: Error) => message.test(error.message) || assert.fail(error.message),
      );
      assert.equal(await textOf("src/prices.js"), baseFiles["src/prices.js"]);
    });
});
