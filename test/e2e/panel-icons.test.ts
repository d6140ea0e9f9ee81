import assert from "node:assert/strict";
import { usePanelPages } from "../support/panel/fixture.ts";
import { busySnapshot } from "../support/panel/snapshots.ts";
import { codepoints } from "../../webview/parts/icons.ts";

describe("The panel's icons", () => {
  const open = usePanelPages();

  it("are all in the font that is shipped, and look different", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const drawings = await panel.page.evaluate(async (characters) => {
      const [font] = await document.fonts.load("32px codicon", "\uea76");
      if (font === undefined) throw new Error("The page has no icon font.");
      return characters.map((character) => {
        const canvas = new OffscreenCanvas(48, 48);
        const context = canvas.getContext("2d")!;
        context.font = "32px codicon";
        context.textBaseline = "top";
        context.fillText(character, 4, 4);
        return context.getImageData(0, 0, 48, 48).data.join();
      });
    }, characters);
    const distinct = new Map(drawings.map((drawing, at) => [drawing, characters[at]!]));
    assert.deepEqual([...distinct.values()].map(hex), characters.map(hex));
  });

  it("stand in buttons too", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const shown = panel.page.locator("panel-header vscode-button .codicon");
    await shown.nth(1).waitFor();
    assert.deepEqual(
      await shown.evaluateAll((icons) => icons.map((icon) => getComputedStyle(icon, "::before").content)),
      ["run-all", "debug-pause"].map((name) => `"${String.fromCodePoint(points.get(name)!)}"`),
    );
  });
});

const points = new Map<string, number>(Object.entries(codepoints));
/** The first is in no font: what stands for a character that the font lacks. */
const characters = [0x10fffd, ...points.values()].map((point) => String.fromCodePoint(point));
const hex = (character: string): string => character.codePointAt(0)!.toString(16);
