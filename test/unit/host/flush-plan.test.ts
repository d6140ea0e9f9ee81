import assert from "node:assert/strict";
import type { Hold } from "../../../src/core/snapshot.ts";
import { Cancelled } from "../../../src/host/commands/cancelled.ts";
import { CostGate } from "../../../src/host/cost-gate.ts";
import { priceWarnings } from "../../../src/host/llm-settings.ts";
import { planFlush } from "../../../src/host/flush-plan.ts";
import type { Preview } from "../../../src/host/parts.ts";
import { planMarkdown } from "../../../src/host/plan-markdown.ts";
import { numbersIn } from "../../../src/host/numbers.ts";
import { overDayAllowed } from "../../../src/llm/index.ts";
import { openBatchers, push, request } from "../../support/core/batchers.ts";
import { fill } from "../../support/host/translate.ts";

/** Every request costs half a dollar at most; two fit a batch. */
const preview: Preview = {
  git: (queued) =>
    Promise.resolve(
      queued.length === 0
        ? []
        : [
            {
              group: "git:/repo/.git",
              commits: [],
              merges: [],
              pushes: [
                {
                  url: "https://host/repo.git",
                  remote: "origin",
                  refs: queued.map(({ id, label }) => ({ ref: label, operations: [id], lease: false })),
                  atomic: false,
                  processes: 1,
                },
              ],
              problems: [],
              warnings: ["No CI for more than 3 branches"],
            },
          ],
    ),
  cost: (queued) =>
    Promise.resolve({
      requests: queued.length,
      tokens: { input: 10, output: 20 },
      leastUsd: 0.1 * queued.length,
      mostUsd: 0.5 * queued.length,
      unpriced: 0,
      basis: "estimated from the length of the text",
    }),
  limits: () => ({ maxCount: 2 }),
  providerWithoutKey: () => Promise.resolve(undefined),
};

async function open(own: Partial<Preview> = {}) {
  const batchers = await openBatchers();
  return { ...batchers, preview: { ...preview, ...own } };
}

describe("The plan of a flush", () => {
  it("has pushes, API calls by group and cost, and changes nothing", async () => {
    const parts = await open();
    await parts.git.enqueue(push("main"));
    for (const prompt of ["a", "b", "c"]) await parts.llm.enqueue(request(prompt));
    await parts.llm.enqueue(request("d", "judge"));
    const plan = await planFlush(parts, ["git", "llm"]);
    assert.equal(plan.git[0]?.pushes[0]?.refs.length, 1);
    assert.deepEqual(
      plan.llm.groups.map(({ requests, calls }) => [requests, calls]),
      [
        [3, 2],
        [1, 1],
      ],
    );
    assert.equal(plan.llm.apiCalls, 3);
    assert.equal(plan.llm.estimatedCostUsd, 2);
    assert.deepEqual(plan.warnings, ["No CI for more than 3 branches"]);
    assert.equal(parts.git.queueSize() + parts.llm.queueSize(), 5);
  });

  it("warns of a provider without a key, once, where requests would wait for it", async () => {
    const parts = await open({ providerWithoutKey: () => Promise.resolve("openai") });
    await parts.llm.enqueue(request("a"));
    await parts.llm.enqueue(request("b", "judge"));
    assert.deepEqual((await planFlush(parts, ["llm"])).warnings, [
      "No API key is set for OpenAI, so its requests would wait. Set one with Batch Control: Set API Key.",
    ]);
    assert.deepEqual((await planFlush(parts, ["git"])).warnings, []);
  });

  it("begins with what holds it, and says nothing of a limit that it keeps to", async () => {
    const parts = await open();
    await parts.llm.enqueue(request("a"));
    await parts.journal.setHold({ kind: "llm", reason: "no-key" });
    await parts.state.refresh();
    const plan = await planFlush(parts, ["git", "llm"]);
    const text = planMarkdown(plan, fill, numbersIn("en"), 0.5);
    assert.match(text, /^# What flushing would do\n\n## On hold\n\n- No API key is set\./);
    assert.doesNotMatch(text, /more than the limit/);
    assert.deepEqual((await planFlush(parts, ["git"])).holds, []);
  });

  it("is of one side where only that was asked for", async () => {
    const parts = await open();
    await parts.git.enqueue(push("main"));
    await parts.llm.enqueue(request("a"));
    assert.equal((await planFlush(parts, ["git"])).llm.requests, 0);
    assert.deepEqual((await planFlush(parts, ["llm"])).git, []);
  });

  it("reads as a document, with names from outside as plain text", async () => {
    const parts = await open();
    await parts.git.enqueue(push("<b>*evil*</b>"));
    await parts.llm.enqueue(request("a"));
    const text = planMarkdown(await planFlush(parts, ["git", "llm"]), fill, numbersIn("en"), 0.4);
    assert.match(text, /^# What flushing would do\n/);
    assert.match(text, /^- `.*<b>\*evil\*<\/b>.*`$/m);
    assert.match(text, /\n## repo\n\n`\/repo`\n/);
    assert.match(text, /### Push to `https:\/\/host\/repo\.git`\n/);
    assert.match(text, /Runs of git push: 1/);
    assert.match(text, /Estimated cost: \$0\.10 to \$0\.50 \(/);
    assert.match(text, /more than the limit for one flush, \$0\.40 .*asks first/);
    assert.match(text, /## Warnings\n\n- No CI for more than 3 branches/);
  });

  it("says what each merge would make, and which operations would fail and why", async () => {
    const parts = await open();
    await parts.git.enqueue(push("main"));
    const plan = await planFlush(parts, ["git"]);
    const merge = { id: "1", source: "topic", mode: "merge" };
    const operations = [{ ...merge, makes: "merge-commit" } as const, { ...merge, source: "stuck" }];
    const merges = [{ target: "main", verified: false, operations }];
    const problems = [
      { id: "2", label: "Merge *stuck* into main", reason: "conflict", error: "a.txt conflicts" },
    ];
    const git = plan.git.map((one) => ({ ...one, merges, problems }));
    const text = planMarkdown({ ...plan, git }, fill, numbersIn("en"), 0);
    assert.match(text, /### Merges into `main`\n\n- `topic` \(a merge commit\)\n- `stuck` \(would fail\)\n/);
    assert.match(text, /### Would fail\n\n- \*\*Merge \\\*stuck\\\* into main\*\*: .+/);
  });
});

describe("A price in the settings that cannot be used", () => {
  it("is a warning of the plan, and in the log once", async () => {
    const model = "claude-opus-5-5";
    const cost: Preview["cost"] = async (queued) => ({
      ...(await preview.cost(queued)),
      badPrices: [{ model, field: "batchMultiplier" }],
    });
    const parts = await open({ cost });
    await parts.llm.enqueue(request("a"));
    const said =
      "batchControl.llm.prices: the entry for claude-opus-5-5 has a batchMultiplier that is not a number from 0 to 100, so its price counts as unknown.";
    assert.deepEqual((await planFlush(parts, ["llm"])).warnings, [said]);
    const logged: string[] = [];
    const prices = { [model]: { input: 1, output: 2, batchMultiplier: "half" } };
    const warn = priceWarnings(() => ({ prices }), { warn: (text) => logged.push(text) });
    warn();
    warn();
    assert.deepEqual(logged, [said]);
  });
});

describe("The cost limit of a flush", () => {
  async function gate(limit: number, agrees = true, own: Partial<Preview> = {}) {
    const parts = await open(own);
    await parts.llm.enqueue(request("a"));
    const asked: string[] = [];
    const confirm = (question: string): Promise<void> => {
      asked.push(question);
      return agrees ? Promise.resolve() : Promise.reject(new Cancelled());
    };
    const overrides: string[] = [];
    const allowCost = (batches: readonly string[]): Promise<void> =>
      Promise.resolve(void overrides.push(...batches));
    const gated = { ...parts, allowCost };
    const holds = async () => (await parts.journal.state()).holds.map(({ reason }) => reason);
    return {
      asked,
      overrides,
      holds,
      hold: (held: Hold) => parts.journal.setHold(held),
      parts,
      gate: new CostGate({
        parts: gated,
        limits: () => ({ maxCostPerFlush: limit, maxCostPerDay: 0.3 }),
        t: fill,
        ...numbersIn("en"),
        confirm,
      }),
    };
  }
  const lane = "llm:anthropic";

  it("lets pass what costs less, and everything where there is none", async () => {
    for (const limit of [0, 0.5, 1]) {
      const { gate: of, asked } = await gate(limit);
      await of.pass("code");
      await of.pass("person");
      assert.deepEqual(asked, []);
    }
  });

  it("refuses code what may cost more, naming the setting", async () => {
    const { gate: of } = await gate(0.4);
    await assert.rejects(of.pass("code"), /batchControl\.llm\.maxCostPerFlush: .*\$0\.50;.*\$0\.40\./);
  });

  it("asks a person, who may say no", async () => {
    const { gate: of, asked } = await gate(0.4);
    await of.pass("person");
    assert.deepEqual(asked, [
      "Send requests: 1? These requests may cost up to $0.50; the limit for one flush is $0.40. The limit is the setting batchControl.llm.maxCostPerFlush.",
    ]);
    await assert.rejects((await gate(0.4, false)).gate.pass("person"), Cancelled);
  });

  it("lifts the hold of a batch that nobody could be asked about, once a person agrees or it is cheap by now", async () => {
    const held: Hold = { kind: "llm", reason: "flush-cost-limit", lane };
    for (const [limit, caller, questions] of [
      [0.4, "person", 1],
      [1, "code", 0],
    ] as const) {
      const { gate: of, hold, holds, asked, overrides } = await gate(limit);
      await hold(held);
      await (await of.pass(caller, [held])).lift();
      assert.deepEqual([await holds(), asked.length, overrides], [[], questions, []]);
    }
    const { gate: of, hold, holds } = await gate(0.4);
    await hold(held);
    await assert.rejects(of.pass("code", [held]), /batchControl\.llm\.maxCostPerFlush/);
    assert.deepEqual(await holds(), ["flush-cost-limit"]);
  });

  it("of a day is passed once when a person agrees, and never by code", async () => {
    for (const reason of ["daily-cost-limit", "cost-unknown"]) {
      const held: Hold = { kind: "llm", reason, lane };
      const { gate: of, parts, hold, holds, asked, overrides } = await gate(0);
      // Formed before, behind the hold; what is queued comes on top.
      const [waiting] = await parts.llm.flush();
      await parts.llm.enqueue(request("b"));
      await hold(held);
      await assert.rejects(of.pass("code", [held]), /batchControl\.llm\.maxCostPerDay/);
      assert.deepEqual([await holds(), overrides], [[reason], []]);
      const { mark, lift } = await of.pass("person", [held]);
      assert.deepEqual([await holds(), overrides, mark], [[reason], [waiting?.id], overDayAllowed]);
      await lift();
      assert.deepEqual([await holds(), asked.length], [[], 1]);
      assert.match(
        asked[0] ?? "",
        /maxCostPerDay.*up to \$1\.00; the limit of the day is \$0\.30\. Send what is queued once all the same\?/,
      );
      const { gate: no, hold: set, holds: left, overrides: none } = await gate(0, false);
      await set(held);
      await assert.rejects(no.pass("person", [held]), Cancelled);
      assert.deepEqual([await left(), none], [[reason], []]);
    }
  });

  it("takes an unknown price for one that may be too high", async () => {
    const unknown = {
      requests: 1,
      tokens: { input: 10, output: 20 },
      leastUsd: 0,
      mostUsd: 0,
      unpriced: 1,
      basis: "estimated from the length of the text",
    } as const;
    const { gate: of } = await gate(100, true, { cost: () => Promise.resolve(unknown) });
    await assert.rejects(of.pass("code"), /Requests of unknown price: 1/);
  });
});
