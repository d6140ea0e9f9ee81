import assert from "node:assert/strict";
import type Anthropic from "@anthropic-ai/sdk";
import type { PartFault, Simulator } from "../../support/simulator/index.ts";
import { outcomes } from "../../support/simulator/index.ts";
import { items, withSimulator } from "./helpers.ts";
import type { Line } from "./helpers.ts";

interface Read {
  readonly lines: Line[];
  /** The error that ended the reading. */
  readonly error: unknown;
}

async function read(anthropic: Anthropic, id: string): Promise<Read> {
  const lines: Line[] = [];
  try {
    for await (const line of await anthropic.messages.batches.results(id)) lines.push(line);
    return { lines, error: undefined };
  } catch (error) {
    return { lines, error };
  }
}

/** A finished batch of ten whose results are read with these faults. */
async function spoiled(
  faults: readonly PartFault[],
  check: (result: Read, simulator: Simulator) => void,
): Promise<void> {
  await withSimulator({ order: "submitted" }, async ({ simulator, anthropic }) => {
    simulator.setOutcome({ customId: "item-3", outcome: outcomes.says("a\u2028b\u2029c\u0085d\re🙂") });
    const { id } = await anthropic.messages.batches.create({ requests: items(10) });
    await simulator.endBatch(id);
    simulator.misbehave({ match: { path: /results$/ }, do: { kind: "parts", faults } });
    check(await read(anthropic, id), simulator);
    const again = await read(anthropic, id);
    assert.equal(again.lines.length, 10);
  });
}

const ids = (result: Read): string => result.lines.map((line) => line.custom_id.slice(5)).join("");

describe("simulator: faults of the result lines", () => {
  it("ends early at a line end, which no client notices", () =>
    spoiled([{ kind: "endAfter", parts: 6 }], (result) => {
      assert.deepEqual([ids(result), result.error], ["012345", undefined]);
    }));

  it("ends in the middle of a line", () =>
    spoiled([{ kind: "cutInside", part: 4 }], (result) => {
      assert.equal(ids(result), "012");
      assert(result.error instanceof SyntaxError);
    }));

  it("breaks the connection in the middle", () =>
    spoiled([{ kind: "dropAfter", parts: 5 }], (result) => {
      assert.equal(ids(result), "01234");
      assert.match(String(result.error), /terminated/);
    }));

  it("has a blank line, which the SDK stumbles over", () =>
    spoiled([{ kind: "insert", after: 2, text: "\n" }], (result) => {
      assert.equal(ids(result), "01");
      assert(result.error instanceof SyntaxError);
    }));

  it("has a line that is no JSON", () =>
    spoiled([{ kind: "damage", part: 2 }], (result) => {
      assert.equal(ids(result), "0");
      assert(result.error instanceof SyntaxError);
    }));

  it("repeats lines with the same or another text and invents an id", () =>
    spoiled(
      [
        { kind: "repeat", part: 1, altered: false },
        { kind: "repeat", part: 2, altered: true },
        { kind: "unknownId", after: 3, id: "stranger-9" },
      ],
      (result) => {
        assert.equal(ids(result), "00112ger-93456789");
        const [first, second, third, fourth] = result.lines.map((line) => JSON.stringify(line.result));
        assert.equal(first, second);
        assert.notEqual(third, fourth);
      },
    ));

  it("survives CRLF and split characters with the text intact", () =>
    spoiled([{ kind: "crlf" }, { kind: "chunks", bytes: 1 }], (result) => {
      assert.equal(ids(result), "0123456789");
      assert.match(JSON.stringify(result.lines[3]), /a\u2028b\u2029c\u0085d\\re🙂/);
    }));
});
