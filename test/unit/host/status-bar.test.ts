import assert from "node:assert/strict";
import { newestFailure, statusLook } from "../../../src/host/status-bar-model.ts";
import type { Snapshot } from "../../../src/core/snapshot.ts";
import type { Counters } from "../../../src/core/stats.ts";
import { batch, operation, snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const numbers = { count: String, usd: (value: number) => `$${value}` };
const look = (of: Snapshot, seen = "") => statusLook(of, seen, fill, numbers);
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
    assert.match(look(of).spoken, /Automatic flushing of git is paused\./);
  });

  it("names holds", () => {
    assert.match(look(snapshot({ holds: [{ kind: "llm", reason: "no key" }] })).spoken, /On hold: no key/);
  });

  it("gives savings with what they are measured against, and money only where there is some", () => {
    const counters: Counters = new Map([
      ["git.pushesRequested", 3n],
      ["git.pushesDelivered", 3n],
      ["git.pushesExecuted", 1n],
      ["llm.answered", 30n],
      ["llm.apiCalls", 3n],
    ]);
    const text = look(snapshot({ counters })).tooltip;
    assert.match(text, /Pushes saved: 2 \(3 asked for, 1 run\)/);
    assert.match(text, /API calls saved: 27 \(3 made\)/);
    assert.doesNotMatch(text, /\$/);
    const priced: Counters = new Map([
      ["llm.costPico", 1_000_000_000_000n],
      ["llm.standardCostPico", 2_000_000_000_000n],
      ["llm.unpricedRequests", 1n],
    ]);
    const money = look(snapshot({ counters: priced })).tooltip;
    assert.match(money, /Saved \\\$1: paid \\\$1, at standard price \\\$2/);
    assert.match(money, /Requests of unknown price: 1/);
  });
});
