import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { panelStrings } from "../../../src/host/panel/strings.ts";
import { Texts } from "../../../webview/model/texts.ts";
import { codepoints } from "../../../webview/parts/icons.ts";

const strings = panelStrings({ t: (message: unknown) => String(message) });
const english = new Texts(strings, "en");
const german = new Texts(strings, "de");
/** Intl puts narrow and no-break spaces between numbers and units. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("The panel's texts", () => {
  it("put numbers and names in their places, numbers as the language writes them", () => {
    const tokens = { input: 1200, output: 5, cache: 0 };
    assert.equal(english.t("total.tokenParts", tokens), "1,200 in, 5 out, 0 cache");
    assert.equal(german.t("total.tokenParts", tokens), "1.200 in, 5 out, 0 cache");
    assert.equal(english.t("hold.git", { reason: "{made} $& up" }), "Git is on hold: {made} $& up");
  });

  it("choose the form that fits the count", () => {
    assert.equal(english.count("list.push", 1), "1 push");
    assert.equal(english.count("list.push", 0), "0 pushes");
    assert.equal(english.count("list.trips.git", 1, { alone: 3 }), "1 push for 3 delivered");
  });

  it("have both forms of each counted text, with the count in each", () => {
    for (const [key, text] of Object.entries(strings).filter(([name]) => name.endsWith(".one"))) {
      const other = (strings as Record<string, string>)[key.replace(/\.one$/, ".other")];
      assert.ok(other !== undefined, key);
      assert.match(text, /\{n\}/, key);
      assert.match(other, /\{n\}/, key);
    }
  });

  it("keep two digits of small amounts of money", () => {
    assert.deepEqual(
      [0, 12.345, 1234.5, 0.048_3, 0.000_012_34, -0.5].map((usd) => english.money(usd)),
      ["$0.00", "$12.35", "$1,234.50", "$0.048", "$0.000012", "-$0.50"],
    );
    assert.equal(plain(german.money(1234.5)), "1.234,50 $");
  });

  it("round durations to what matters", () => {
    assert.deepEqual(
      [450, 12_400, 90_000, 5_400_000, 130_000_000].map((ms) => english.duration(ms)),
      ["0.5 sec", "12 sec", "2 min", "1.5 hr", "1.5 days"],
    );
  });

  it("say only as much of a date as tells it from now", () => {
    const now = new Date(2026, 2, 2, 10, 0).getTime();
    const when = (...at: [number, number, number, number, number]): string =>
      plain(english.when(new Date(...at).toISOString(), now));
    assert.equal(when(2026, 2, 2, 9, 5), "9:05 AM");
    assert.equal(when(2026, 1, 27, 9, 5), "Feb 27, 9:05 AM");
    assert.equal(when(2025, 1, 27, 9, 5), "Feb 27, 2025, 9:05 AM");
  });

  it("shorten large counts only", () => {
    assert.deepEqual(
      [9999, 257_730, 1_200_000].map((n) => english.compact(n)),
      ["9,999", "257.7K", "1.2M"],
    );
  });

  it("fall back to English for a locale that nobody knows", () => {
    assert.equal(new Texts(strings, "xx-private").number(1234.5), "1,234.5");
  });
});

describe("The panel's icons", () => {
  it("have the code points of the codicon font", async () => {
    const list = await readFile(
      new URL("../../../node_modules/@vscode/codicons/dist/codicon.csv", import.meta.url),
      "utf8",
    );
    for (const [name, point] of Object.entries(codepoints)) {
      assert.match(list, new RegExp(`^${name},.*,${point.toString(16)}$`, "im"), name);
    }
  });
});
