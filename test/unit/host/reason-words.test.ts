import assert from "node:assert/strict";
import { InputError } from "../../../src/core/errors.ts";
import { HeldError } from "../../../src/host/commands/held-error.ts";
import { holdText } from "../../../src/host/hold-words.ts";
import type { Translate } from "../../../src/host/l10n.ts";
import { errorText, failureText, reasonTexts } from "../../../src/host/reason-words.ts";
import { WordedError } from "../../../src/host/worded-error.ts";
import { reasonWords } from "../../support/host/reason-words.ts";
import { fill, germanTexts } from "../../support/host/translate.ts";

describe("Why something failed", function () {
  this.timeout(60_000);
  let german: Translate;

  before(async () => {
    german = await germanTexts();
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

  it("is told in the reader's language with what git or a server said, in English by that alone", () => {
    const message = "the remote has moved (fetch first)";
    assert.equal(failureText(message, "non-fast-forward", fill), message);
    assert.equal(
      failureText(message, "non-fast-forward", german),
      `Der Branch im Remote ist weitergegangen. („${message}“)`,
    );
    assert.equal(failureText(message, undefined, german), message);
    assert.equal(failureText(message, "a-new-reason", german), message);
  });

  it("is told so of a refusal, whatever kind of error it is", () => {
    const refusal = new InputError("branch", "there is no branch x; there are none", "unknown-branch");
    assert.equal(errorText(refusal, fill), "branch: there is no branch x; there are none");
    assert.equal(errorText(refusal, german), "branch: es gibt keinen Branch x; es gibt keine");
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
