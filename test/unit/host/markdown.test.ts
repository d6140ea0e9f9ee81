import assert from "node:assert/strict";
import { codeSpan, escapeMarkdown } from "../../../src/host/markdown.ts";

describe("Text from outside in Markdown", () => {
  it("stays as it is where it has no meaning", () => {
    const text = "fix(basket): 3 + 4 - 1, a_b.c/d-e | see #7 (merge)! {x} & y";
    assert.equal(escapeMarkdown(text), text);
  });

  it("has no markup, link or icon of its own", () => {
    const cases = {
      "*a* _b_ `c` ~d~ <b>": "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\<b\\>",
      "[a](command:b) $(error) &lt;": "\\[a\\](command:b) \\$(error) \\&lt;",
      "# a #": "\\# a \\#",
      "- a": "\\- a",
      "12. a": "12\\. a",
      "a\n\n    b": "a b",
      "https://a.b www.c.d e@f.g": "https\\://a.b www\\.c.d e\\@f.g",
    };
    for (const [text, escaped] of Object.entries(cases)) assert.equal(escapeMarkdown(text), escaped);
  });

  it("shows what would turn names round", () => {
    assert.equal(codeSpan("a\u202egnp.js"), "`a<U+202E>gnp.js`");
    assert.equal(escapeMarkdown("a\u2066b\u061c"), "a\\<U+2066\\>b\\<U+061C\\>");
    assert.equal(codeSpan("שלום"), "`שלום`");
  });

  it("is code within marks that it does not hold", () => {
    assert.equal(codeSpan("/tmp/a_b (c)"), "`/tmp/a_b (c)`");
    assert.equal(codeSpan("a`` b`"), "``` a`` b` ```");
    assert.equal(codeSpan("a\nb"), "`a b`");
  });
});
