import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

interface Body {
  readonly requests: readonly {
    readonly params: { readonly messages: readonly { readonly content: unknown }[] };
  }[];
}

describe("Prompt runs", () => {
  const fixture = useDemoWorkbench();
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const state = (): Promise<Snapshot> => run<Snapshot>("getState", {});
  const inClone = (file: string): string => path.join(fixture.sample.clone, file);
  /** The prompts of each batch that the provider was asked to make. */
  const sent = (): string[][] =>
    fixture.simulator.requests
      .filter(({ method, path: at }) => method === "POST" && at === "/v1/messages/batches")
      .map(({ body }) =>
        ((typeof body === "string" ? JSON.parse(body) : body) as Body).requests.map(({ params }) =>
          JSON.stringify(params.messages[0]?.content),
        ),
      );

  /** As the Explorer does where these are selected. */
  const pointAt = (...files: readonly string[]): Promise<void> =>
    window.bridge.evaluate(({ vscode }, paths) => {
      const [first, ...more] = paths.map((file) => vscode.Uri.file(file));
      void vscode.commands.executeCommand("batchControl.runPromptOnFiles", first, [first, ...more]);
    }, files);

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await window.openViewContainer("Batch Control");
    await run("pause", {});
  });

  afterEach(async () => {
    await run("clear", {});
    await window.bridge.command("workbench.action.closeAllEditors");
  });

  it("from code send one request for each file, in one batch", async () => {
    const { ids } = await run<{ ids: string[] }>("runPromptOnFiles", {
      prompt: { uri: pathToFileURL(inClone("prompts/tidy.prompt.md")).href },
      files: [inClone("src/basket.js"), inClone("src/prices.js")],
      inputs: { focus: "names" },
      type: "implementer",
    });
    assert.equal(ids.length, 2);
    const { outcomes } = await run<{ outcomes: object }>("flush", { kind: "llm", wait: true });
    assert.deepEqual(outcomes, Object.fromEntries(ids.map((id) => [id, "succeeded"])));
    const batches = sent();
    assert.equal(batches.length, 1);
    const [basket, prices] = batches[0]!;
    assert.match(
      basket!,
      /Make src\/basket\.js simpler for a reader who knows javascript\..*attention to names\./,
    );
    assert.match(basket!, /export function addItem/);
    assert.match(prices!, /Make src\/prices\.js simpler/);
  });

  it("by keyboard: choose prompt and files, answer its question, look at the first, and queue", async () => {
    const { quickInput, page } = window;
    await window.runCommand("Batch Control: Run Prompt on Files");
    await quickInput.shown("Prompt file");
    await until("the prompt files", async () => (await quickInput.items()).length > 0);
    await quickInput.type("tidy");
    await quickInput.accept();
    await quickInput.shown("Run on which files?");
    await until("the ways to choose", async () => (await quickInput.items()).length > 0);
    await quickInput.type("match a pattern");
    await quickInput.accept();
    await quickInput.shown("Pattern of paths");
    await quickInput.type("");
    await quickInput.accept();
    await quickInput.shown("Write a pattern.");
    await quickInput.type("src/{basket,total}.js");
    await quickInput.accept();
    await quickInput.shown("Files to run on");
    await until("what was found, ticked", async () => (await quickInput.items()).length > 1);
    await quickInput.accept();
    await quickInput.shown("What to pay attention to");
    await quickInput.type("short names");
    await quickInput.accept();
    await quickInput.shown("The first prompt is shown");
    await page
      .locator(".editor-instance .view-lines", { hasText: "attention to short names" })
      .first()
      .waitFor();
    const [item] = await quickInput.items();
    assert.match(item!.label, /^Queue requests: \d+$/);
    assert.match(
      item!.detail,
      /^about [\d,]+ tokens in, at most [\d,]+ out · \$[\d.]+ to \$[\d.]+ · estimated from the length of the text$/,
    );
    assert.equal((await state()).llm.queuedCount, 0, "nothing is queued before that is confirmed");
    await quickInput.accept();
    await window.view("Queue").waitForRow("shop-one/src/basket.js");
    const { queued } = (await state()).llm;
    assert.equal(`Queue requests: ${queued.length}`, item!.label);
    assert.deepEqual(new Set(queued.map(({ source }) => source)), new Set(["person"]));
  });

  it("are told apart where folders hold prompt files of one name", async () => {
    const { quickInput } = window;
    await window.runCommand("Batch Control: Run Prompt on Files");
    await quickInput.shown("Prompt file");
    await quickInput.type("tidy");
    const folders = [fixture.sample.clone, ...fixture.sample.worktrees.map((worktree) => worktree.path)];
    await until("each folder's own", async () => {
      const described = (await quickInput.items()).map(({ description }) => description);
      const expected = folders.map((folder) => `${path.basename(folder)}/prompts/tidy.prompt.md`);
      return described.sort().join() === expected.sort().join();
    });
    await quickInput.cancel();
  });

  it("ask their questions as they are written, without links or icons", async () => {
    const { quickInput, page } = window;
    const prompt = inClone("prompts/odd.prompt.md");
    await writeFile(
      prompt,
      "${input:focus:[click me](command:workbench.action.showCommands) $(bell)} ${file}",
    );
    await pointAt(prompt, inClone("src/basket.js"));
    await quickInput.shown("click me");
    // What takes no room keeps the editor from making links and icons of it.
    assert.match(
      (await quickInput.message()).replaceAll("\u200b", ""),
      /^\[click me\]\(command:workbench\.action\.showCommands\) \$\(bell\)/,
    );
    assert.equal(await page.locator(".quick-input-message a, .quick-input-message .codicon-bell").count(), 0);
    await quickInput.cancel();
    await rm(prompt);
  });

  it("take their preview away at the end, and what was in view is there again, with the focus", async () => {
    const { quickInput, page, bridge } = window;
    const shows = (text: string): Promise<void> =>
      page.locator(".editor-instance .view-lines", { hasText: text }).first().waitFor();
    const tabs = (): Promise<(string | undefined)[]> =>
      page
        .locator(".tabs-container .tab")
        .evaluateAll((all) => all.map((tab) => (tab as HTMLElement).dataset["resourceName"]));
    const look = async (): Promise<void> => {
      await pointAt(inClone("prompts/tidy.prompt.md"), inClone("src/basket.js"));
      await quickInput.shown("What to pay attention to");
      await quickInput.type("names");
      await quickInput.accept();
      await quickInput.shown("The first prompt is shown");
      await shows("attention to names");
    };
    const open = (): Promise<unknown> =>
      bridge.evaluate(
        ({ vscode }, file) => vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file)),
        inClone("src/prices.js"),
      );
    const titles = (...expected: readonly string[]): Promise<unknown> =>
      until(`the tabs ${expected.join()}`, async () => (await tabs()).join() === expected.join());
    const typesInto = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await shows(text);
      await bridge.command("undo");
      await bridge.command("workbench.action.files.revert");
    };

    await look();
    await quickInput.cancel();
    await titles();
    await open();
    await shows("apple: 40");
    await page.locator(".editor-instance .view-lines").click();
    await look();
    await quickInput.accept();
    await until("the request", async () => (await state()).llm.queuedCount === 1);
    await titles("prices.js");
    await shows("apple: 40");
    await typesInto("typed on");
    await bridge.command("workbench.action.closeAllEditors");
    await look();
    await bridge.command("workbench.action.keepEditor");
    await quickInput.cancel();
    assert.equal(await quickInput.visible(), false);
    await bridge.command("batchControl.getState", {});
    assert.deepEqual(await tabs(), ["basket.js.md"], "the person has kept it");
  });

  it("on a folder leave out what holds no text or lies elsewhere, and say so before anything is queued", async () => {
    const { quickInput } = window;
    await mkdir(inClone("mixed"));
    const secret = path.join(fixture.sample.root, "secret");
    await mkdir(secret);
    await writeFile(path.join(secret, "key.txt"), "hunter2");
    await symlink(secret, inClone("mixed/out"));
    await writeFile(inClone("mixed/picture.bin"), Buffer.from([1, 0, 2]));
    await writeFile(inClone("mixed/plain.txt"), "plain");
    await pointAt(inClone("prompts/tidy.prompt.md"), inClone("mixed"));
    await quickInput.shown("What to pay attention to");
    await quickInput.type("names");
    await quickInput.accept();
    await quickInput.shown("The first prompt is shown");
    assert.match(
      await quickInput.message(),
      /^Left out, no text: 1\. Left out, outside the open folders by a link: 1\./,
    );
    await quickInput.accept();
    await until("the request", async () => (await state()).llm.queuedCount === 1);
    assert.equal((await state()).llm.queued[0]!.label, "shop/mixed/plain.txt");
    await rm(inClone("mixed"), { recursive: true });
  });

  it("say that a file is gone or a folder is empty", async () => {
    await mkdir(inClone("hollow"));
    for (const [name, said] of [
      ["gone.js", "shop/gone.js is not there any more"],
      ["hollow", "shop/hollow holds no file"],
    ] as const) {
      await pointAt(inClone(name));
      await window.notifications.waitFor(said);
      await window.bridge.command("notifications.clearAll");
    }
    await rm(inClone("hollow"), { recursive: true });
  });

  it("take the changed files of a branch", async () => {
    const { quickInput } = window;
    const worktree = fixture.sample.worktrees[1]!;
    await window.runCommand("Batch Control: Run Prompt on Files");
    await quickInput.shown("Prompt file");
    await quickInput.pick("tidy");
    await quickInput.shown("Run on which files?");
    await until("the worktrees", async () => (await quickInput.items()).length > 1);
    await quickInput.type(worktree.branch);
    await quickInput.accept();
    await quickInput.shown("Files to run on");
    await until("the branch's files", async () => {
      const labels = (await quickInput.items()).map(({ label }) => label);
      return labels.length > 0 && labels.join() === [...worktree.files].sort().join();
    });
    await quickInput.cancel();
    assert.equal((await state()).llm.queuedCount, 0);
  });

  it("take an open prompt file as the prompt, and queue nothing when dismissed", async () => {
    const { quickInput } = window;
    const prompt = inClone("prompts/tidy.prompt.md");
    const choosing = window.bridge.evaluate(({ vscode }, file) => {
      void vscode.commands.executeCommand("batchControl.runPromptOnFiles", vscode.Uri.file(file));
    }, prompt);
    await choosing;
    await quickInput.shown("Run on which files?");
    await quickInput.cancel();
    assert.equal((await state()).llm.queuedCount, 0);
  });

  it("offer themselves in the title of a prompt file, and not of another", async () => {
    const button = window.page.locator('.editor-actions .action-label[aria-label^="Run Prompt on Files"]');
    await window.bridge.evaluate(
      ({ vscode }, file) => vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file)),
      inClone("prompts/tidy.prompt.md"),
    );
    await button.first().waitFor();
    await window.bridge.evaluate(
      ({ vscode }, file) => vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file)),
      inClone("src/basket.js"),
    );
    await until("no button", async () => (await button.count()) === 0);
  });

  const text = { text: "Review ${file}" };
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [{}, /^prompt: /],
    [{ prompt: text }, /^files: /],
    [{ prompt: text, files: [] }, /^files: is empty/],
    [
      { prompt: text, files: ["CLONE/src/basket.js", "CLONE/none.js"] },
      /^files\.1: .*none\.js does not exist/,
    ],
    [
      { prompt: text, files: ["CLONE/src/basket.js", "CLONE/picture.bin"] },
      /^files\.1: .*picture\.bin is binary/,
    ],
    [
      { prompt: { text: "${workspace}" }, files: ["CLONE/src/basket.js"] },
      /^prompt: does not know \$\{workspace\}/,
    ],
    [{ prompt: { text: "${input:x}" }, files: ["CLONE/src/basket.js"] }, /^inputs\.x: /],
    [{ prompt: { uri: "CLONE/none.prompt.md" }, files: ["CLONE/src/basket.js"] }, /^prompt\.uri: /],
    [{ prompt: text, files: ["CLONE/src/basket.js"], colour: "red" }, /^colour: /],
  ];
  for (const [argument, message] of bad)
    it(`refuse ${JSON.stringify(argument)}, naming the field, and queue nothing`, async () => {
      await writeFile(inClone("picture.bin"), Buffer.from([1, 0, 2]));
      const filled: unknown = JSON.parse(JSON.stringify(argument).replaceAll("CLONE", fixture.sample.clone));
      await assert.rejects(
        run("runPromptOnFiles", filled),
        (error: Error) => message.test(error.message) || assert.fail(error.message),
      );
      assert.equal((await state()).llm.queuedCount, 0);
    });
});
