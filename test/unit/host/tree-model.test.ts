import assert from "node:assert/strict";
import { openTree } from "../../support/host/tree-desk.ts";

/** Two sides, a section, a page of 200 and the row that leads to more. */
const firstPage = 204;

describe("The tree of 10,000 queued operations", () => {
  it("draws one page, and more only when asked", async () => {
    const tree = await openTree(10_000);
    assert.equal(tree.drawAll(), firstPage);
    assert.deepEqual(tree.pages, []);
    const drawn = await tree.showMore();
    assert.ok(drawn > firstPage && drawn < 2 * firstPage + 10, String(drawn));
    assert.ok(tree.pages.length <= 3, `read ${tree.pages.join()}`);
  });

  it("draws nothing where nothing changed, and only the queue where that did", async () => {
    const tree = await openTree(10_000);
    tree.drawAll();
    assert.equal(await tree.refresh(), 0);
    await tree.journal.setPaused("git", true);
    assert.equal(await tree.refresh(), 1, "the row of git alone");
    await tree.add(1);
    const drawn = await tree.refresh();
    assert.ok(drawn > 0 && drawn <= firstPage, String(drawn));
  });
});
