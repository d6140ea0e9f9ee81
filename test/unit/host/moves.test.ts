import assert from "node:assert/strict";
import fc from "fast-check";
import { Moves, blockMoves, stepMoves } from "../../../src/host/moves.ts";
import type { Move } from "../../../src/host/moves.ts";
import { openBatchers, push, request } from "../../support/core/batchers.ts";

/** As the journal does it: taken out and put in at the index. */
function moved(queue: readonly string[], moves: readonly Move[]): string {
  const order = [...queue];
  for (const { id, to } of moves) {
    order.splice(order.indexOf(id), 1);
    order.splice(to, 0, id);
  }
  return order.join("");
}
const queue = ["a", "b", "c", "d", "e", "f"];
const block = (chosen: string, to: number): string => moved(queue, blockMoves(queue, new Set(chosen), to));
const step = (chosen: string, by: 1 | -1): string => moved(queue, stepMoves(queue, new Set(chosen), by));

describe("Moving several queued operations", () => {
  it("brings them to one place in their order, from above and from below", () => {
    assert.equal(block("ab", 3), "cdeabf");
    assert.equal(block("ef", 1), "aefbcd");
    assert.equal(block("af", 2), "bcafde");
    assert.equal(block("bd", 99), "acefbd");
  });

  it("does so for every choice and place", () => {
    fc.assert(
      fc.property(fc.subarray(queue, { minLength: 1 }), fc.nat(7), (chosen, to) => {
        const rest = queue.filter((id) => !chosen.includes(id));
        const at = Math.min(to, rest.length);
        assert.equal(
          block(chosen.join(""), to),
          [...rest.slice(0, at), ...chosen, ...rest.slice(at)].join(""),
        );
      }),
    );
  });

  it("steps them on together, and lets none pass one that is at the end already", () => {
    assert.equal(step("bc", -1), "bcadef");
    assert.equal(step("bc", 1), "adbcef");
    assert.equal(step("ab", -1), "abcdef");
    assert.equal(step("abd", -1), "abdcef");
    assert.equal(step("ef", 1), "abcdef");
  });
});

describe("A move in the queue", () => {
  async function open() {
    const batchers = await openBatchers({ maxBatchSize: 10_000 });
    const add = async (count: number, name: string): Promise<string[]> =>
      Promise.all(
        Array.from({ length: count }, async (_, n) => {
          const { id } = await batchers.git.enqueue(push(`${name}-${n}`), { source: "person" });
          return id;
        }),
      );
    return { ...batchers, add, moves: new Moves(batchers.journal) };
  }

  it("reaches what stands beyond the first page of the queue", async () => {
    const { add, git, journal, moves } = await open();
    const ids = await add(450, "b");
    for (const { id, to } of await moves.step([ids[440]!], -1)) await git.move(id, to);
    const order = await journal.operations({ status: "queued", limit: 1000 });
    assert.deepEqual(
      order.slice(439, 441).map(({ label }) => label),
      [ids[440], ids[439]].map((id) => order.find((each) => each.id === id)!.label),
    );
  });

  it("by dropping takes the place of the row that it is dropped on", async () => {
    const { add, moves } = await open();
    const [a, b, c, d] = await add(4, "b");
    const queued = [a!, b!, c!, d!];
    const dropped = async (ids: readonly string[], onto: string): Promise<string> => {
      const order = moved(queued, (await moves.onto(ids, onto))!);
      return order
        .match(/.{36}/g)!
        .map((id) => "abcd"[queued.indexOf(id)])
        .join("");
    };
    assert.equal(await dropped([a!], c!), "bcad");
    assert.equal(await dropped([d!], b!), "adbc");
    assert.equal(await dropped([a!, b!], d!), "cdab");
    assert.equal(await dropped([c!, d!], a!), "cdab");
  });

  it("by dropping is refused on a row of another queue, or one that has left it", async () => {
    const { add, git, llm, moves } = await open();
    const [one, two] = await add(2, "b");
    const { id: asked } = await llm.enqueue(request("Why?"), { source: "person" });
    assert.equal(await moves.onto([one!], asked), undefined);
    assert.equal(await moves.onto([asked], one!), undefined);
    await git.cancel(two!);
    assert.equal(await moves.onto([one!], two!), undefined);
  });
});
