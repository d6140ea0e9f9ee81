import assert from "node:assert/strict";
import { seriousFindings } from "../support/panel/axe.ts";
import { usePanelPages } from "../support/panel/fixture.ts";
import { themeNames } from "../support/panel/panel-page.ts";
import { busySnapshot, idOf, operation, snapshot } from "../support/panel/snapshots.ts";

describe("The panel's accessibility", () => {
  const open = usePanelPages();

  it("tells a screen reader the totals, not more often than every few seconds", async () => {
    const panel = await open();
    await panel.page.clock.install();
    await panel.show(snapshot({ sequence: 1, git: { queued: [operation(1)] } }));
    await panel.page.clock.runFor(10);
    const said = (): Promise<string> => panel.page.getByRole("status").innerText();
    assert.match(await said(), /^1 waiting/);
    await panel.show(snapshot({ sequence: 2, git: { queued: [operation(1), operation(2)] } }));
    await panel.page.clock.runFor(3000);
    assert.match(await said(), /^1 waiting/);
    await panel.page.clock.runFor(3000);
    assert.match(await said(), /^2 waiting/);
  });

  for (const theme of themeNames) {
    it(`is accessible in the theme ${theme}`, async () => {
      const panel = await open({ theme });
      await panel.show(busySnapshot());
      await panel.row(idOf(1_000_040)).click();
      await panel.picture(`panel-busy-${theme}`);
      assert.deepEqual(await seriousFindings(panel.page), []);
      await panel.page.locator("[data-chart=cost]").getByRole("button", { name: "Show as table" }).click();
      await panel.post({ kind: "failed", request: "flush", message: "The folder is not trusted." });
      assert.deepEqual(await seriousFindings(panel.page), []);
    });
  }

  it("fits a side bar, and a window at twice the size, without scrolling sideways", async () => {
    for (const width of [220, 300, 500]) {
      const panel = await open({ width, place: "view" });
      await panel.show(busySnapshot());
      const overflow = await panel.page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      assert.equal(overflow, 0, `${width} px wide`);
      if (width === 300) await panel.picture("panel-narrow");
      assert.deepEqual(await seriousFindings(panel.page), [], `${width} px wide`);
    }
  });

  it("marks what failed by a bar, which needs no colour", async () => {
    for (const [theme, forcedColors] of [
      ["hc-dark", "none"],
      ["hc-light", "none"],
      ["hc-light", "active"],
    ] as const) {
      const panel = await open({ theme, forcedColors });
      await panel.show(busySnapshot());
      await panel.row(idOf(1_000_040)).click();
      const bar = (key: string): Promise<string> =>
        panel.row(key).evaluate((row) => getComputedStyle(row, "::before").borderInlineStartWidth);
      assert.deepEqual([await bar(idOf(1_000_040)), await bar(idOf(901))], ["3px", "3px"]);
      assert.deepEqual([await bar(idOf(1_000_030)), await bar(idOf(902))], ["0px", "0px"]);
    }
  });

  it("can be read with forced colours", async () => {
    const panel = await open({ theme: "hc-dark", forcedColors: "active" });
    await panel.show(busySnapshot());
    await panel.picture("panel-forced-colours");
    const [line, system] = await panel.page
      .locator("[data-chart=trips] svg path.alone")
      .first()
      .evaluate((path) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = "CanvasText";
        return [getComputedStyle(path).stroke, getComputedStyle(probe).color];
      });
    assert.equal(line, system);
    const side = (name: string): Promise<string> =>
      panel.page
        .locator("[data-chart=trips]")
        .getByRole("button", { name, exact: true })
        .evaluate((button) => getComputedStyle(button).backgroundColor);
    // A border of another colour is hardly to be seen.
    assert.notEqual(await side("All"), await side("Git"));
    assert.deepEqual(await seriousFindings(panel.page, { contrast: false }), []);
  });
});
