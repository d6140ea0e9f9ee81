import assert from "node:assert/strict";
import fc from "fast-check";
import { Slots } from "../../../webview/model/slots.ts";

const rows = (from: number, to: number): { key: string; kind: string }[] =>
  Array.from({ length: to - from }, (_, at) => ({ key: `row ${from + at}`, kind: "operation" }));

describe("The elements of the panel's rows", () => {
  it("are filled anew in place where all that is in view changes, and made only once", () => {
    const slots = new Slots();
    const first = slots.assign(rows(0, 20));
    assert.deepEqual(slots.assign(rows(500, 520)), first);
  });

  it("stay with the rows that stay, and the others change ends", () => {
    const slots = new Slots();
    const first = slots.assign(rows(0, 5));
    const down = slots.assign(rows(2, 7));
    assert.deepEqual(down, [...first.slice(2), first[1], first[0]]);
    assert.deepEqual(slots.assign(rows(0, 5)), first);
  });

  it("are never taken from the row that has the focus, nor shared, nor of another kind", () => {
    const window = fc.record({ from: fc.nat(60), size: fc.integer({ min: 1, max: 30 }), focus: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(window, { minLength: 1, maxLength: 12 }), (windows) => {
        const slots = new Slots();
        const of = new Map<string, string>();
        for (const { from, size, focus } of windows) {
          const shown = rows(from, from + size).map(({ key }, at) => ({
            key,
            kind: (from + at) % 7 === 0 ? "node" : "operation",
          }));
          const focused = `row ${focus}`;
          const before = of.get(focused);
          const given = slots.assign(shown, focused);
          assert.equal(new Set(given).size, shown.length);
          of.clear();
          shown.forEach(({ key, kind }, at) => {
            assert.ok(given[at]!.startsWith(kind));
            if (given[at] === before) assert.equal(key, focused);
            of.set(key, given[at]!);
          });
        }
      }),
    );
  });
});
