import assert from "node:assert/strict";
import { LiveAnswers } from "../../../../src/host/results/live-answers.ts";
import { ManualClock } from "../../../support/core/manual-clock.ts";

describe("Answers on their way", () => {
  it("are told of now and then, with all that has come by then, until no more comes", async () => {
    const clock = new ManualClock();
    const live = new LiveAnswers(clock);
    const seen: (string | undefined)[] = [];
    const subscription = live.onDidGrow((id) => seen.push(`${id}: ${live.text(id)}`));
    for (const text of ["a", "ab", "abc"]) live.set("1", text);
    live.set("2", "x");
    assert.deepEqual(seen, []);
    await clock.advance(1000);
    assert.deepEqual(seen, ["1: abc", "2: x"]);
    live.set("1", "abcd");
    live.set("1", undefined);
    await clock.advance(1000);
    assert.deepEqual([seen.length, live.text("1")], [2, undefined]);
    live.set("2", "xy");
    await clock.advance(1000);
    assert.deepEqual(seen.slice(2), ["2: xy"]);
    subscription.dispose();
    live.set("2", "xyz");
    await clock.advance(1000);
    assert.equal(seen.length, 3);
  });
});
