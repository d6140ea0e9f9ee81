import assert from "node:assert/strict";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";
import { until } from "../support/workbench/until.ts";
import type { WorkbenchWindow } from "../support/workbench/window.ts";

const PROMPT = "Prüfe ä € こ";

describe("The text of a queued request, where files are in another encoding", () => {
  const fixture = useSampleWorkbench({ settings: { "files.encoding": "windows1252" } });
  let window: WorkbenchWindow;
  let id: string;
  const run = <Result>(name: string, ...args: unknown[]): Promise<Result> =>
    window.bridge.command<Result>(`batchControl.${name}`, ...args);
  const isQueued = (text: string): Promise<true> =>
    until(`the prompt ${text}`, async () =>
      JSON.stringify(await run("getOperations", { status: "queued", limit: 1 })).includes(
        JSON.stringify(text).slice(1, -1),
      ),
    );
  const shows = (text: string): Promise<void> =>
    window.page.locator(".view-lines", { hasText: text }).waitFor();
  const save = async (key: string, typed: string): Promise<void> => {
    await window.page.keyboard.press(key);
    await window.page.keyboard.insertText(typed);
    await window.page.keyboard.press("Control+S");
  };

  before(async () => {
    window = await fixture.workbench.open(fixture.sample.workspace);
    await run("pause", {});
    const input = { type: "judge", model: "claude-haiku-4-5", prompt: PROMPT };
    ({ id } = await run<{ id: string }>("enqueueRequest", input));
    await window.openViewContainer("Batch Control");
    const view = window.view("Queue");
    await view.waitForRow(PROMPT);
    await view.contextAction(PROMPT, "Edit Queued Operation");
    await window.quickInput.shown("What to change");
    await window.quickInput.pick("Prompt");
  });

  it("is shown and saved with every character, again and again", async () => {
    await shows(PROMPT);
    await save("Control+End", " 🙂 ß");
    await isQueued(`${PROMPT} 🙂 ß`);
    await save("Control+End", " …");
    await isQueued(`${PROMPT} 🙂 ß …`);
  });

  it("is not overwritten where it was changed elsewhere: saving fails, says what to do, and keeps what was written", async () => {
    await run("editOperation", { id, patch: { prompt: "Of the other window" } });
    await save("Control+A", "Of this window");
    await window.notifications.waitFor(/was changed elsewhere after it was opened here.*Revert File/);
    await shows("Of this window");
    await isQueued("Of the other window");
    await window.notifications.dismissAll();
    await window.bridge.command("workbench.action.files.revert");
    await shows("Of the other window");
    await save("Control+A", "Of this window");
    await isQueued("Of this window");
    assert.equal((await run<unknown[]>("getOperations", { status: "queued", limit: 10 })).length, 1);
  });
});
