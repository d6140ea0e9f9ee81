import assert from "node:assert/strict";
import { codepoints } from "../../webview/parts/icons.ts";
import { usePanelPages } from "../support/panel/fixture.ts";
import { reportFrames } from "../support/panel/frames.ts";
import {
  answerBatch,
  batch,
  busySnapshot,
  idOf,
  largeSnapshot,
  operation,
  shop,
  snapshot,
} from "../support/panel/snapshots.ts";

describe("The panel's list of batches", () => {
  const open = usePanelPages();

  it("lists batches with their operations, errors and actions", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const mixed = panel.row(idOf(1_000_040));
    assert.match(
      await mixed.innerText(),
      /shop\s+2 merges, 1 push[^]*1\sfailed[^]*1\spush\sfor\s1\sdelivered/,
    );
    assert.equal(await panel.row(idOf(901)).count(), 0);
    await mixed.click();
    assert.match(await panel.row(idOf(901)).innerText(), /failed[^]*src\/cart.ts conflicts with feature\/b/);
    assert.match(await panel.row(idOf(704)).innerText(), /finding\sout\swhat\shappened/);
    const press = async (key: string, name: string): Promise<void> => {
      await panel.row(key).hover();
      await panel.row(key).getByRole("button", { name, exact: true }).click();
    };
    await press(idOf(901), "Retry Operation");
    await press(idOf(1_000_040), "Retry Unsuccessful Operations of Batch");
    await press(idOf(1_000_050), "Cancel Batch");
    await press(idOf(1), "Cancel Operation");
    await press(idOf(701), "Open Result");
    await press(`queue:${shop}`, "Flush this queue");
    assert.deepEqual(await panel.requests(), [
      { kind: "retryOperation", id: idOf(901) },
      { kind: "retryBatch", id: idOf(1_000_040) },
      { kind: "cancelBatch", id: idOf(1_000_050) },
      { kind: "cancelOperation", id: idOf(1) },
      { kind: "openResult", id: idOf(701) },
      { kind: "flush", side: "git" },
    ]);
  });

  it("opens what stands behind an operation by a double click, Enter or a button, as the tree does", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    await panel.row(idOf(1_000_040)).click();
    await panel.row(idOf(901)).dblclick();
    await panel.row(idOf(902)).focus();
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Space");
    await panel.row(idOf(1)).hover();
    await panel.row(idOf(1)).getByRole("button", { name: "Open Changes" }).click();
    await panel.row(idOf(701)).getByText("Review pull request 1").dblclick();
    assert.deepEqual(await panel.requests(), [
      { kind: "openDetails", id: idOf(901) },
      { kind: "openChanges", id: idOf(902) },
      { kind: "openDetails", id: idOf(903) },
      { kind: "openChanges", id: idOf(1) },
      { kind: "openResult", id: idOf(701) },
    ]);
    assert.equal(await panel.page.evaluate(() => getSelection()?.toString()), "");
  });

  it("shows retrying by the same icon as the tree, which is not that of undoing", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const drawn = await panel.row(idOf(1_000_040)).locator("[data-action=retryBatch] .icon").innerText();
    assert.equal(drawn.codePointAt(0), codepoints.refresh);
  });

  it("shows a failed request at the row it was about, until something else is asked", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    await panel.post({ kind: "failed", request: "cancelOperation", id: idOf(1), message: "It has started." });
    assert.match(await panel.row(idOf(1)).innerText(), /It has started\./);
    await panel.post({ kind: "failed", request: "flush", message: "The folder is not trusted." });
    assert.doesNotMatch(await panel.row(idOf(1)).innerText(), /It has started/);
    await panel.page.getByRole("alert").getByText("The folder is not trusted.").waitFor();
    await panel.page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await panel.page.getByRole("alert").count(), 0);
  });

  it("loads older batches page by page, and offers no more when there are none", async () => {
    const panel = await open();
    const one = (n: number) => batch(n, [operation(n, { status: "succeeded" })]);
    const git = { executed: [one(5), one(4)] };
    await panel.show(snapshot({ git, counters: { "git.totalBatches": 4 } }));
    const button = panel.page.getByRole("button", { name: "Load older batches" });
    await button.click();
    assert.deepEqual(await panel.requests(), [{ kind: "older", after: { git: one(4).id } }]);
    await panel.post({ kind: "older", batches: { git: [one(3)], llm: [] } });
    await panel.row(one(3).id).waitFor();
    await button.click();
    await panel.post({ kind: "older", batches: { git: [], llm: [] } });
    await button.waitFor({ state: "detached" });
    assert.equal(await panel.row(one(3).id).count(), 1);
  });

  it("offers to export the history once there is one", async () => {
    const panel = await open();
    await panel.show(snapshot());
    const button = panel.page.getByRole("button", { name: "Export History" });
    assert.equal(await button.count(), 0);
    await panel.show(snapshot({ git: { executed: [batch(1, [operation(1, { status: "succeeded" })])] } }));
    await button.click();
    assert.deepEqual(await panel.requests(), [{ kind: "exportHistory" }]);
  });

  it("says once that the workspace is not trusted, and leads to where that is granted", async () => {
    const panel = await open();
    const reason = "untrusted";
    await panel.show(
      snapshot({
        holds: [
          { kind: "git", reason },
          { kind: "llm", reason },
        ],
      }),
    );
    assert.equal(await panel.page.getByText(/This workspace is not trusted/).count(), 1);
    await panel.page.getByRole("button", { name: "Manage Workspace Trust" }).click();
    assert.deepEqual(await panel.requests(), [{ kind: "manageTrust" }]);
  });

  it("narrows the list by state, kind, group and text, and says when nothing is left", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const labels = (): Promise<string[]> => panel.page.locator(".row.operation .label").allInnerTexts();
    await panel.page.getByLabel("Kind").selectOption("push");
    assert.deepEqual(await labels(), ["feature/header"]);
    await panel.page.getByLabel("Kind").selectOption("all");
    await panel.page.getByLabel("State").selectOption("waiting");
    await panel.page.getByLabel("Filter by text").fill("version");
    assert.deepEqual(await labels(), ["Bump the version"]);
    await panel.page.getByLabel("Group", { exact: true }).selectOption("llm:openai/reviewer/gpt-5-mini");
    await panel.page.getByText("Nothing matches these filters.").waitFor();
    await panel.page.getByRole("button", { name: "Clear filters" }).click();
    assert.equal((await labels()).length, 10);
  });

  it("says of a batch that only part of it is shown, and that its figures are those of the whole", async () => {
    const panel = await open({ height: 1600 });
    await panel.show(busySnapshot());
    await panel.page.getByLabel("Kind").selectOption("push");
    const row = await panel.row(idOf(1_000_040)).innerText();
    assert.match(row, /1 push \(filtered from 3\)\s+whole\sbatch:\s+1\sfailed\s+1\spush\sfor\s1\sdelivered/);
    await panel.page.getByLabel("Kind").selectOption("all");
    assert.doesNotMatch(await panel.row(idOf(1_000_040)).innerText(), /filtered|whole/);
  });

  it("moves no filter while one is typed, and clears all by its one button", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const places = (): Promise<unknown> =>
      Promise.all(
        ["State", "Kind", "Group"].map((name) => panel.page.getByLabel(name, { exact: true }).boundingBox()),
      );
    const before = await places();
    const clear = panel.page.getByRole("button", { name: "Clear filters" });
    assert.equal(await clear.count(), 0);
    const field = panel.page.getByLabel("Filter by text");
    await field.fill("version");
    assert.deepEqual(await places(), before);
    // Where the browser's own button would be.
    const { width, height } = (await field.boundingBox())!;
    await field.click({ position: { x: width - 12, y: height / 2 } });
    assert.equal(await field.inputValue(), "version");
    await clear.press("Enter");
    assert.equal(await field.inputValue(), "");
    await panel.page.keyboard.type("cart");
    assert.equal(await field.inputValue(), "cart");
  });

  it("comes back as the reader left it after a reload", async () => {
    const before = await open();
    await before.show(busySnapshot());
    await before.page.getByLabel("State").selectOption("finished");
    await before.row(idOf(1_000_040)).click();
    await before.page.locator("[data-chart=trips]").getByRole("button", { name: "Git" }).click();
    const state = await before.state();
    const panel = await open({ state });
    await panel.show(busySnapshot());
    assert.equal(await panel.page.getByLabel("State").inputValue(), "finished");
    await panel.row(idOf(901)).waitFor();
    const git = panel.page.locator("[data-chart=trips]").getByRole("button", { name: "Git" });
    assert.equal(await git.getAttribute("aria-pressed"), "true");
  });

  it("is worked by keys alone like a tree of the workbench", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    await panel.page.getByLabel("Group", { exact: true }).focus();
    await panel.page.keyboard.press("Tab");
    assert.equal(await panel.focused(), `queue:${shop}`);
    await panel.page.keyboard.press("ArrowDown");
    assert.equal(await panel.focused(), idOf(1));
    await panel.page.keyboard.press("Delete");
    await panel.page.keyboard.press("Tab");
    assert.equal(await panel.focused(), "openChanges");
    await panel.page.keyboard.press("Tab");
    assert.equal(await panel.focused(), "cancelOperation");
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("Shift+Tab");
    await panel.page.keyboard.press("Shift+Tab");
    await panel.page.keyboard.press("ArrowLeft");
    await panel.page.keyboard.press("ArrowLeft");
    assert.equal(await panel.row(`queue:${shop}`).getAttribute("aria-expanded"), "false");
    await panel.page.keyboard.press("End");
    assert.equal(await panel.focused(), idOf(1_000_005));
    await panel.page.keyboard.press("ArrowRight");
    await panel.page.keyboard.press("ArrowRight");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.requests(), [
      { kind: "cancelOperation", id: idOf(1) },
      { kind: "cancelOperation", id: idOf(1) },
      { kind: "openResult", id: idOf(500) },
    ]);
  });

  it("keeps the focus while batches move from state to state", async () => {
    const panel = await open();
    const work = [operation(1), operation(2)];
    const other = Array.from({ length: 5 }, (_, n) => batch(n, [operation(50 + n, { status: "succeeded" })]));
    await panel.show(
      snapshot({ sequence: 1, git: { pending: [batch(9, work, { status: "pending" })], executed: other } }),
    );
    await panel.row(idOf(1_000_009)).focus();
    await panel.show(
      snapshot({
        sequence: 2,
        git: { executing: [batch(9, work, { status: "executing" })], executed: other },
      }),
    );
    assert.equal(await panel.focused(), idOf(1_000_009));
    await panel.show(snapshot({ sequence: 3, git: { executed: [...other, batch(9, work)].toReversed() } }));
    assert.equal(await panel.focused(), idOf(1_000_009));
    assert.equal(await panel.row(idOf(1_000_009)).getAttribute("aria-expanded"), "false");
  });

  it("moves the focus to the batch that took the focused operation in", async () => {
    const panel = await open();
    await panel.show(snapshot({ sequence: 1, git: { queued: [operation(1), operation(2)] } }));
    await panel.row(idOf(2)).focus();
    await panel.show(snapshot({ sequence: 2, git: { executed: [batch(9, [operation(1), operation(2)])] } }));
    assert.equal(await panel.focused(), idOf(1_000_009));
  });

  it("keeps few of 10,000 operations on the page, and the focused one wherever the reader scrolls", async () => {
    const large = largeSnapshot(200, 50);
    const ids = large.git.executed.map(({ id }) => id);
    const panel = await open({ state: { expansion: Object.fromEntries(ids.map((id) => [id, true])) } });
    await panel.show(large);
    await panel.row(ids[0]!).focus();
    await panel.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const last = large.git.executed.at(-1)!.operations.at(-1)!.id;
    await panel.row(last).waitFor();
    assert.ok((await panel.page.locator(".row").count()) < 100);
    assert.equal(await panel.focused(), ids[0]);
    assert.equal(await panel.page.getByRole("treegrid").getAttribute("aria-rowcount"), "10200");
    await panel.page.keyboard.press("Home");
    await panel.page.keyboard.press("End");
    await panel.page.waitForFunction(() => window.scrollY > 100_000);
    assert.equal(await panel.focused(), last);
    await panel.page.keyboard.press("ArrowLeft");
    assert.equal(await panel.focused(), ids.at(-1));
    await reportFrames(panel.page, "panel-frames");
    await panel.picture("panel-large", { fullPage: false });
  });

  it("keeps what the reader looks at in its place when batches are added above it", async () => {
    const panel = await open();
    const { executed } = largeSnapshot(200, 5).git;
    await panel.show(snapshot({ sequence: 1, git: { executed } }));
    await panel.page.evaluate(() => window.scrollTo(0, 3000));
    const watched = panel.row(executed[90]!.id);
    await watched.waitFor();
    const before = (await watched.boundingBox())?.y;
    const added = Array.from({ length: 10 }, (_, n) => answerBatch(500 + n, 2));
    await panel.show(snapshot({ sequence: 2, git: { executed }, llm: { executed: added } }));
    assert.equal(Math.round((await watched.boundingBox())!.y), Math.round(before!));
  });
});
