import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { numbersIn } from "../../../src/host/numbers.ts";

const spaced = (text: string): string => text.replace(/\s/gu, " ");

describe("Money", () => {
  it("is written as the language writes it, and never as nothing where it is something", () => {
    const { usd } = numbersIn("en");
    assert.deepEqual([0, 0.0004, 0.000_012_34, 0.05, 0.1, 12.345, 1234.5, -0.0004].map(usd), [
      "$0.00",
      "$0.0004",
      "$0.000012",
      "$0.05",
      "$0.10",
      "$12.35",
      "$1,234.50",
      "-$0.0004",
    ]);
    const german = numbersIn("de");
    assert.deepEqual([0.0004, 1234.5].map(german.usd).map(spaced), ["0,0004 $", "1.234,50 $"]);
    assert.equal(german.count(12_345), "12.345");
  });

  it("is in English where the language is none that is known", () => {
    assert.equal(numbersIn("qps-ploc").usd(1.5), "$1.50");
  });

  it("is nowhere shown with a fixed number of digits", async () => {
    const src = path.resolve(import.meta.dirname, "../../../src");
    const shown = (await readdir(path.join(src, "host"), { recursive: true })).filter((name) =>
      name.endsWith(".ts"),
    );
    for (const name of shown) {
      const text = await readFile(path.join(src, "host", name), "utf8");
      assert.doesNotMatch(text, /usd\w*\.toFixed|style: "currency"/i, name);
    }
  });
});
