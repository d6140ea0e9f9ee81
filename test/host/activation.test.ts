import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("The extension in a host", () => {
  it("activates and gives other extensions an object to work with", async () => {
    const extension = vscode.extensions.getExtension("batch-control.batch-control");
    assert.ok(extension, "the extension under development is not known to the host");
    const api: unknown = await extension.activate();
    assert.equal(extension.isActive, true);
    assert.equal(typeof api, "object");
    assert.notEqual(api, null);
  });

  it("has every command that its manifest shows", async () => {
    const extension = vscode.extensions.getExtension("batch-control.batch-control")!;
    await extension.activate();
    const manifest = extension.packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands
      .map(({ command }) => command)
      .filter((id) => !known.has(id));
    assert.deepEqual(missing, []);
  });
});
