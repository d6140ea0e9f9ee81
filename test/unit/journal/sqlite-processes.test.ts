import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { Child } from "./child.ts";
import { git, operation, self } from "./fixtures.ts";
import { openIn, removeFolder, temporaryFolder } from "./sqlite-fixtures.ts";

/** A small generator of pseudo-random numbers (mulberry32), so that a run can be repeated by its seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("the journal in SQLite among processes", function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));

  it("hands each batch to one process only", async () => {
    const { journal } = await openIn(folder);
    const sealed: string[] = [];
    await journal.enqueue(Array.from({ length: 120 }, () => operation()));
    for (const batch of await journal.seal([{ group: git, limits: { maxCount: 1 } }])) sealed.push(batch.id);
    const fence = await journal.lead(git, "both", self);
    const children = [1, 2].map(() => new Child("child-claimer.ts", [folder, JSON.stringify(fence)]));
    await Promise.all(children.map((child) => child.line("ready")));
    for (const child of children) child.say("go");
    await Promise.all(children.map((child) => child.ended()));
    const claimed = children.map(({ lines }) => lines.filter((line) => line.startsWith("claimed")));
    assert.deepEqual(
      claimed
        .flat()
        .map((line) => line.split(" ")[1])
        .sort(),
      sealed.sort(),
    );
    await journal.close();
  });

  it("loses nothing that was acknowledged when writers are killed", async function () {
    const seed = Number(process.env["BATCH_CONTROL_SEED"] ?? randomInt(2 ** 31));
    const random = randomFrom(seed);
    const { journal } = await openIn(folder);
    const acknowledged = new Map<string, number>();
    for (let kill = 0; kill < 6; kill += 1) {
      const writers = [1, 2].map(() => new Child("child-writer.ts", [folder]));
      const wanted = 1 + Math.floor(random() * 60);
      while (writers.some(({ lines }) => lines.length < wanted))
        await new Promise((resolve) => setTimeout(resolve, 1));
      await Promise.all(writers.map((writer) => writer.kill()));
      for (const line of writers.flatMap(({ lines }) => lines)) {
        const [id, length] = line.split(" ");
        // The last line may have been cut by the kill.
        if (id?.length === 36 && length !== undefined) acknowledged.set(id, Number(length));
      }
      const note = `seed ${seed}, kill ${kill}`;
      for (const [id, length] of acknowledged) {
        const kept = await journal.operation(id);
        assert.ok(kept !== undefined, `${note}: ${id} was lost`);
        assert.equal(kept.payload.length, length, note);
      }
    }
    assert.ok(acknowledged.size > 10, `seed ${seed}: too little was written to prove anything`);
    await journal.close();
    const again = await openIn(folder);
    assert.equal(again.report.damaged, undefined, `seed ${seed}`);
    await again.journal.close();
  });

  it("shows a change to another connection, whose own changes it sees as well", async () => {
    const [one, two] = [await openIn(folder), await openIn(folder)];
    const seen: string[] = [];
    two.journal.watch(0, (events) => void seen.push(...events.flatMap(({ operations = [] }) => operations)));
    const [first, second] = [operation(), operation()];
    await one.journal.enqueue([first]);
    await two.journal.enqueue([second]);
    while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(seen, [first.id, second.id]);
    assert.deepEqual(await one.journal.state(), await two.journal.state());
    await Promise.all([one.journal.close(), two.journal.close()]);
  });
});
