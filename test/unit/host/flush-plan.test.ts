import assert from "node:assert/strict";
import { Cancelled } from "../../../src/host/commands/cancelled.ts";
import { CostGate } from "../../../src/host/cost-gate.ts";
import { planFlush } from "../../../src/host/flush-plan.ts";
import type { Preview } from "../../../src/host/parts.ts";
import { planMarkdown } from "../../../src/host/plan-markdown.ts";
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
    const text = planMarkdown(await planFlush(parts, ["git", "llm"]), fill);
    assert.match(text, /^# What flushing would do\n/);
    assert.match(text, /^- `.*<b>\*evil\*<\/b>.*`$/m);
    assert.match(text, /\n## repo\n\n`\/repo`\n/);
    assert.match(text, /### Push to `https:\/\/host\/repo\.git`\n/);
    assert.match(text, /Runs of git push: 1/);
    assert.match(text, /Estimated cost: 0\.1000 to 0\.5000 USD/);
    assert.match(text, /## Warnings\n\n- No CI for more than 3 branches/);
  });

  it("says what each merge would make, and how it was asked for where it would fail", async () => {
    const parts = await open();
    await parts.git.enqueue(push("main"));
    const plan = await planFlush(parts, ["git"]);
    const merge = { id: "1", source: "topic", mode: "merge" };
    const operations = [{ ...merge, makes: "merge-commit" } as const, { ...merge, source: "stuck" }];
    const merges = [{ target: "main", verified: false, operations }];
    const text = planMarkdown({ ...plan, git: plan.git.map((one) => ({ ...one, merges })) }, fill);
    assert.match(text, /### Merges into `main`\n\n- `topic` \(a merge commit\)\n- `stuck` \(merge\)\n/);
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
    return { asked, gate: new CostGate({ parts, limit: () => limit, t: fill, confirm }) };
  }

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
    await assert.rejects(of.pass("code"), /batchControl\.llm\.maxCostPerFlush: .*0\.5000 USD.*0\.4 USD/);
  });

  it("asks a person, who may say no", async () => {
    const { gate: of, asked } = await gate(0.4);
    await of.pass("person");
    assert.equal(asked.length, 1);
    await assert.rejects((await gate(0.4, false)).gate.pass("person"), Cancelled);
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
