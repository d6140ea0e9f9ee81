import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { HoldNotices } from "../../../src/host/hold-notices.ts";
import { remediesOf } from "../../../src/host/commands/funnel.ts";
import { holdReasons } from "../../../src/host/hold-reasons.ts";
import { holdText } from "../../../src/host/hold-words.ts";
import type { Translate } from "../../../src/host/l10n.ts";
import { accountReasons, limitReasons } from "../../../src/llm/index.ts";
import { snapshot } from "../../support/host/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const noKey = { kind: "llm" as const, reason: "no-key" };
const executing = [{ lane: "llm:anthropic", held: true }];

function notices() {
  const told: (readonly [string, readonly string[]])[] = [];
  const tell = (message: string, remedies: readonly string[]) => void told.push([message, remedies]);
  return { told, notices: new HoldNotices({ t: fill, tell }, snapshot()) };
}

describe("A hold", () => {
  it("is told in words, with its end where that is known", () => {
    assert.match(holdText(noKey, fill), /No API key is set/);
    assert.equal(
      holdText({ kind: "llm", reason: "spend-limit", until: "next month" }, fill),
      "The provider account has reached its spend limit. Until next month.",
    );
    assert.equal(holdText({ kind: "llm", reason: "something new" }, fill), "something new");
  });

  it("ends at a local date and time, as the language of its words has them", async () => {
    const german = JSON.parse(await readFile("l10n/bundle.l10n.de.json", "utf8")) as Record<string, string>;
    const hold = { kind: "llm" as const, reason: "daily-cost-limit", until: "2026-11-30T00:00:00.000Z" };
    const zone = process.env["TZ"];
    process.env["TZ"] = "Europe/Berlin";
    try {
      assert.match(holdText(hold, fill), / Until Nov 30, 2026, 1:00\sAM\.$/);
      const inGerman: Translate = (message, ...args) => fill(german[message] ?? message, ...args);
      assert.match(holdText(hold, inGerman), /30\.11\.2026, 01:00/);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  it("has words for every reason, in German as well, each with what to do about a limit", async () => {
    const words: Readonly<Record<string, string>> = holdReasons(fill);
    const german = JSON.parse(await readFile("l10n/bundle.l10n.de.json", "utf8")) as Record<string, string>;
    for (const reason of [...accountReasons, ...limitReasons, "untrusted"]) {
      const text = words[reason] ?? "";
      assert.ok(text.length > 20, reason);
      assert.ok((german[text] ?? "").length > 20, reason);
      assert.equal(holdText({ kind: "llm", reason }, fill), text);
    }
    for (const reason of limitReasons) {
      assert.match(words[reason] ?? "", /batchControl\.llm\.maxCostPer(?:Flush|Day).*Flush by hand/);
      assert.deepEqual(remediesOf({ kind: "llm", reason }), ["flush"]);
    }
  });

  it("asks for a key once, when it begins, and again when it begins again", () => {
    const { told, notices: of } = notices();
    of.update({ holds: [noKey] }, executing);
    of.update({ holds: [noKey] }, executing);
    assert.deepEqual(
      told.map(([, remedies]) => remedies),
      [["setApiKey"]],
    );
    of.update({ holds: [] }, executing);
    of.update({ holds: [noKey] }, executing);
    assert.equal(told.length, 2);
  });

  it("is told together with others that begin with it", () => {
    const { told, notices: of } = notices();
    const credit = { kind: "llm" as const, reason: "credit", lane: "llm:anthropic" };
    of.update({ holds: [noKey, credit] }, executing);
    assert.deepEqual(told, [
      [
        "No API key is set. Set one, and the requests can be sent. Anthropic: The provider account has no credit left.",
        ["setApiKey", "resume", "showLog"],
      ],
    ]);
  });

  it("is told in no window but the one that executes", () => {
    const { told, notices: of } = notices();
    of.update({ holds: [noKey] }, [{ lane: "llm:anthropic", held: false }]);
    assert.deepEqual(told, []);
  });
});
