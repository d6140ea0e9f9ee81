import assert from "node:assert/strict";
import { lazily } from "../../../src/core/lazily.ts";

describe("What is made lazily", () => {
  it("is made when it is first asked for, and once, even where it is undefined", () => {
    let made = 0;
    const value = lazily<number | undefined>(() => {
      made += 1;
      return undefined;
    });
    assert.equal(made, 0);
    assert.deepEqual([value(), value()], [undefined, undefined]);
    assert.equal(made, 1);
  });
});
