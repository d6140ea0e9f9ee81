import assert from "node:assert/strict";
import { setsUpEditor } from "../../../../src/host/results/editor-setup.ts";

describe("A file that sets up the editor", () => {
  for (const path of [
    "/w/.vscode/tasks.json",
    "/w/packages/a/.vscode/settings.json",
    "/w/.VSCode/launch.json",
    "C:\\w\\.vscode\\tasks.json",
    "/w/shop.code-workspace",
  ])
    it(`is ${path}`, () => assert.equal(setsUpEditor(path), true));

  for (const path of ["/w/src/a.js", "/w/vscode/tasks.json", "/w/.vscode-test.mjs", "/w/code-workspace.md"])
    it(`is not ${path}`, () => assert.equal(setsUpEditor(path), false));
});
