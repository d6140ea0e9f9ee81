import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  addTotals,
  filesToRepeat,
  judge,
  judgeFiles,
  readTotals,
  withSecond,
  writeTotals,
} from "../../support/lanes/totals.ts";
import type { RunTotals } from "../../support/lanes/totals.ts";

describe("A lane's totals", () => {
  const good = { passed: 3, failed: 0, skipped: 1, files: { "/a": { passed: 3, failed: 0, skipped: 1 } } };

  it("stand as they are where the lane ended well", () => {
    assert.deepEqual(judge(good, 0), good);
    const bad = { passed: 1, failed: 2, skipped: 0, files: {} };
    assert.deepEqual(judge(bad, 1), bad);
  });

  it("have a failure where the lane broke off, ended with an error or ran nothing", () => {
    assert.equal(judge(undefined, 0).failed, 1);
    assert.equal(judge(good, 1).failed, 1);
    assert.equal(judge({ passed: 0, failed: 0, skipped: 4, files: {} }, 0).failed, 1);
  });

  it("add up", () => {
    assert.deepEqual(addTotals([good, { passed: 2, failed: 1, skipped: 0 }]), {
      passed: 5,
      failed: 1,
      skipped: 1,
    });
  });

  const unsteady = {
    passed: 4,
    failed: 2,
    skipped: 1,
    files: { ...good.files, "/b": { passed: 1, failed: 2, skipped: 0 } },
  };

  it("name the few files that failed, to be run once more, and none where that is no chance", () => {
    assert.deepEqual(filesToRepeat(unsteady, 1), ["/b"]);
    assert.deepEqual(filesToRepeat(unsteady, 0), []);
    assert.deepEqual(filesToRepeat(good, 1), []);
    assert.deepEqual(filesToRepeat({ ...unsteady, failed: 3 }, 1), [], "a failure of no file");
    assert.deepEqual(filesToRepeat(judge(undefined, 1), 1), []);
  });

  it("count a repeated file as its second run says", () => {
    const second = (failed: number): RunTotals => {
      const totals = { passed: 3 - failed, failed, skipped: 0 };
      return { ...totals, files: { "/b": totals } };
    };
    assert.deepEqual(
      { ...withSecond(unsteady, second(0)), files: {} },
      { passed: 6, failed: 0, skipped: 1, files: {} },
    );
    assert.equal(withSecond(unsteady, second(1)).failed, 1);
    assert.equal(withSecond(unsteady, judge(undefined, 1)).failed, 2, "a second run that broke off");
    assert.equal(withSecond(unsteady, judge(second(0), 1)).failed, 2, "one that ended with an error");
  });

  it("of several files are their sum, in which one that broke off or ended with an error has failed", () => {
    const other = { passed: 2, failed: 0, skipped: 0, files: { "/b": { passed: 2, failed: 0, skipped: 0 } } };
    const none = { passed: 0, failed: 0, skipped: 0, files: {} };
    const ran = (totals: RunTotals | undefined, exitCode = 0) => ({ totals, exitCode });
    const sum = { passed: 5, failed: 0, skipped: 1, files: { ...good.files, ...other.files } };
    assert.deepEqual(judgeFiles([ran(good), ran(other), ran(none)]), sum);
    assert.deepEqual(judgeFiles([ran(good), ran(undefined), ran(other, 1)]), { ...sum, failed: 2 });
    assert.equal(judgeFiles([ran(unsteady, 1)]).failed, 2);
    assert.equal(judgeFiles([ran(none), ran(none)]).failed, 1, "no test ran");
    assert.equal(judgeFiles([]).failed, 1);
    assert.deepEqual(filesToRepeat(judgeFiles([ran(good), ran(unsteady, 1)]), 1), ["/b"]);
    assert.deepEqual(filesToRepeat(judgeFiles([ran(good), ran(undefined, 1)]), 1), []);
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
