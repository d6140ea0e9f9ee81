import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const folder = path.resolve(import.meta.dirname, "../../../webview");

describe("The panel's colours", () => {
  it("are all the theme's, or mixed from them", async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
    assert.ok(names.length > 20);
    const own: string[] = [];
    let mixed = 0;
    for (const name of names) {
      const text = await readFile(path.join(folder, name), "utf8");
      mixed += text.match(/color-mix\(|var\(--vscode-/g)?.length ?? 0;
      for (const [found] of text.matchAll(
        /(?<![\w&])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?!\s*[(:=;,])|\b(?:rgb|hsl|oklch|lab)a?\(/gi,
      ))
        own.push(`${name}: ${found}`);
    }
    assert.ok(mixed > 50, "the theme's colours were found");
    assert.deepEqual(own, []);
  });
});
