import assert from "node:assert/strict";
import { campaign } from "../support/faults/campaign.ts";
import { runSeed } from "../support/faults/dice.ts";
import type { Kill } from "../support/faults/orders.ts";

/** Moments after which only asking the world tells what happened. */
const kills: readonly Kill[] = Array.from({ length: 6 }, (_, n) => ({
  kind: "flight",
  nth: 1 + (n % 3),
  afterMs: 500,
}));

describe("without finding out what happened before", function () {
  this.timeout(180_000);

  it("the same kills lose or double something, so that this lane would notice", async () => {
    const worlds = [{ reconciles: false }, { reconciles: false, preCommit: 0.02 }];
    const { problems, flights } = await campaign({
      seed: `${runSeed}/blind`,
      worlds,
      kills: [...kills, ...kills],
      gcShare: 0,
    });
    console.log(
      `    ${flights} kills in flight, ${problems.length} problems found, such as: ${problems[0] ?? ""}`,
    );
    assert.ok(problems.length > 0, "nothing went wrong although nobody looked");
  });
});
