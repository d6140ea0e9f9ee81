import assert from "node:assert/strict";
import { numbersIn } from "../../../src/host/numbers.ts";
import { badgeOf } from "../../../src/host/tree/badge.ts";
import { batch, snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

describe("The badge", () => {
  const badge = (of: Parameters<typeof badgeOf>[0]) => badgeOf(of, fill, numbersIn("de"));

  it("counts what waits on both sides, and says so as the language writes numbers", () => {
    const of = snapshot({
      git: { queuedCount: 1200, pending: [batch("p", { status: "pending", operationCount: 30 })] },
      llm: { queuedCount: 4 },
    });
    assert.deepEqual(badge(of), { value: 1234, tooltip: "Waiting: 1.234" });
  });

  it("is not there where nothing waits, whatever runs or is over", () => {
    const of = snapshot({
      git: { executing: [batch("e", { status: "executing" })], executed: [batch("d", { status: "failed" })] },
    });
    assert.equal(badge(of), undefined);
  });
});
