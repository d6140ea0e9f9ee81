import assert from "node:assert/strict";
import { positiveSettings, settingDefaults } from "../../src/host/setting-table.ts";
import { ManifestReader } from "../support/host/manifest.ts";

/** Scope and default of every setting, as agreed with those who rely on them. */
const agreedSettings: Readonly<Record<string, readonly [scope: string, value: unknown]>> = {
  "git.maxBatchSize": ["resource", 10],
  "git.maxBatchAge": ["resource", 5],
  "git.autoFlush": ["resource", true],
  "git.atomicPush": ["resource", false],
  "git.maxRefsPerPush": ["resource", 0],
  "git.protectedBranches": ["resource", []],
  "git.verifyCommand": ["resource", ""],
  "git.verifyPrepare": ["resource", ""],
  "git.verifyTimeout": ["resource", 1800],
  "git.commitTimeout": ["resource", 120],
  "git.pushTimeout": ["resource", 300],
  "llm.maxBatchSize": ["window", 10],
  "llm.maxBatchAge": ["window", 2],
  "llm.autoFlush": ["window", true],
  "llm.provider": ["window", "anthropic"],
  "llm.defaultModel": ["window", settingDefaults["llm.defaultModel"]],
  "llm.anthropic.baseUrl": ["machine", ""],
  "llm.openai.baseUrl": ["machine", ""],
  "llm.pollInterval": ["window", 60],
  "llm.unknownOutcomeWait": ["machine", 900],
  "llm.maxCostPerFlush": ["machine", 0],
  "llm.maxCostPerDay": ["machine", 0],
  "llm.prices": ["machine", {}],
  "llm.packing": ["window", false],
  "statusBar.show": ["window", true],
  "history.keepDays": ["window", 30],
  "notifications.batchFinished": ["window", "whenLong"],
  "notifications.operationsFailed": ["window", true],
};

describe("The settings of the manifest", () => {
  let reader: ManifestReader;

  before(async () => {
    reader = await ManifestReader.read();
  });

  it("has the agreed settings with their scopes and defaults", () => {
    const found = Object.fromEntries(
      reader
        .settings()
        .map(([name, setting]) => [name.replace(/^batchControl\./, ""), [setting.scope, setting.default]]),
    );
    assert.deepEqual(found, agreedSettings);
  });

  it("has the same defaults as the code that reads them", () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(agreedSettings).map(([name, [, value]]) => [name, value])),
      settingDefaults,
    );
  });

  it("describes, orders and bounds every setting", () => {
    for (const { title, properties } of reader.manifest.contributes.configuration) {
      assert.ok(reader.text(title));
      const orders = Object.values(properties).map(({ order }) => order);
      assert.equal(new Set(orders).size, orders.length);
      for (const [name, setting] of Object.entries(properties)) {
        assert.ok(reader.text(setting.markdownDescription).length > 20, name);
        if (setting.type === "integer" || setting.type === "number") {
          const { minimum = NaN, maximum = NaN, default: value } = setting;
          assert.ok(minimum <= Number(value) && Number(value) <= maximum, name);
        }
        if (setting.enum) {
          assert.ok(setting.enum.includes(String(setting.default)), name);
          assert.equal(setting.enumDescriptions?.length, setting.enum.length, name);
        }
      }
    }
  });

  it("needs more than nothing exactly where the code does", () => {
    const positive = reader.settings().filter(([, { minimum = 0 }]) => minimum > 0);
    assert.deepEqual(
      positive.map(([name]) => name.replace(/^batchControl\./, "")).sort(),
      [...positiveSettings].sort(),
    );
  });

  it("says what is wrong with a text that no setting takes, and takes its own defaults", () => {
    const taken: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
      "git.protectedBranches": [
        ["main", "release/*"],
        ["", "two words", "a:b"],
      ],
      "llm.defaultModel": [
        ["claude-haiku-4-5", "ft:gpt-6:me"],
        ["", "two words", '"quoted"'],
      ],
      "llm.anthropic.baseUrl": [
        ["", "https://gateway.example/v1", "http://127.0.0.1:8080"],
        ["gateway", "ftp://x"],
      ],
      "llm.openai.baseUrl": [["", "https://x"], ["https://a b"]],
    };
    const found = reader.settings().flatMap(([name, setting]) => {
      const { pattern, patternErrorMessage } = setting.items ?? setting;
      if (pattern === undefined) return [];
      const [good, bad] = taken[name.replace(/^batchControl\./, "")] ?? [[], []];
      assert.ok(reader.text(patternErrorMessage ?? "").length > 20, name);
      const values = [...good, ...(typeof setting.default === "string" ? [setting.default] : [])];
      for (const value of values) assert.match(value, new RegExp(pattern, "u"), name);
      for (const value of bad) assert.doesNotMatch(value, new RegExp(pattern, "u"), name);
      return [name.replace(/^batchControl\./, "")];
    });
    assert.deepEqual(found.sort(), Object.keys(taken).sort());
  });

  it("sends no telemetry, and so needs no setting for it", () => {
    assert.doesNotMatch(reader.source, /createTelemetryLogger|telemetry-reporter/i);
    for (const [name] of reader.settings()) assert.doesNotMatch(name, /telemetry/i);
  });

  it("has no setting that would hold a secret", () => {
    for (const [name] of reader.settings()) assert.doesNotMatch(name, /key|secret|token|password/i);
  });
});
