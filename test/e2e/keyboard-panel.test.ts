import assert from "node:assert/strict";
import { usePanelPages } from "../support/panel/fixture.ts";
import type { PanelPage } from "../support/panel/panel-page.ts";
import { batch, busySnapshot, idOf, operation, shop, snapshot } from "../support/panel/snapshots.ts";
import { moveFocus, pointerUsed, watchPointer } from "../support/workbench/focus.ts";

describe("The panel, by keyboard alone", () => {
  let panel: PanelPage;
  // Before the hook that closes the page.
  afterEach(async () => {
    assert.equal(await pointerUsed(panel.page), false);
  });
  const openPage = usePanelPages();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await panel.page.keyboard.press(key);
  };
  const tabTo = (label: string | RegExp): Promise<void> => moveFocus(panel.page, "Tab", label);
  const labels = (): Promise<string[]> => panel.page.locator(".row.operation .label").allInnerTexts();

  beforeEach(async () => {
    panel = await openPage();
    await watchPointer(panel.page);
  });

  it("reads both charts batch by batch, and as tables", async () => {
    await panel.show(busySnapshot());
    const trips = panel.page.locator("[data-chart=trips]");
    await tabTo(/^Round trips$/);
    await press("Home", "ArrowRight");
    assert.match(await trips.locator(".reading").innerText(), /Delivered: 6 · Made: 2 · Saved: 4/);
    await press("End");
    assert.match(await trips.locator(".reading").innerText(), /Delivered: 30 · Made: 6 · Saved: 24/);
    const cost = panel.page.locator("[data-chart=cost]");
    await tabTo(/^Cost$/);
    await press("Home");
    assert.match(await cost.locator(".reading").innerText(), /\$/);
    for (const chart of [cost, trips]) {
      const title = await chart.locator("h3").innerText();
      await moveFocus(panel.page, "Shift+Tab", `${title}: Show as table`);
      await press("Enter");
      assert.ok((await chart.getByRole("row").count()) > 2);
    }
    const cells = await trips.getByRole("row").last().locator("th, td").allInnerTexts();
    assert.deepEqual(cells.slice(1), ["shop", "30", "6", "24"]);
    await press("Enter");
    assert.equal(await trips.getByRole("slider").count(), 1);
  });

  it("chooses whose round trips the chart shows", async () => {
    await panel.show(busySnapshot());
    await tabTo(/^Git$/);
    await press("Enter");
    const trips = panel.page.locator("[data-chart=trips]");
    await tabTo(/^Round trips$/);
    await press("End");
    assert.match(await trips.locator(".reading").innerText(), /Delivered: 7 · Made: 3/);
  });

  it("filters by text, state, kind and group, and clears the filters", async () => {
    await panel.show(busySnapshot());
    await tabTo("Filter by text");
    await panel.page.keyboard.type("version");
    assert.deepEqual(await labels(), ["Bump the version"]);
    await press("ControlOrMeta+A", "Delete", "Tab");
    // In a list that is closed, a letter chooses what begins with it.
    await panel.page.keyboard.type("W");
    assert.equal(await panel.page.getByLabel("State").inputValue(), "waiting");
    await press("Tab");
    await panel.page.keyboard.type("P");
    assert.deepEqual(await labels(), ["feature/header"]);
    await press("Tab", "End");
    await panel.page.getByText("Nothing matches these filters.").waitFor();
    await tabTo("Clear filters");
    await press("Enter");
    assert.equal((await labels()).length, 10);
  });

  it("works the list: cancels an operation, uses a button of a row, opens a result far down", async () => {
    await panel.show(busySnapshot());
    await tabTo("Filter by text");
    await press("Tab", "Tab", "Tab", "Tab");
    assert.equal(await panel.focused(), `queue:${shop}`);
    await press("ArrowDown", "Delete", "Home", "Tab");
    const action = await panel.focused();
    await press("Enter");
    const requests = await panel.requests();
    assert.deepEqual(requests[0], { kind: "cancelOperation", id: idOf(1) });
    assert.equal(requests[1]?.kind, action);
    await press("Shift+Tab", "End", "ArrowRight", "ArrowDown", "Enter");
    assert.deepEqual((await panel.requests()).at(-1), { kind: "openResult", id: idOf(500) });
  });

  it("loads older batches and exports the history", async () => {
    const one = (n: number) => batch(n, [operation(n, { status: "succeeded" })]);
    await panel.show(snapshot({ git: { executed: [one(5), one(4)] }, counters: { "git.totalBatches": 4 } }));
    await tabTo("Export History");
    await press("Enter");
    await tabTo("Load older batches");
    await press("Enter");
    assert.deepEqual(await panel.requests(), [
      { kind: "exportHistory" },
      { kind: "older", after: { git: one(4).id } },
    ]);
    await panel.post({ kind: "older", batches: { git: [one(3)], llm: [] } });
    await panel.row(one(3).id).waitFor();
    // The focus stays where the next page is asked for.
    await press("Enter");
    assert.deepEqual((await panel.requests()).at(-1), { kind: "older", after: { git: one(3).id } });
  });

  it("flushes, pauses, resumes and dismisses what went wrong", async () => {
    await panel.show(busySnapshot());
    await panel.post({ kind: "failed", request: "flush", message: "The folder is not trusted." });
    await tabTo("Dismiss");
    await press("Enter");
    assert.equal(await panel.page.getByRole("alert").count(), 0);
    await tabTo(/^Resume$/);
    await press("Enter");
    await moveFocus(panel.page, "Shift+Tab", /^Pause$/);
    await press("Enter");
    await moveFocus(panel.page, "Shift+Tab", /^Flush$/);
    await press("Enter");
    assert.deepEqual(
      (await panel.requests()).map(({ kind }) => kind),
      ["resume", "pause", "flush"],
    );
  });
});
