import assert from "node:assert/strict";
import path from "node:path";
import { numbersIn } from "../../../../src/host/numbers.ts";
import { dryRun, dryRunMarkdown } from "../../../../src/host/prompts/dry-run.ts";
import type { DryRun } from "../../../../src/host/prompts/dry-run.ts";
import { openRequestDesk } from "../../../support/host/request-desk.ts";
import type { RequestDesk } from "../../../support/host/request-desk.ts";
import { fill } from "../../../support/host/translate.ts";

const samples = path.resolve(import.meta.dirname, "../../../../media/sample");
const around = { defaultModel: () => "claude-haiku-4-5", language: () => Promise.resolve("python") };

describe("A dry run of the sample prompt", () => {
  let desk: RequestDesk;
  let run: DryRun;

  before(async () => {
    desk = await openRequestDesk();
    run = await dryRun(samples, around, desk.requests);
  });
  after(() => desk.close());

  it("renders the prompt for each sample file, with the person's model", () => {
    assert.deepEqual(
      run.requests.map(({ id, model }) => [id, model]),
      ["basket.py", "prices.py", "receipt.py"].map((name) => [name, "claude-haiku-4-5"]),
    );
    assert.match(run.requests[0]?.prompt ?? "", /Read basket\.py as somebody[^]*def add\(basket/);
  });

  it("costs half as a batch of what single calls would", () => {
    assert.ok(run.batch.leastUsd > 0);
    assert.ok(Math.abs(run.alone.leastUsd - 2 * run.batch.leastUsd) < 1e-9);
    assert.ok(Math.abs(run.alone.mostUsd - 2 * run.batch.mostUsd) < 1e-9);
  });

  it("queues nothing", async () => {
    assert.deepEqual(await desk.journal.operations({ limit: 10 }), []);
  });

  it("reads as what it is: a plan with estimates and no answer", () => {
    const text = dryRunMarkdown(run, numbersIn("en"), fill);
    assert.match(text, /^# Dry run: nothing was queued, sent or paid\n/);
    assert.match(text, /There is no answer to show, because no model was asked\./);
    assert.match(text, /`claude-haiku-4-5`: requests 3, API calls 1/);
    assert.match(text, /As one batch: about [\d,]+ tokens in.*estimated from the length of the text/);
    assert.match(text, /As 3 calls at the standard price: /);
    assert.match(text, /def add\(basket/);
  });
});
