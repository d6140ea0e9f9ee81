import assert from "node:assert/strict";
import { parseLaunchOptions } from "../../support/vscode/launch-options.ts";

describe("The command line of a VS Code that runs tests", () => {
  const needed = ["--extensionDevelopmentPath=/with space/ext", "--extensionTestsPath=/t/host.cjs"];

  it("gives folder, extension, tests and trust, whatever else is on it", () => {
    const args = ["/my folder", "--user-data-dir=/u", "--no-sandbox", "--disable-workspace-trust", ...needed];
    assert.deepEqual(parseLaunchOptions(args), {
      folder: "/my folder",
      extension: "/with space/ext",
      tests: "/t/host.cjs",
      trusted: true,
    });
  });

  it("may open no folder, and then stays restricted", () => {
    const { folder, trusted } = parseLaunchOptions(needed);
    assert.deepEqual({ folder, trusted }, { folder: undefined, trusted: false });
  });

  it("is refused without the tests' path", () => {
    assert.throws(() => parseLaunchOptions(["--extensionDevelopmentPath=/e"]), /extensionTestsPath/);
  });
});
