import assert from "node:assert/strict";
import { newestFailure, statusLook } from "../../../src/host/status-bar-model.ts";
import type { StatusContext } from "../../../src/host/status-bar-model.ts";
import type { GroupQueue } from "../../../src/core/journal.ts";
import type { Snapshot } from "../../../src/core/snapshot.ts";
import type { Counters } from "../../../src/core/stats.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const now = new Date(2026, 10, 29, 12).getTime();
const context: StatusContext = {
  t: fill,
  numbers: { count: String, usd: (value) => `$${value}` },
  now,
  queues: { git: [], llm: [] },
  time: (at) => `+${at - now} ms`,
  triggers: {
    git: { maxBatchSize: 10, maxBatchAge: 5, autoFlush: true },
    llm: { maxBatchSize: 20, maxBatchAge: 2, autoFlush: true },
  },
};
const look = (of: Snapshot, seen = "", more: Partial<StatusContext> = {}) =>
  statusLook(of, seen, { ...context, ...more });
const app: GroupQueue = {
  group: "git:/repos/app/.git",
  lane: "git:/repos/app/.git",
  count: 1,
  laneExecuting: false,
};
const judge: GroupQueue = {
  group: "llm:anthropic/judge/m",
  lane: "llm:anthropic",
  count: 1,
  laneExecuting: false,
};
const failed = batch("f", { status: "failed", operations: [operation("x", { status: "failed" })] });

describe("The status bar", () => {
  it("counts what waits, queued and pending", () => {
    const of = snapshot({
      git: { queuedCount: 3, pending: [batch("p", { status: "pending", operationCount: 4 })] },
    });
    assert.equal(look(of).text, "$(layers) 7");
  });

  it("spins while something executes", () => {
    assert.equal(
      look(snapshot({ git: { executing: [batch("e", { status: "executing" })] } })).text,
      "$(sync~spin) 0",
    );
  });

  it("says that an outcome is being found out", () => {
    const executing = (detail: unknown) =>
      look(
        snapshot({
          git: {
            executing: [
              batch("e", {
                status: "executing",
                operations: [operation("a", { status: "executing", detail })],
              }),
            ],
          },
        }),
      );
    assert.match(executing({ checking: true }).tooltip, /found out what happened/);
    assert.match(executing({ checking: true }).spoken, /found out what happened/);
    assert.doesNotMatch(executing({}).tooltip, /found out/);
  });

  it("warns of a failure until it was looked at", () => {
    const of = snapshot({ git: { executed: [failed] } });
    assert.equal(look(of).warning, true);
    assert.equal(look(of).text, "$(warning) 0");
    assert.equal(look(of, newestFailure(of)).warning, false);
    assert.equal(look(of, newestFailure(of)).text, "$(layers) 0");
  });

  it("shows a pause, and says of which side", () => {
    const of = snapshot({ paused: { git: true, llm: false } });
    assert.equal(look(of).text, "$(debug-pause) 0");
    assert.match(look(of).tooltip, /Automatic flushing of git is paused\./);
    assert.match(look(of).spoken, /Automatic flushing of git is paused, /);
  });

  it("marks what waits for a person, without the colour of a failure", () => {
    const holds = [{ kind: "llm", reason: "no key" }] as const;
    const stuck = look(snapshot({ holds, llm: { queuedCount: 2 } }));
    assert.deepEqual([stuck.text, stuck.warning], ["$(warning) 2", false]);
    // Nothing waits for it.
    assert.equal(look(snapshot({ holds })).text, "$(layers) 0");
  });

  it("says nothing of savings before anything was done", () => {
    assert.doesNotMatch(look(snapshot()).tooltip, /in all/);
    assert.match(look(snapshot()).tooltip, /Saved today: nothing yet/);
  });

  it("names holds", () => {
    assert.match(look(snapshot({ holds: [{ kind: "llm", reason: "no key" }] })).spoken, /On hold: no key/);
    const untrusted = (["git", "llm"] as const).map((kind) => ({ kind, reason: "untrusted" }));
    const { spoken, tooltip } = look(snapshot({ holds: untrusted }));
    assert.doesNotMatch(spoken, /On hold.*On hold|\.,/);
    assert.doesNotMatch(tooltip, /On hold[^]*On hold/);
  });

  it("names what runs and how far it is", () => {
    const executing = batch("e", {
      status: "executing",
      operationCount: 5,
      counts: { succeeded: 2, executing: 3 },
    });
    assert.match(look(snapshot({ git: { executing: [executing] } })).tooltip, /app: 2 of 5 done/);
  });

  describe("tells when the next automatic flush comes:", () => {
    const asked = (seconds: number) => ({ oldestUnattended: now - seconds * 1000 });
    const cases: readonly [string, Partial<StatusContext["queues"]>, RegExp][] = [
      [
        "by age",
        { git: [{ ...app, ...asked(1) }] },
        /Git: next automatic flush at \+4000 ms, or once 10 wait/,
      ],
      [
        "by size alone, for what people queued",
        { git: [app] },
        /Git: next automatic flush once 10 wait together \(now 1\); until then it waits for you/,
      ],
      [
        "at any moment, for what is of age",
        { git: [{ ...app, ...asked(6) }] },
        /Git: automatic flush at any moment/,
      ],
      [
        "after what executes, for git",
        { git: [{ ...app, ...asked(1), laneExecuting: true }] },
        /Git: next automatic flush once what executes has ended/,
      ],
      [
        "of requests, while others execute",
        { llm: [{ ...judge, ...asked(1), laneExecuting: true }] },
        /LLM requests: next automatic flush at \+1000 ms, or once 20 wait/,
      ],
      [
        "by the fullest group, however many are queued in others",
        {
          llm: [
            { ...judge, count: 4 },
            { ...judge, group: "llm:anthropic/judge/n", count: 17, ...asked(0.5) },
          ],
        },
        /LLM requests: next automatic flush at \+1500 ms, or once 20 wait together \(now 17\)/,
      ],
    ];
    for (const [name, queues, expected] of cases)
      it(name, () => {
        const { tooltip, spoken } = look(snapshot(), "", { queues: { ...context.queues, ...queues } });
        assert.match(tooltip.replaceAll("\\", ""), expected);
        assert.match(spoken, expected);
      });

    const queues = { git: [{ ...app, ...asked(1) }], llm: [] };

    it("never, where it is off", () => {
      const off = { ...context.triggers.git, autoFlush: false };
      const { spoken } = look(snapshot(), "", { queues, triggers: { ...context.triggers, git: off } });
      assert.match(spoken, /Git: automatic flushing is off, so what is queued waits for you/);
    });

    it("with the pause or the hold in its place, where there is one", () => {
      const paused = look(snapshot({ paused: { git: true, llm: false } }), "", { queues }).spoken;
      const held = look(snapshot({ holds: [{ kind: "git", reason: "untrusted" }] }), "", { queues }).spoken;
      for (const text of [paused, held]) assert.doesNotMatch(text, /automatic flush (at|once)/);
      assert.match(paused, /Automatic flushing of git is paused/);
      assert.match(held, /not trusted/);
    });
  });

  it("adds up what today's batches saved, and no other's", () => {
    const stats = { "git.pushesDelivered": 4, "git.pushesExecuted": 1 };
    const money = { "llm.standardCostPico": 4e9, "llm.costPico": 2e9 };
    const of = snapshot({
      git: { executed: [batch("a", { stats }), batch("b", { stats }), batch("y", { day: 28, stats })] },
      llm: { executed: [batch("l", { stats: money })] },
    });
    const { tooltip, spoken } = look(of);
    assert.match(spoken, /Saved today: pushes: 6/);
    const text = tooltip.replaceAll("\\", "");
    assert.match(text, /Saved today: pushes: 6, \$0\.002 at the provider \(estimate\)/);
  });

  it("says where more may have ended today than it knows of", () => {
    const counters: Counters = new Map([["git.totalBatches", 3n]]);
    const of = snapshot({ git: { executed: [batch("a")] }, counters });
    assert.match(look(of).tooltip, /Saved today, over the newest batches/);
  });

  it("gives savings with what they are measured against, and money only where there is some", () => {
    const counters: Counters = new Map([
      ["git.pushesRequested", 4n],
      ["git.pushesDelivered", 3n],
      ["git.pushesExecuted", 1n],
      ["llm.answered", 30n],
      ["llm.apiCalls", 3n],
    ]);
    const text = look(snapshot({ counters })).tooltip;
    assert.match(text, /Pushes in all: asked for 4, delivered 3, runs of git push 1, saved 2/);
    assert.match(text, /API calls in all: answered 30, calls 3, saved 27/);
    assert.doesNotMatch(text, /\$/);
    const lossy: Counters = new Map([
      ["git.pushesRequested", 1n],
      ["git.pushesExecuted", 1n],
      ["llm.answered", 2n],
      ["llm.apiCalls", 3n],
    ]);
    const lost = look(snapshot({ counters: lossy })).tooltip;
    assert.match(lost, /asked for 1, delivered 0, runs of git push 1, on top 1/);
    assert.match(lost, /answered 2, calls 3, on top 1/);
    const priced: Counters = new Map([
      ["llm.costPico", 1_000_000_000_000n],
      ["llm.standardCostPico", 2_000_000_000_000n],
      ["llm.unpricedRequests", 1n],
    ]);
    const money = look(snapshot({ counters: priced })).tooltip;
    assert.match(money, /Cost in all: standard \\\$2, paid \\\$1, saved \\\$1/);
    assert.match(money, /Requests of unknown price: 1/);
  });
});
