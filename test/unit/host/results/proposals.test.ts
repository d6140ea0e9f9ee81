import assert from "node:assert/strict";
import { proposalsOf } from "../../../../src/host/results/proposals.ts";

/** As `content <path> <text>`, one for each proposal. */
const found = (answer: string, original?: string): string[] =>
  proposalsOf(answer, original).map((proposal) => {
    switch (proposal.kind) {
      case "content":
        return `content ${proposal.path} ${JSON.stringify(proposal.text)}`;
      case "subject":
        return `subject ${JSON.stringify(proposal.text)}`;
      case "patch":
        return `patch ${proposal.path} ${proposal.patch.hunks.length}`;
      case "deletion":
        return `deletion ${proposal.path}`;
      case "unreadable":
        return `unreadable ${proposal.path} ${proposal.reason}`;
    }
  });

const diff = "--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-let a;\n+let b;\n";

describe("What an answer would change", () => {
  const blocks: readonly (readonly [string, string])[] = [
    ["```js src/a.js\nlet b;\n```", "src/a.js"],
    ['```js title="src/a.js"\nlet b;\n```', "src/a.js"],
    ["```js {file=src/a.js}\nlet b;\n```", "src/a.js"],
    ["```js:src/a.js\nlet b;\n```", "src/a.js"],
    ["```src/a.js\nlet b;\n```", "src/a.js"],
    ["~~~js src/a.js\nlet b;\n~~~", "src/a.js"],
    ["Here it is.\n\n**src/a.js**\n\n```js\nlet b;\n```\nDone.", "src/a.js"],
    ["### `src/a.js`:\n```js\nlet b;\n```", "src/a.js"],
    ["File: src/a.js\n```js\nlet b;\n```", "src/a.js"],
    ["1. `Makefile.am`\n```\nlet b;\n```", "Makefile.am"],
    ["`run.sh`\n```bash\nlet b;\n```", "run.sh"],
    ["````md docs/a.md\nlet b;\n````", "docs/a.md"],
  ];
  for (const [answer, path] of blocks)
    it(`is a named block in ${JSON.stringify(answer)}`, () => {
      assert.deepEqual(found(answer), [`content ${path} "let b;\\n"`]);
    });

  it("keeps shorter fences within a block, and an empty file", () => {
    assert.deepEqual(found("````md a.md\n```js\nx\n```\n````"), ['content a.md "```js\\nx\\n```\\n"']);
    assert.deepEqual(found("```js src/a.js\n```"), ['content src/a.js ""']);
  });

  it("is every block and every diff, in order", () => {
    const answer = `\`\`\`js src/b.js\nlet b;\n\`\`\`\nand\n\`\`\`diff\n${diff}\`\`\`\n`;
    assert.deepEqual(found(answer), ['content src/b.js "let b;\\n"', "patch src/a.js 1"]);
  });

  it("is a bare diff, also behind a sentence", () => {
    assert.deepEqual(found(diff), ["patch src/a.js 1"]);
    assert.deepEqual(found(`This mends it:\n\ndiff --git a/src/a.js b/src/a.js\n${diff}`), [
      "patch src/a.js 1",
    ]);
  });

  it("is a new file, a deleted one, and nothing of a renamed or broken one", () => {
    const made = "--- /dev/null\n+++ b/new.js\n@@ -0,0 +1 @@\n+let n;\n";
    const gone = "--- a/old.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-let o;\n";
    const renamed = "diff --git a/x.js b/y.js\nsimilarity index 100%\nrename from x.js\nrename to y.js\n";
    assert.deepEqual(found(made + gone), ["patch new.js 1", "deletion old.js"]);
    assert.deepEqual(found(`\`\`\`diff\n${renamed}\`\`\``), ["unreadable y.js rename"]);
    assert.deepEqual(found("```diff\n--- a/x.js\n+++ b/x.js\n@@ -1,5 +1,9 @@\n-a\n+b\n```"), [
      "unreadable x.js bad-diff",
    ]);
  });

  it("is the file it was asked about where one block is the whole answer", () => {
    assert.deepEqual(found("```js\nlet c;\n```\n", "let a;\n"), ['subject "let c;\\n"']);
    assert.deepEqual(found("```js\nlet c;\n```\n"), []);
    assert.deepEqual(found("I would write:\n```js\nlet c;\n```\n", "let a;\n"), []);
  });

  it("is that file where a plain answer has half of its lines", () => {
    assert.deepEqual(found("one\ntwo\nnew", "one\ntwo\nold\n"), ['subject "one\\ntwo\\nnew\\n"']);
    assert.deepEqual(found("The second line is wrong.\ntwo\nIt should be three.", "one\ntwo\nold\n"), []);
  });

  const nothing = [
    "Yes.",
    "",
    "Use `src/a.js` for it.",
    "Run this on package.json:\n```bash\nnpm test package.json\n```",
    "`package.json`\n```bash\nnpm install\n```",
    "See https://example.com/a.js\n```js\nx\n```",
    "Version\n\n1.2.3\n```\nx\n```",
    "```js src/a.js\nlet b; // cut off by the limit",
  ];
  for (const answer of nothing)
    it(`is nothing in ${JSON.stringify(answer)}`, () => {
      assert.deepEqual(found(answer), []);
    });
});
