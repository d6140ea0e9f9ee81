import assert from "node:assert/strict";
import { useSampleWorkbench } from "../support/workbench/fixtures.ts";

describe("The extension in the workbench", () => {
  const fixture = useSampleWorkbench();

  it("shows its commands in the palette and runs one", async () => {
    const window = await fixture.workbench.open(fixture.sample.clone);
    await window.runCommand("Batch Control: Show Log");
    const channels = window.page.locator(".part.panel select");
    await channels.first().waitFor();
    const shown = await channels.evaluateAll((all: HTMLSelectElement[]) =>
      all.map((each) => each.selectedOptions[0]?.text),
    );
    assert.deepEqual(shown.slice(0, 1), ["Batch Control"]);
  });
});

describe("The extension in a folder that is not trusted", () => {
  const fixture = useSampleWorkbench({ trusted: false });

  it("activates, and knows that it is restricted", async () => {
    const window = await fixture.workbench.open(fixture.sample.clone);
    assert.equal(await window.bridge.evaluate(({ vscode }) => vscode.workspace.isTrusted), false);
    assert.equal(await window.bridge.evaluate(({ api }) => typeof api), "object");
  });
});
