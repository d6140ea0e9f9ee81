import assert from "node:assert/strict";
import { Intake } from "../../../src/core/intake.ts";
import type { NewOperation } from "../../../src/core/operation.ts";

const operation = (id: string): NewOperation => ({
  ...{ id, kind: "commit", group: "g", lane: "g", label: id, source: "tool" },
  ...{ enqueuedAt: 0, payload: "{}", fingerprint: id },
});

describe("The intake", () => {
  /** What happened, in order: `+` begins to prepare, `-` is prepared, `!` is written together. */
  function watched(serial: boolean) {
    const log: string[] = [];
    const intake = new Intake((operations) => {
      log.push(`!${operations.map(({ id }) => id).join("")}`);
      return Promise.resolve(operations.map(({ id }) => ({ kind: "inserted", id }) as const));
    }, serial);
    const prepare = (id: string, fails: boolean) => async (): Promise<NewOperation> => {
      log.push(`+${id}`);
      await new Promise(setImmediate);
      log.push(`-${id}`);
      if (fails) throw new Error(`${id} is refused`);
      return operation(id);
    };
    const add = (id: string, beside: boolean, fails = false): Promise<unknown> =>
      intake.add(prepare(id, fails), beside).catch((error: unknown) => (error as Error).message);
    return { log, add };
  }

  it("prepares one after the other where it is serial, save neighbours that may go together", async () => {
    const { log, add } = watched(true);
    await Promise.all([add("a", true), add("b", true), add("c", false), add("d", true), add("e", false)]);
    assert.deepEqual(log, [
      ...["+a", "+b", "-a", "-b", "!ab"],
      ...["+c", "-c", "!c"],
      ...["+d", "-d", "!d"],
      ...["+e", "-e", "!e"],
    ]);
  });

  it("prepares all at once where it is not serial, and writes in the order of the calls", async () => {
    const { log, add } = watched(false);
    await Promise.all([add("a", false), add("b", false)]);
    assert.deepEqual(log, ["+a", "+b", "-a", "-b", "!ab"]);
  });

  it("writes the others where one of a group is refused", async () => {
    const { log, add } = watched(true);
    const answers = await Promise.all([add("a", true), add("b", true, true), add("c", true)]);
    assert.equal(log.at(-1), "!ac");
    assert.equal(answers[1], "b is refused");
  });
});
