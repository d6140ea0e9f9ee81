import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import type { Browser, Locator } from "playwright-core";
import { seriousFindings } from "../support/panel/axe.ts";
import { reportFrames } from "../support/panel/frames.ts";
import type { PageOptions } from "../support/panel/panel-page.ts";
import { PanelPage, themeNames } from "../support/panel/panel-page.ts";
import {
  answerBatch,
  batch,
  busySnapshot,
  idOf,
  largeSnapshot,
  minute,
  operation,
  pushBatch,
  shop,
  snapshot,
} from "../support/panel/snapshots.ts";
import { chromiumFlags, ensureChromium } from "../support/vscode/chromium.ts";

describe("The panel's page in a browser", () => {
  let browser: Browser;
  let panel: PanelPage;

  before(async () => {
    browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumFlags] });
  });
  after(() => browser.close());

  const open = async (options?: PageOptions): Promise<void> => {
    panel = await PanelPage.open(browser, options);
  };
  /** Every page must obey its content security policy and throw nothing, whatever else a test looks at. */
  afterEach(async () => {
    const faults = await panel.faults();
    await panel.close();
    assert.deepEqual(faults, []);
  });

  const total = async (name: string): Promise<string[]> => {
    const lines = await panel.page.locator(`[data-total=${name}] dd`).allInnerTexts();
    return lines.map((line) => line.trim());
  };
  const row = (key: string): Locator => panel.page.locator(`[data-key="${key}"]`);
  const focused = (): Promise<string | null | undefined> =>
    panel.page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute("data-key") ?? element?.getAttribute("data-action");
    });

  it("shows the headline figures with what they are made of", async () => {
    await open();
    await panel.show(busySnapshot());
    assert.deepEqual(await total("waiting"), ["4", "1 batch formed"]);
    assert.deepEqual(await total("executing"), ["4", "in 1 batch"]);
    assert.deepEqual(await total("finished"), ["38", "in 6 batches", "1 failed"]);
    assert.deepEqual(await total("pushes"), ["4", "3 made for 7 asked for"]);
    assert.deepEqual(await total("calls"), ["20", "3 made for 23 answers"]);
    assert.deepEqual(await total("tokens"), ["257.7K", "184.2K in, 52.3K out, 21.2K cache"]);
    assert.deepEqual(await total("money"), [
      "$0.048",
      "Paid $0.048 where the standard price is $0.097.",
      "2 requests have no known price and are left out.",
      "Estimated from measured tokens and the price table.",
    ]);
  });

  it("says that money is unknown where no price is, and never that it is nothing", async () => {
    await open();
    await panel.show(snapshot({ counters: { "llm.totalRequests": 3, "llm.unpricedRequests": 3 } }));
    assert.equal((await total("money"))[0], "unknown");
  });

  it("says how long a running batch usually takes, once there is something to tell it from", async () => {
    await open();
    const running = answerBatch(50, 2, { status: "executing", startedAt: minute(58) });
    await panel.show(
      snapshot({ llm: { executing: [running], executed: [1, 2].map((n) => answerBatch(n, 2)) } }),
    );
    assert.doesNotMatch(await row(running.id).innerText(), /usually/);
    const executed = [1, 2, 3].map((n) => answerBatch(n, 2, { endedAt: minute(2 * n + 2) }));
    await panel.show(snapshot({ sequence: 2, llm: { executing: [running], executed } }));
    assert.match(await row(running.id).innerText(), /2 min\s+usually 3 min to 5 min/);
  });

  it("says when batching saved nothing or took more", async () => {
    await open();
    const executed = [pushBatch(1)];
    await panel.show(
      snapshot({ git: { executed }, counters: { "git.pushesDelivered": 2, "git.pushesExecuted": 2 } }),
    );
    await panel.page.getByText("Batching has saved no round trips so far.").waitFor();
    const counters = {
      "git.pushesDelivered": 2,
      "git.pushesExecuted": 5,
      "llm.costPico": 3e12,
      "llm.standardCostPico": 1e12,
    } as const;
    await panel.show(snapshot({ sequence: 2, git: { executed }, counters }));
    await panel.page.getByText("Batching took 3 round trips more than doing each operation alone.").waitFor();
    await panel.page.getByText("Batching and caching cost $2.00 more than the standard price.").waitFor();
    assert.equal((await total("moneyLost"))[0], "$2.00");
    const lossy = { ...pushBatch(1), stats: { "git.pushesDelivered": 1, "git.pushesExecuted": 2 } };
    await panel.show(snapshot({ sequence: 3, git: { executed: [lossy] }, counters }));
    assert.deepEqual(await panel.page.locator("[data-chart=trips] .legend > span").allInnerTexts(), [
      "Asked for",
      "Made",
      "On top",
    ]);
  });

  it("shows holds and pauses, and asks to resume the side that is paused", async () => {
    await open();
    await panel.show(busySnapshot());
    await panel.page.getByText("LLM is on hold: The provider account has reached its spend limit.").waitFor();
    await panel.page.getByRole("button", { name: "Resume" }).click();
    await panel.page.getByRole("button", { name: "Flush", exact: true }).click();
    await panel.page.getByRole("button", { name: "Pause", exact: true }).first().click();
    assert.deepEqual(await panel.requests(), [
      { kind: "resume", side: "git" },
      { kind: "flush" },
      { kind: "pause" },
    ]);
  });

  it("offers to set a key where the lack of one stops the requests", async () => {
    await open();
    await panel.show(snapshot({ holds: [{ kind: "llm", reason: "no-key" }] }));
    await panel.page.getByRole("button", { name: "Set API Key" }).click();
    assert.deepEqual(await panel.requests(), [{ kind: "setApiKey" }]);
  });

  it("says what to do when there is nothing", async () => {
    await open();
    await panel.show(snapshot());
    await panel.page.getByText("Nothing here yet").waitFor();
    assert.equal(await panel.page.getByRole("button", { name: "Flush", exact: true }).isDisabled(), true);
    await panel.picture("panel-empty");
  });

  it("lists batches with their operations, errors and actions", async () => {
    await open();
    await panel.show(busySnapshot());
    const mixed = row(idOf(1_000_040));
    assert.match(await mixed.innerText(), /shop\s+2 merges, 1 push[^]*1 failed[^]*1 push for 1/);
    assert.equal(await row(idOf(901)).count(), 0);
    await mixed.click();
    assert.match(await row(idOf(901)).innerText(), /failed[^]*src\/cart.ts conflicts with feature\/b/);
    assert.match(await row(idOf(704)).innerText(), /finding out what happened/);
    const press = async (key: string, name: string): Promise<void> => {
      await row(key).hover();
      await row(key).getByRole("button", { name, exact: true }).click();
    };
    await press(idOf(901), "Retry");
    await press(idOf(1_000_040), "Retry what did not succeed");
    await press(idOf(1_000_050), "Cancel batch");
    await press(idOf(1), "Cancel");
    await press(idOf(701), "Open result");
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

  it("shows a failed request at the row it was about, until something else is asked", async () => {
    await open();
    await panel.show(busySnapshot());
    await panel.post({ kind: "failed", request: "cancelOperation", id: idOf(1), message: "It has started." });
    assert.match(await row(idOf(1)).innerText(), /It has started\./);
    await panel.post({ kind: "failed", request: "flush", message: "The folder is not trusted." });
    assert.doesNotMatch(await row(idOf(1)).innerText(), /It has started/);
    await panel.page.getByRole("alert").getByText("The folder is not trusted.").waitFor();
    await panel.page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await panel.page.getByRole("alert").count(), 0);
  });

  it("ignores a snapshot that a newer one has overtaken", async () => {
    await open();
    await panel.show(snapshot({ sequence: 9, git: { queued: [operation(1), operation(2)] } }));
    await panel.show(snapshot({ sequence: 8 }));
    assert.equal((await total("waiting"))[0], "2");
    await panel.show(snapshot({ sequence: 10 }));
    assert.equal((await total("waiting"))[0], "0");
  });

  it("narrows the list by state, kind, group and text, and says when nothing is left", async () => {
    await open();
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

  it("comes back as the reader left it after a reload", async () => {
    await open();
    await panel.show(busySnapshot());
    await panel.page.getByLabel("State").selectOption("finished");
    await row(idOf(1_000_040)).click();
    await panel.page.locator("[data-chart=trips]").getByRole("button", { name: "Git" }).click();
    const state = await panel.state();
    await panel.close();
    await open({ state });
    await panel.show(busySnapshot());
    assert.equal(await panel.page.getByLabel("State").inputValue(), "finished");
    await row(idOf(901)).waitFor();
    const git = panel.page.locator("[data-chart=trips]").getByRole("button", { name: "Git" });
    assert.equal(await git.getAttribute("aria-pressed"), "true");
  });

  it("reads its charts by pointer and by keys, and shows the same numbers as a table", async () => {
    await open();
    await panel.show(busySnapshot());
    const trips = panel.page.locator("[data-chart=trips]");
    const chart = trips.getByRole("slider");
    await chart.focus();
    await panel.page.keyboard.press("Home");
    assert.equal(await chart.getAttribute("aria-valuenow"), "1");
    assert.match(
      (await chart.getAttribute("aria-valuetext")) ?? "",
      /9:06.*Asked for: 3 · Made: 1 · Saved: 2/,
    );
    await panel.page.keyboard.press("ArrowRight");
    assert.match(await trips.locator(".reading").innerText(), /Asked for: 6 · Made: 2 · Saved: 4/);
    await chart.hover({ position: { x: 1, y: 20 } });
    assert.match(await trips.locator(".reading").innerText(), /Asked for: 3 · Made: 1/);
    await trips.getByRole("button", { name: "Show as table" }).click();
    const cells = await trips.getByRole("row").last().locator("th, td").allInnerTexts();
    assert.deepEqual(cells.slice(1), ["shop", "30", "6", "24"]);
  });

  it("shows outcome and savings of each group", async () => {
    await open();
    await panel.show(busySnapshot());
    const cells = await panel.page.locator("panel-groups tbody tr").first().locator("th, td").allInnerTexts();
    assert.deepEqual(cells, ["shop", "3", "14", "1", "0", "7", "3", "4", "–"]);
  });

  it("is worked by keys alone like a tree of the workbench", async () => {
    await open();
    await panel.show(busySnapshot());
    await panel.page.getByLabel("Group", { exact: true }).focus();
    await panel.page.keyboard.press("Tab");
    assert.equal(await focused(), `queue:${shop}`);
    await panel.page.keyboard.press("ArrowDown");
    assert.equal(await focused(), idOf(1));
    await panel.page.keyboard.press("Delete");
    await panel.page.keyboard.press("Tab");
    assert.equal(await focused(), "cancelOperation");
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("Shift+Tab");
    await panel.page.keyboard.press("ArrowLeft");
    await panel.page.keyboard.press("ArrowLeft");
    assert.equal(await row(`queue:${shop}`).getAttribute("aria-expanded"), "false");
    await panel.page.keyboard.press("End");
    assert.equal(await focused(), idOf(1_000_005));
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
    await open();
    const work = [operation(1), operation(2)];
    const other = Array.from({ length: 5 }, (_, n) => batch(n, [operation(50 + n, { status: "succeeded" })]));
    await panel.show(
      snapshot({ sequence: 1, git: { pending: [batch(9, work, { status: "pending" })], executed: other } }),
    );
    await row(idOf(1_000_009)).focus();
    await panel.show(
      snapshot({
        sequence: 2,
        git: { executing: [batch(9, work, { status: "executing" })], executed: other },
      }),
    );
    assert.equal(await focused(), idOf(1_000_009));
    await panel.show(snapshot({ sequence: 3, git: { executed: [...other, batch(9, work)].toReversed() } }));
    assert.equal(await focused(), idOf(1_000_009));
    assert.equal(await row(idOf(1_000_009)).getAttribute("aria-expanded"), "false");
  });

  it("moves the focus to the batch that took the focused operation in", async () => {
    await open();
    await panel.show(snapshot({ sequence: 1, git: { queued: [operation(1), operation(2)] } }));
    await row(idOf(2)).focus();
    await panel.show(snapshot({ sequence: 2, git: { executed: [batch(9, [operation(1), operation(2)])] } }));
    assert.equal(await focused(), idOf(1_000_009));
  });

  it("keeps few of 10,000 operations on the page, and the focused one wherever the reader scrolls", async () => {
    const large = largeSnapshot(200, 50);
    const ids = large.git.executed.map(({ id }) => id);
    await open({ state: { expansion: Object.fromEntries(ids.map((id) => [id, true])) } });
    await panel.show(large);
    await row(ids[0]!).focus();
    await panel.page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const last = large.git.executed.at(-1)!.operations.at(-1)!.id;
    await row(last).waitFor();
    assert.ok((await panel.page.locator(".row").count()) < 100);
    assert.equal(await focused(), ids[0]);
    assert.equal(await panel.page.getByRole("treegrid").getAttribute("aria-rowcount"), "10200");
    await panel.page.keyboard.press("Home");
    await panel.page.keyboard.press("End");
    await panel.page.waitForFunction(() => window.scrollY > 100_000);
    assert.equal(await focused(), last);
    await panel.page.keyboard.press("ArrowLeft");
    assert.equal(await focused(), ids.at(-1));
    await reportFrames(panel.page, "panel-frames");
    await panel.picture("panel-large", { fullPage: false });
  });

  it("keeps what the reader looks at in its place when batches are added above it", async () => {
    await open();
    const { executed } = largeSnapshot(200, 5).git;
    await panel.show(snapshot({ sequence: 1, git: { executed } }));
    await panel.page.evaluate(() => window.scrollTo(0, 3000));
    const watched = row(executed[90]!.id);
    await watched.waitFor();
    const before = (await watched.boundingBox())?.y;
    const added = Array.from({ length: 10 }, (_, n) => answerBatch(500 + n, 2));
    await panel.show(snapshot({ sequence: 2, git: { executed }, llm: { executed: added } }));
    assert.equal(Math.round((await watched.boundingBox())!.y), Math.round(before!));
  });

  it("tells a screen reader the totals, not more often than every few seconds", async () => {
    await open();
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
      await open({ theme });
      await panel.show(busySnapshot());
      await row(idOf(1_000_040)).click();
      await panel.picture(`panel-busy-${theme}`);
      assert.deepEqual(await seriousFindings(panel.page), []);
      await panel.page.locator("[data-chart=cost]").getByRole("button", { name: "Show as table" }).click();
      await panel.post({ kind: "failed", request: "flush", message: "The folder is not trusted." });
      assert.deepEqual(await seriousFindings(panel.page), []);
    });
  }

  it("fits a side bar, and a window at twice the size, without scrolling sideways", async () => {
    for (const width of [220, 300, 500]) {
      await open({ width, place: "view" });
      await panel.show(busySnapshot());
      const overflow = await panel.page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      assert.equal(overflow, 0, `${width} px wide`);
      if (width === 300) await panel.picture("panel-narrow");
      if (width !== 500) await panel.close();
    }
    assert.deepEqual(await seriousFindings(panel.page), []);
  });

  it("can be read with forced colours", async () => {
    await open({ theme: "hc-dark", forcedColors: "active" });
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
    assert.deepEqual(await seriousFindings(panel.page, { contrast: false }), []);
  });
});
