import assert from "node:assert/strict";
import { settingDefaults, settingOr } from "../../../src/host/setting-table.ts";

describe("A setting that was edited by hand", () => {
  it("counts where it is of its type, and not less than it takes", () => {
    assert.equal(settingOr("git.maxBatchSize", 0), 0);
    assert.equal(settingOr("history.keepDays", 1), 1);
    assert.equal(settingOr("llm.maxCostPerDay", 0.5), 0.5);
    assert.deepEqual(settingOr("git.protectedBranches", ["main"]), ["main"]);
    assert.equal(settingOr("git.autoFlush", false), false);
  });

  it("counts as absent where it is not", () => {
    const wrong = [
      ["git.maxBatchSize", -1],
      ["git.maxBatchSize", "10"],
      ["git.commitTimeout", 0],
      ["history.keepDays", -3],
      ["llm.pollInterval", Number.NaN],
      ["llm.maxCostPerFlush", -0.1],
      ["git.protectedBranches", ["main", 1]],
      ["git.protectedBranches", "main"],
      ["llm.prices", null],
      ["llm.prices", []],
      ["statusBar.show", "no"],
      ["llm.defaultModel", undefined],
    ] as const;
    for (const [name, value] of wrong)
      assert.deepEqual(settingOr(name, value), settingDefaults[name], `${name}: ${String(value)}`);
  });
});
