import assert from "node:assert/strict";
import type { Tally } from "../support/faults/campaign.ts";
import { allKills, campaign } from "../support/faults/campaign.ts";
import { Dice, runSeed } from "../support/faults/dice.ts";
import { steps } from "../support/faults/orders.ts";

const worlds = [
  { preReceive: 0.2 },
  { preCommit: 0.05 },
  { preReceive: 0.1, preCommit: 0.1 },
  { postReceive: 0.2 },
  {},
  { preCommit: 0.02, postReceive: 0.1 },
  { powerCuts: true, preReceive: 0.3 },
  { powerCuts: true, preCommit: 0.15 },
];

describe("a process that is killed again and again", function () {
  this.timeout(600_000);
  let tally: Tally;

  before(async () => {
    console.log(`    FAULTS_SEED=${runSeed}`);
    const kills = allKills(new Dice(runSeed), {
      each: 10,
      flights: 150,
    });
    tally = await campaign({ seed: runSeed, worlds, kills, gcShare: 0.2 });
    const { lives, flights, inFlight } = tally;
    console.log(`    ${lives} lives, ${flights} killed with an effect in flight: ${say(inFlight)}`);
    console.log(`    ${say(tally.kills)}`);
  });

  it("was killed at least ten times before and after each step of the journal", () => {
    for (const step of steps)
      for (const when of ["before", "after"])
        assert.ok((tally.kills.get(`${when} ${step}`) ?? 0) >= 10, `${when} ${step}`);
  });

  it("was killed at least 200 times with an effect in flight, of every kind", () => {
    assert.ok(tally.flights >= 200, String(tally.flights));
    assert.deepEqual([...tally.inFlight.keys()].sort(), ["commit", "create", "ff", "push", "refs"]);
  });

  it("lost nothing and did nothing twice", () => {
    assert.deepEqual(tally.problems, []);
  });
});

const say = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
