import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { HeldError } from "../../../src/host/commands/held-error.ts";
import { holdText } from "../../../src/host/hold-words.ts";
import type { Translate } from "../../../src/host/l10n.ts";
import { errorText, failureText, reasonTexts } from "../../../src/host/reason-words.ts";
import { WordedError } from "../../../src/host/worded-error.ts";
import { reasonWords } from "../../support/host/reason-words.ts";
import { fill } from "../../support/host/translate.ts";

describe("Why something failed", function () {
  this.timeout(60_000);
  let german: Translate;

  before(async () => {
    const file = path.resolve(import.meta.dirname, "../../../l10n/bundle.l10n.de.json");
    const texts = JSON.parse(await readFile(file, "utf8")) as Record<string, string>;
    german = (message, ...args) => fill(texts[message] ?? message, ...args);
  });

  it("has words in English and in German for every reason that the code gives", async () => {
    const words = await reasonWords();
    assert.ok(words.size > 100, "the reasons of the code were found");
    for (const [name, t] of [["English", fill] as const, ["German", german] as const]) {
      const texts = reasonTexts(t);
      assert.deepEqual(
        [...words].filter(([word]) => !texts[word]),
        [],
        name,
      );
    }
    const english = reasonTexts(fill);
    const same = Object.entries(reasonTexts(german)).filter(([word, text]) => text === english[word]);
    assert.deepEqual(same, [], "not translated");
  });

  it("is told in the reader's language with the message for the particulars, in English by the message alone", () => {
    const message = "the remote has moved (fetch first)";
    assert.equal(failureText(message, "non-fast-forward", fill), message);
    assert.equal(
      failureText(message, "non-fast-forward", german),
      `Der Branch im Remote ist weitergegangen. (${message})`,
    );
    assert.equal(failureText(message, undefined, german), message);
    assert.equal(failureText(message, "a-new-reason", german), message);
  });

  it("is told so of a refusal, whatever kind of error it is", () => {
    const refusal = new InputError("branch", "there is no branch x", "unknown-branch");
    assert.equal(errorText(refusal, fill), "branch: there is no branch x");
    assert.equal(
      errorText(refusal, german),
      "Einen solchen Branch gibt es nicht. (branch: there is no branch x)",
    );
    assert.match(
      errorText(new InputError("model", "is longer than it may be"), german),
      /^Eine Angabe wird so nicht/,
    );
    assert.equal(errorText(new Error("Plain."), german), "Plain.");
  });

  it("is told once where the refusal is in the reader's language already", () => {
    const message = german("This workspace is not trusted.");
    assert.equal(errorText(new WordedError("untrusted", message), german), message);
    const held = new HeldError({ kind: "llm", reason: "no-key" }, message);
    assert.equal(errorText(held, german), message);
  });

  it("is told so of a hold", () => {
    assert.match(
      holdText({ kind: "llm", reason: "daily-cost-limit" }, german),
      /die Kostengrenze des Tages überschreiten/,
    );
    assert.match(
      holdText({ kind: "llm", reason: "cost-unknown" }, fill),
      /^The price of a batch is not known/,
    );
  });
});
