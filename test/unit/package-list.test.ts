import assert from "node:assert/strict";
import path from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";

const root = path.resolve(import.meta.dirname, "../..");

describe("The package", () => {
  it("holds what people need, and nothing of how it is made; what is built has its budgets", async function () {
    this.timeout(60_000);
    const all = await listFiles({ cwd: root, packageManager: PackageManager.None });
    assert.deepEqual(all.filter((file) => !file.startsWith("dist/")).sort(), [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "l10n/bundle.l10n.de.json",
      "media/activity.svg",
      "media/icon.png",
      "media/sample/basket.py",
      "media/sample/prices.py",
      "media/sample/receipt.py",
      "media/sample/review.prompt.md",
      "media/walkthrough/ask.svg",
      "media/walkthrough/flush.svg",
      "media/walkthrough/panel.svg",
      "media/walkthrough/queue.svg",
      "package.json",
      "package.nls.de.json",
      "package.nls.json",
    ]);
    const built = new Set(all.filter((file) => file.startsWith("dist/")).map((file) => path.extname(file)));
    assert.deepEqual(
      [...built].filter((kind) => ![".cjs", ".js", ".css", ".ttf"].includes(kind)),
      [],
    );
  });
});
