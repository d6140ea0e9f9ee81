import assert from "node:assert/strict";
import fc from "fast-check";
import { bisect } from "../../../src/git/bisect.ts";
import type { Tested } from "../../../src/git/bisect.ts";

/** A chain as the list of operations in it. */
interface Link {
  readonly own: number;
  readonly all: readonly number[];
}

async function search(
  size: number,
  fails: (all: readonly number[]) => boolean,
): Promise<{ runs: number; culprits: number[]; verified: number[]; kinds: string[] }> {
  let runs = 0;
  const known = new Map<string, Tested>();
  const chain = (before: readonly number[], rest: readonly number[]): Link[] =>
    rest.map((own, index) => ({ own, all: [...before, ...rest.slice(0, index + 1)] }));
  const { verified, verdicts } = await bisect<Link>({
    links: chain(
      [],
      Array.from({ length: size }, (_, index) => index),
    ),
    test: (link, fresh) => {
      const all = link?.all ?? [];
      const cached = known.get(all.join());
      if (cached && !fresh) return Promise.resolve(cached);
      // Reruns before blame are counted apart.
      if (!cached) runs += 1;
      const tested: Tested = fails(all) ? { passed: false, output: "red" } : { passed: true };
      known.set(all.join(), tested);
      return Promise.resolve(tested);
    },
    rebuild: (kept, rest) =>
      Promise.resolve(
        chain(
          kept.map(({ own }) => own),
          rest.map(({ own }) => own),
        ),
      ),
  });
  const culprits = verdicts.flatMap((verdict) => (verdict.kind === "culprit" ? [verdict.link.own] : []));
  return {
    runs,
    culprits,
    verified: verified.map(({ own }) => own),
    kinds: verdicts.map(({ kind }) => kind),
  };
}

describe("git: prefix bisection", () => {
  it("finds any one culprit of 50 in at most 8 runs and any two in at most 15", async () => {
    for (let bad = 0; bad < 50; bad += 1) {
      const { runs, culprits, verified } = await search(50, (all) => all.includes(bad));
      assert.deepEqual(culprits, [bad]);
      assert.equal(verified.length, 49);
      assert.ok(runs <= 8 + Number(bad === 0), `${bad}: ${runs} runs`);
    }
    for (const [one, two] of [
      [0, 1],
      [3, 40],
      [24, 25],
      [48, 49],
      [10, 11],
      [1, 49],
    ] as const) {
      const { runs, culprits } = await search(50, (all) => all.includes(one) || all.includes(two));
      assert.deepEqual(culprits, [one, two]);
      assert.ok(runs <= 15 + Number(one === 0), `${one}, ${two}: ${runs} runs`);
    }
  });

  it("takes one run where all is well, and blames the later one of a pair", async () => {
    assert.deepEqual(await search(20, () => false), {
      runs: 1,
      culprits: [],
      verified: [...Array(20).keys()],
      kinds: [],
    });
    const { culprits } = await search(8, (all) => all.includes(2) && all.includes(6));
    assert.deepEqual(culprits, [6]);
  });

  it("blames nobody for a red target", async () => {
    const { kinds, verified } = await search(5, () => true);
    assert.deepEqual([kinds, verified], [["red-target"], []]);
  });

  it("gives up on a test that contradicts itself", async () => {
    let turn = 0;
    const { kinds } = await search(3, () => (turn += 1) % 2 === 1);
    assert.ok(kinds.every((kind) => kind !== "red-target"));
  });

  it("lands everything but the culprits, whoever they are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.uniqueArray(fc.nat(29), { maxLength: 6 }),
        async (size, bad) => {
          const guilty = bad.filter((index) => index < size).sort((a, b) => a - b);
          const { culprits, verified } = await search(size, (all) =>
            all.some((index) => guilty.includes(index)),
          );
          assert.deepEqual(culprits, guilty);
          assert.equal(verified.length, size - guilty.length);
        },
      ),
    );
  });
});
