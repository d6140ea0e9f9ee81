import assert from "node:assert/strict";
import { limitReasons } from "../../src/llm/index.ts";
import { usePanelPages } from "../support/panel/fixture.ts";
import type { PanelPage } from "../support/panel/panel-page.ts";
import {
  answerBatch,
  batch,
  busySnapshot,
  llmGroup,
  minute,
  operation,
  pushBatch,
  shop,
  snapshot,
} from "../support/panel/snapshots.ts";

describe("The panel's page", () => {
  const open = usePanelPages();

  it("shows the headline figures with what they are made of", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    assert.deepEqual(await panel.total("waiting"), ["4", "1 batch formed"]);
    assert.deepEqual(await panel.total("executing"), ["4", "in 1 batch"]);
    assert.deepEqual(await panel.total("finished"), ["38", "in 6 batches", "1 failed"]);
    assert.deepEqual(await panel.total("pushes"), ["4", "7 delivered by 3 runs of git push"]);
    assert.deepEqual(await panel.total("calls"), ["20", "23 answered by 3 calls"]);
    assert.deepEqual(await panel.total("tokens"), ["257.7K", "184.2K in, 52.3K out, 21.2K cache"]);
    assert.deepEqual(await panel.total("money"), [
      "$0.048",
      "Paid $0.048 where the standard price is $0.097.",
      "2 requests have no known price and are left out.",
      "Estimated from measured tokens and the price table.",
    ]);
  });

  it("writes numbers, money and times as the reader's language does", async () => {
    const panel = await open();
    await panel.show(busySnapshot(), "de");
    const spaced = (text: string): string => text.replaceAll(/\s/g, " ");
    assert.equal(spaced((await panel.total("money"))[0]!), "0,048 $");
    assert.match((await panel.total("tokens")).join(" "), /184\.2|184,2/);
    const chart = panel.page.locator("[data-chart=trips]").getByRole("slider");
    await chart.focus();
    await panel.page.keyboard.press("Home");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /09:06/);
    assert.doesNotMatch(await panel.page.locator("batch-control-panel").innerText(), /\b(AM|PM)\b/);
  });

  it("says that money is unknown where no price is, and never that it is nothing", async () => {
    const panel = await open();
    await panel.show(snapshot({ counters: { "llm.totalRequests": 3, "llm.unpricedRequests": 3 } }));
    assert.equal((await panel.total("money"))[0], "unknown");
  });

  it("says how long a running batch usually takes, once there is something to tell it from", async () => {
    const panel = await open();
    const running = answerBatch(50, 2, { status: "executing", startedAt: minute(58) });
    await panel.show(
      snapshot({ llm: { executing: [running], executed: [1, 2].map((n) => answerBatch(n, 2)) } }),
    );
    assert.doesNotMatch(await panel.row(running.id).innerText(), /usually/);
    const executed = [1, 2, 3].map((n) => answerBatch(n, 2, { endedAt: minute(2 * n + 2) }));
    await panel.show(snapshot({ sequence: 2, llm: { executing: [running], executed } }));
    assert.match(await panel.row(running.id).innerText(), /2\smin\s+usually\s3\smin\sto\s5\smin/);
  });

  it("says when batching saved nothing or took more", async () => {
    const panel = await open();
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
    await panel.page
      .getByText("Batching took 3 round trips more than it delivered; those for what failed count too.")
      .waitFor();
    await panel.page.getByText("Batching and caching cost $2.00 more than the standard price.").waitFor();
    assert.equal((await panel.total("moneyLost"))[0], "$2.00");
    const lossy = { ...pushBatch(1), stats: { "git.pushesDelivered": 1, "git.pushesExecuted": 2 } };
    await panel.show(snapshot({ sequence: 3, git: { executed: [lossy] }, counters }));
    assert.deepEqual(await panel.page.locator("[data-chart=trips] .legend > span").allInnerTexts(), [
      "Delivered",
      "Made",
      "On top",
    ]);
  });

  it("shows holds and pauses, and asks to resume the side that is paused", async () => {
    const panel = await open();
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
    const panel = await open();
    await panel.show(snapshot({ holds: [{ kind: "llm", reason: "no-key" }] }));
    await panel.page.getByRole("button", { name: "Set API Key" }).click();
    assert.deepEqual(await panel.requests(), [{ kind: "setApiKey" }]);
  });

  it("offers what lifts each other hold: a flush that asks about the cost, or another try", async () => {
    const panel = await open();
    for (const [sequence, reason] of limitReasons.entries()) {
      await panel.show(snapshot({ sequence: sequence + 1, holds: [{ kind: "llm", reason }] }));
      await panel.page.getByRole("button", { name: "Flush LLM Requests" }).click();
    }
    await panel.show(snapshot({ sequence: 9, holds: [{ kind: "llm", reason: "credit" }] }));
    await panel.page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(await panel.requests(), [
      ...limitReasons.map(() => ({ kind: "flush", side: "llm" })),
      { kind: "resume", side: "llm" },
    ]);
  });

  it("says what to do when there is nothing", async () => {
    const panel = await open();
    await panel.show(snapshot());
    await panel.page.getByText("Nothing here yet").waitFor();
    assert.equal(await panel.page.getByRole("button", { name: "Flush", exact: true }).isDisabled(), true);
    await panel.picture("panel-empty");
  });

  it("ignores a snapshot that a newer one has overtaken", async () => {
    const panel = await open();
    await panel.show(snapshot({ sequence: 9, git: { queued: [operation(1), operation(2)] } }));
    await panel.show(snapshot({ sequence: 8 }));
    assert.equal((await panel.total("waiting"))[0], "2");
    await panel.show(snapshot({ sequence: 10 }));
    assert.equal((await panel.total("waiting"))[0], "0");
  });

  it("reads its charts by pointer and by keys, and shows the same numbers as a table", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const trips = panel.page.locator("[data-chart=trips]");
    const chart = trips.getByRole("slider");
    await chart.focus();
    await panel.page.keyboard.press("Home");
    assert.equal(await chart.getAttribute("aria-valuenow"), "1");
    assert.match(
      (await chart.getAttribute("aria-valuetext")) ?? "",
      /9:06.*Delivered: 3 · Made: 1 · Saved: 2/,
    );
    await panel.page.keyboard.press("ArrowRight");
    assert.match(await trips.locator(".reading").innerText(), /Delivered: 6 · Made: 2 · Saved: 4/);
    await chart.hover({ position: { x: 1, y: 20 } });
    assert.match(await trips.locator(".reading").innerText(), /Delivered: 3 · Made: 1/);
    await trips.getByRole("button", { name: "Show as table" }).click();
    const cells = await trips.getByRole("row").last().locator("th, td").allInnerTexts();
    assert.deepEqual(cells.slice(1), ["shop", "30", "6", "24"]);
  });

  it("tells what was asked for from what was delivered, and says when batching cost more", async () => {
    const panel = await open();
    const refused = batch(2, [operation(1, { kind: "request", status: "failed" })], {
      status: "failed",
      group: llmGroup,
      stats: { "llm.apiCalls": 1 },
    });
    const counters = {
      "git.pushesRequested": 7,
      "git.pushesDelivered": 6,
      "git.pushesExecuted": 3,
      "llm.answered": 2,
      "llm.apiCalls": 3,
    } as const;
    await panel.show(snapshot({ llm: { executed: [refused] }, counters }));
    assert.deepEqual(await panel.total("pushes"), [
      "3",
      "6 delivered by 3 runs of git push",
      "1 asked for was not delivered",
    ]);
    assert.deepEqual(await panel.total("callsLost"), [
      "1",
      "2 answered by 3 calls",
      "Batching cost more here: what failed or was tried again counts too.",
    ]);
    assert.match(await panel.row(refused.id).innerText(), /1\sfailed\s+1\scall,\snothing\sanswered/);
  });

  it("shows its tables whole where there is room, and scrolls them in their own box where there is none", async () => {
    const wide = await open({ width: 1000 });
    await wide.show(busySnapshot());
    const table = (panel: PanelPage) => panel.page.locator("[data-chart=trips] .scroller");
    const overflow = (panel: PanelPage): Promise<number> =>
      table(panel).evaluate((box) => box.scrollWidth - box.clientWidth);
    const asTable = (panel: PanelPage): Promise<void> =>
      panel.page.locator("[data-chart=trips]").getByRole("button", { name: "Show as table" }).click();
    await asTable(wide);
    assert.equal(await overflow(wide), 0);
    const narrow = await open({ width: 260, place: "view" });
    await narrow.show(busySnapshot());
    await asTable(narrow);
    assert.ok((await overflow(narrow)) > 0);
    await table(narrow).focus();
    await narrow.page.keyboard.press("ArrowRight");
    await narrow.page.waitForFunction(
      () =>
        document
          .querySelector("batch-control-panel")
          ?.shadowRoot?.querySelector("panel-charts")
          ?.shadowRoot?.querySelector(".scroller")?.scrollLeft,
    );
    assert.equal(await narrow.page.evaluate(() => window.scrollX), 0);
  });

  it("shows what was saved first in a view of the least height", async () => {
    const panel = await open({ width: 300, height: 110, place: "view" });
    await panel.show(busySnapshot());
    for (const total of ["pushes", "calls"]) {
      const figure = panel.page.locator(`[data-total=${total}] .value`);
      const { y, height } = (await figure.boundingBox())!;
      assert.ok(y >= 0 && y + height <= 110, `${total} at ${y}`);
    }
    await panel.picture("panel-view-low", { fullPage: false });
  });

  it("shows outcome and savings of each group", async () => {
    const panel = await open();
    await panel.show(busySnapshot());
    const cells = await panel.page.locator("panel-groups tbody tr").first().locator("th, td").allInnerTexts();
    assert.deepEqual(cells, ["shop", "3", "14", "1", "0", "7", "3", "4", "–"]);
    const cancelled = [1, 2].map((n) =>
      batch(n, [operation(n, { status: "cancelled" })], { status: "cancelled", group: shop }),
    );
    await panel.show(snapshot({ sequence: 2, git: { executed: [pushBatch(9), ...cancelled] } }));
    const [name, batches] = await panel.page
      .locator("panel-groups tbody tr")
      .first()
      .locator("th, td")
      .allInnerTexts();
    assert.deepEqual([name, batches], ["shop", "1 + 2 cancelled"]);
    assert.equal(await panel.page.locator(".row.node").count(), 3);
  });
});
