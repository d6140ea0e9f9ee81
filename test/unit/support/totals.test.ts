import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { addTotals, judge, readTotals, writeTotals } from "../../support/lanes/totals.ts";

describe("A lane's totals", () => {
  const good = { passed: 3, failed: 0, skipped: 1 };

  it("stand as they are where the lane ended well", () => {
    assert.deepEqual(judge(good, 0), good);
    assert.deepEqual(judge({ passed: 1, failed: 2, skipped: 0 }, 1), { passed: 1, failed: 2, skipped: 0 });
  });

  it("have a failure where the lane broke off, ended with an error or ran nothing", () => {
    assert.equal(judge(undefined, 0).failed, 1);
    assert.equal(judge(good, 1).failed, 1);
    assert.equal(judge({ passed: 0, failed: 0, skipped: 4 }, 0).failed, 1);
  });

  it("add up", () => {
    assert.deepEqual(addTotals([good, { passed: 2, failed: 1, skipped: 0 }]), {
      passed: 5,
      failed: 1,
      skipped: 1,
    });
  });

  it("are read as they were written, and missing where nobody wrote them", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "batch-control-totals-"));
    try {
      await writeTotals(path.join(folder, "unit.json"), good);
      assert.deepEqual(await readTotals(path.join(folder, "unit.json")), good);
      assert.equal(await readTotals(path.join(folder, "host.json")), undefined);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
