import assert from "node:assert/strict";
import { usd } from "../../../src/core/stats.ts";
import { breakEven } from "../../../src/llm/batch/cache-plan.ts";
import { shareOut } from "../../../src/llm/calls/unit.ts";
import { fallbackPrice } from "../../../src/llm/pricing/fallback.ts";
import { offeredModels } from "../../../src/llm/pricing/offered.ts";
import { badPrices } from "../../../src/llm/pricing/override.ts";
import { priceOf } from "../../../src/llm/pricing/pricer.ts";
import { costOf, perToken } from "../../../src/llm/pricing/rates.ts";
import { priceRows, tablePrice } from "../../../src/llm/pricing/table.ts";
import type { TokenUsage } from "../../../src/llm/provider.ts";
import { Rig, ask } from "./support/rig.ts";

const now = Date.parse("2026-11-29");
const usage = (more: Partial<TokenUsage>): TokenUsage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  usOnly: false,
  ...more,
});

/** US dollars of the table in the text beside each case: figure per million tokens × tokens. */
const cases: {
  what: string;
  model: string;
  at?: string;
  usage: Partial<TokenUsage>;
  paid: number;
  standard: number;
}[] = [
  // 1,000,000 × 2 × ½ + 100,000 × 10 × ½
  {
    what: "sonnet 5.5, plain",
    model: "claude-sonnet-5-5",
    usage: { input: 1e6, output: 1e5 },
    paid: 1.5,
    standard: 3,
  },
  // ½ × (0.1 × 0.10 + 0.2 × 2.5 + 0.3 × 4 + 0.4 × 2) = ½ × 2.51; standard (0.1 + 0.2 + 0.3 + 0.4) × 2
  {
    what: "sonnet 5.5 with its cache, reads at the new price",
    model: "claude-sonnet-5-5",
    usage: { input: 4e5, cacheRead: 1e5, cacheWrite5m: 2e5, cacheWrite1h: 3e5 },
    paid: 1.255,
    standard: 2,
  },
  // ½ × (0.1 × 0.20)
  {
    what: "reads before 2026-10-07",
    model: "claude-sonnet-5-5",
    at: "2026-10-06T23:59:59Z",
    usage: { cacheRead: 1e5 },
    paid: 0.01,
    standard: 0.2,
  },
  {
    what: "reads from 2026-10-07 on",
    model: "claude-sonnet-5-5",
    at: "2026-10-07T00:00:00Z",
    usage: { cacheRead: 1e5 },
    paid: 0.005,
    standard: 0.2,
  },
  // 99,999 × 0.10 × ½ per million
  {
    what: "haiku 5.5 below its step",
    model: "claude-haiku-5-5",
    usage: { input: 99_999 },
    paid: 0.00499995,
    standard: 0.0099999,
  },
  {
    what: "haiku 5.5 at its step",
    model: "claude-haiku-5-5",
    usage: { input: 100_000 },
    paid: 0.005,
    standard: 0.01,
  },
  // 100,001 prompt tokens, of which 1 was read from the cache: 100,000 × 0.50 × ½ + 1 × 0.05 × ½; 10 × 2.50 × ½
  {
    what: "haiku 5.5 above its step, cached tokens counted in",
    model: "claude-haiku-5-5",
    usage: { input: 100_000, cacheRead: 1, output: 10 },
    paid: 0.025012525,
    standard: 0.0500255,
  },
  // ½ × 1.1 × 5
  {
    what: "the surcharge for the United States",
    model: "claude-opus-5",
    usage: { input: 1e6, usOnly: true },
    paid: 2.75,
    standard: 5.5,
  },
  {
    what: "fable 5.1 reads at 2.5 %",
    model: "claude-fable-5-1",
    usage: { cacheRead: 1e6 },
    paid: 0.125,
    standard: 10,
  },
  // ½ × 2 × 2 and ½ × 1.5 × 10
  {
    what: "a long prompt at OpenAI",
    model: "gpt-6.2-sol",
    usage: { input: 300_000, output: 1e6 },
    paid: 8.1,
    standard: 16.2,
  },
];

describe("Prices", function () {
  this.timeout(30_000);
  for (const { what, model, at, usage: used, paid, standard } of cases) {
    it(`are exact for ${what}`, () => {
      const price = tablePrice(model, at === undefined ? now : Date.parse(at));
      assert.ok(price);
      const cost = costOf(usage(used), price, true);
      assert.deepEqual([usd(cost.paid), usd(cost.standard)], [paid, standard]);
    });
  }

  it("are not halved for single calls", () => {
    const price = tablePrice("claude-opus-5-5", now);
    assert.ok(price);
    assert.equal(usd(costOf(usage({ input: 1e6, output: 1e6 }), price, false).paid), 24);
  });

  it("add up exactly over 100,000 answers", () => {
    const price = tablePrice("claude-haiku-5-5", now);
    assert.ok(price);
    let sum = 0n;
    for (let n = 0; n < 100_000; n += 1) sum += costOf(usage({ input: 333, output: 77 }), price, true).paid;
    assert.equal(sum, 100_000n * (333n * 50_000n + 77n * 250_000n));
  });

  it("are unknown for a model that no table has, whatever its name resembles", async () => {
    assert.equal(await priceOf("anthropic", "claude-sonnet-5-6", now, {}), undefined);
    assert.equal(await priceOf("anthropic", "claude-opus-5-5-20270101", now, {}), undefined);
    assert.equal(await priceOf("anthropic", "toString", now, {}), undefined);
  });

  it("add what searches of the web cost, which no batch makes cheaper", () => {
    const price = tablePrice("claude-opus-5", now);
    assert.ok(price);
    assert.equal(usd(costOf({ ...usage({ input: 1e6 }), webSearches: 3 }, price, true).paid), 2.53);
  });

  it("tell how many must find a cached beginning so that it pays", () => {
    const [early, late] = ["claude-opus-5", "claude-opus-5-5"].map((model) => tablePrice(model, now));
    assert.ok(early && late);
    assert.deepEqual([breakEven(early).toFixed(2), breakEven(late).toFixed(2)], ["0.53", "0.51"]);
  });

  it("are shared out among packed answers to the last token", () => {
    const whole = usage({ input: 100, output: 7, cacheRead: 3 });
    const shares = shareOut(whole, [1, 1, 5, 3]);
    for (const name of ["input", "output", "cacheRead"] as const) {
      assert.equal(
        shares.reduce((sum, share) => sum + share[name], 0),
        whole[name],
      );
    }
    assert.equal(shares[2]?.input, 50);
  });

  it("of the user's own that cannot be used counts as unknown, names its field and fails no request", async () => {
    const model = "claude-sonnet-5-5";
    for (const [entry, field] of [
      [{ input: Number.NaN, output: 1 }, "input"],
      [{ input: 1, output: 1e21 }, "output"],
      [{ input: -1, output: 1 }, "input"],
      [{ input: 1, output: "1" }, "output"],
      [{ input: 1 }, "output"],
      [{ input: 1, output: 1, cacheRead: Number.POSITIVE_INFINITY }, "cacheRead"],
      [{ input: 1, output: 1, batchMultiplier: null }, "batchMultiplier"],
      [{ input: 1, output: 1, batchMultiplier: "half" }, "batchMultiplier"],
      ["cheap", ""],
      [null, ""],
    ] as const) {
      const prices = { [model]: entry };
      assert.equal(await priceOf("anthropic", model, now, prices), undefined, JSON.stringify(entry));
      assert.deepEqual(badPrices(prices), [{ model, field }]);
    }
    await using stack = new AsyncDisposableStack();
    const rig = await Rig.start();
    stack.defer(() => rig.close());
    const [id = ""] = await rig.enqueue(ask("Hello"));
    rig.settings = { ...rig.settings, prices: { [model]: { input: 1, output: "much" }, other: null } };
    const preview = await rig.room.previewCost([(await rig.journal.operation(id))!]);
    assert.deepEqual([preview.unpriced, preview.badPrices], [1, [{ model, field: "output" }]]);
    await rig.flush();
    const result = await rig.journal.result(id);
    assert.deepEqual([result?.status, result?.costUsd], ["succeeded", null]);
  });

  it("come from the user's own table first, with the usual multiples for what it leaves out", async () => {
    const price = await priceOf("anthropic", "claude-opus-5", now, {
      "claude-opus-5": { input: 1, output: 2 },
    });
    assert.deepEqual(price?.rates, {
      input: perToken("1"),
      output: perToken("2"),
      cacheRead: perToken("0.1"),
      cacheWrite5m: perToken("1.25"),
      cacheWrite1h: perToken("2"),
    });
    const full = await priceOf("openai", "own", now, { own: { input: 1, output: 2, batchMultiplier: 1 } });
    assert.ok(full);
    assert.equal(costOf(usage({ input: 7 }), full, true).paid, 7_000_000n);
  });

  it("come from the package for a model that only it has", async () => {
    assert.match((await priceOf("openai", "gpt-4o-mini", now, {}))?.source ?? "", /genai-prices/u);
  });

  it("agree with the package wherever both have the model", async () => {
    let compared = 0;
    for (const { models } of priceRows) {
      for (const model of models) {
        const own = tablePrice(model, now);
        const theirs = await fallbackPrice(model.startsWith("claude") ? "anthropic" : "openai", model, now);
        if (theirs === undefined) continue;
        compared += 1;
        const { cacheWrite5m: _5m, cacheWrite1h: _1h, ...rates } = own?.rates ?? theirs.rates;
        const { cacheWrite5m, cacheWrite1h, ...others } = theirs.rates;
        assert.deepEqual(rates, others, model);
        if (model.startsWith("claude"))
          assert.deepEqual(
            [own?.rates.cacheWrite5m, own?.rates.cacheWrite1h],
            [cacheWrite5m, cacheWrite1h],
            model,
          );
      }
    }
    assert.ok(compared >= 15, `${compared} models compared`);
  });
});

describe("The cost of what ran", function () {
  this.timeout(30_000);
  let rig: Rig;
  afterEach(() => rig.close());

  it("is unknown, not nothing, for a model without a price", async () => {
    rig = await Rig.start({ settings: { prices: {} } });
    const ids = await rig.enqueue(ask("x", { model: "claude-mythos-5-2" }));
    await rig.flush();
    const [result] = await rig.results(ids);
    assert.equal(result?.status, "succeeded");
    assert.equal(result.costUsd, null);
    const { stats } = (await rig.journal.state()).llm;
    assert.deepEqual([stats.unpricedRequests, stats.costUsd, stats.savedUsd], [1, 0, 0]);
    assert.ok(stats.totalTokens > 0);
  });

  it("is counted once however often the batch was asked about", async () => {
    rig = await Rig.start({ autoEndMs: 600 });
    const ids = await rig.enqueue(ask("x"), ask("y"));
    await rig.flush();
    assert.ok(rig.calls.filter((call) => /^GET .*msgbatch_[^/]*$/u.test(call)).length >= 10);
    const sum = (await rig.results(ids)).reduce((usd, result) => usd + (result?.costUsd ?? 0), 0);
    assert.equal((await rig.journal.state()).llm.stats.costUsd.toFixed(9), sum.toFixed(9));
  });
});

describe("The models to choose from", () => {
  it("are those of known price that are still taken, the user's own first, at what a batch costs", async () => {
    const own = { "my-model": { input: 3, output: 4 }, "bad-model": { input: -1 } };
    const offered = await offeredModels(own, Date.parse("2026-12-01"));
    assert.deepEqual(offered[0], { model: "my-model", input: 1.5, output: 2 });
    const names = offered.map(({ model }) => model);
    assert.equal(new Set(names).size, names.length);
    for (const there of ["claude-sonnet-5-5", "claude-haiku-4-5", "claude-opus-4-5", "gpt-5-mini"])
      assert.ok(names.includes(there), there);
    for (const gone of ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929", "bad-model"])
      assert.ok(!names.includes(gone), gone);
    assert.deepEqual(
      offered.find(({ model }) => model === "claude-sonnet-5-5"),
      { model: "claude-sonnet-5-5", input: 1, output: 5 },
    );
  });
});
