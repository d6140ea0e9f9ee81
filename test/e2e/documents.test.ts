import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { useDemoWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

describe("Documents of what is queued", () => {
  const fixture = useDemoWorkbench({ settings: { "files.encoding": "iso88591" } });
  let window: WorkbenchWindow;
  const run = <Answer>(name: string, argument: unknown): Promise<Answer> =>
    window.bridge.command<Answer>(`batchControl.${name}`, argument);
  const ask = async (prompt: string): Promise<string> =>
    (await run<{ id: string }>("enqueueRequest", { type: "judge", model: "claude-haiku-4-5", prompt })).id;
  const says = async (page: Frame, text: string | RegExp): Promise<void> =>
    page.getByText(text).first().waitFor();
  const waitForTab = (name: string): Promise<void> =>
    window.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await run("pause", {});
  });
  afterEach(async () => {
    await run("clear", {});
    await window.bridge.command("workbench.action.closeAllEditors");
  });

  it("a plan follows what is queued and cancelled after it was shown, and is there again after a reload", async () => {
    await ask("Is it there?");
    await window.runCommand("Batch Control: Preview Flush");
    const page = await window.webview("h2:has-text('LLM requests')");
    await says(page, /requests 1, API calls 1/);
    const counted = fixture.simulator.requests.length;
    assert.ok(counted > 0, "the provider counts the tokens of a plan that was asked for");
    const more = await ask("Is more there?");
    await says(page, /requests 2, API calls 1/);
    await run("cancelOperation", { id: more });
    await says(page, /requests 1, API calls 1/);
    await window.waitForStored("batch-control-plan:/");
    await window.reload();
    await says(await window.webview("h2:has-text('LLM requests')"), /requests 1, API calls 1/);
    assert.equal(fixture.simulator.requests.length, counted, "no prompt leaves the machine by itself");
    await run("clear", {});
    await says(await window.webview("h1"), "Nothing is queued, so there is nothing to flush.");
  });

  it("the details of an operation follow it, and are there again after a reload", async () => {
    const id = await ask("How does it end?");
    await run("openDetails", { id });
    const page = await window.webview("h1:has-text('How does it end?')");
    await says(page, "Status: queued");
    await run("flush", { kind: "llm", wait: true });
    await says(page, "Status: succeeded");
    await window.waitForStored(`batch-control:/operation/${id}/`);
    await window.reload();
    await says(await window.webview("h1:has-text('How does it end?')"), "Status: succeeded");
  });

  it("the details of a retry lead to those of the attempt before, by keyboard", async () => {
    const id = await ask("Once more (or [twice](command:workbench.action.showCommands))?");
    await run("cancelOperation", { id });
    const again = await run<{ id: string }>("retryOperation", { id });
    await run("openDetails", { id: again.id });
    const page = await window.webview("li:has-text('Status: queued')");
    assert.deepEqual(
      await page.locator("a[href]").allTextContents(),
      ["an earlier attempt"],
      "no other link",
    );
    await page.locator("a[href]").focus();
    await window.page.keyboard.press("Enter");
    await says(await window.webview("li:has-text('Status: cancelled')"), "Once more");
  });

  it("a result is there again after a reload, whatever encoding files have", async () => {
    const id = await ask("Grüße");
    await run("flush", { kind: "llm", wait: true });
    await run("openResult", { id });
    await waitForTab("Grüße.md");
    const shown = (): Promise<string | undefined> =>
      window.bridge.evaluate(({ vscode }) => vscode.window.activeTextEditor?.document.getText());
    const before = await shown();
    assert.match(before ?? "", /^---\n/);
    assert.match(before ?? "", /Grüße/);
    await window.waitForStored(`/result/${id}/`);
    await window.reload();
    await until("the same text", async () => (await shown()) === before);
    assert.match((await window.page.locator(".tab.active").getAttribute("aria-label")) ?? "", /Grüße\.md/);
  });
});
