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
        return proposal.makes === "nothing"
          ? `deletion ${proposal.path}`
          : `patch ${proposal.path} ${proposal.patch.hunks.length}`;
      case "unreadable":
        return `unreadable ${proposal.path ?? "subject"} ${proposal.reason}`;
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
    ["**App.js:**\n```\nlet b;\n```", "App.js"],
    ["```a.js\nlet b;\n```", "a.js"],
    ["```js chart.js\nlet b;\n```", "chart.js"],
    ["`__init__.py`\n```py\nlet b;\n```", "__init__.py"],
    ["**__init__.py**:\n```py\nlet b;\n```", "__init__.py"],
    ["__`src/_a.js`:__\n```\nlet b;\n```", "src/_a.js"],
    ["`src/Makefile`\n```\nlet b;\n```", "src/Makefile"],
    ['```js title="src/a b.js"\nlet b;\n```', "src/a b.js"],
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
    "**Node.js:**\n```\nx\n```",
    "### ASP.NET\n```\nx\n```",
    "**and/or**\n```\nx\n```",
    "v1.2\n```\nx\n```",
    "```node.js\nx\n```",
    "```text/html\nx\n```",
    "```python3.11\nx\n```",
  ];
  for (const answer of nothing)
    it(`is nothing in ${JSON.stringify(answer)}`, () => {
      assert.deepEqual(found(answer), []);
    });

  it("is a diff of a file that holds fences itself", () => {
    const readme = "--- a/R.md\n+++ b/R.md\n@@ -1,4 +1,4 @@\n-# A\n+# B\n ```bash\n npm i\n ```\n";
    assert.deepEqual(found(`\`\`\`diff\n${readme}\`\`\`\n`), ["patch R.md 1"]);
  });

  const inner = "```bash\nnpm i\n```";
  const bare = "```\nnpm i\n```";
  const unsure: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "a block within a block",
      `\`\`\`markdown README.md\n# T\n${inner}\nmore\n\`\`\``,
      ["unreadable README.md nested"],
    ],
    ["a block within a block of code", `\`\`\`js a.js\n/*\n${inner}\n*/\n\`\`\``, ["unreadable a.js nested"]],
    [
      "a bare block within a block of markdown",
      `\`\`\`md README.md\n# T\n${bare}\nmore\n\`\`\``,
      ["unreadable README.md nested"],
    ],
    [
      "a bare fence within a block of code",
      "```js a.js\nlet a;\n```\nlet b;\n```\nDone.",
      ["unreadable a.js nested"],
    ],
    [
      "an example of a file within a file",
      `\`\`\`md README.md\n# T\n${inner}\nUse:\n\`\`\`js src/x.js\nfoo()\n\`\`\`\nEnd\n\`\`\``,
      ["unreadable README.md nested", "unreadable src/x.js nested"],
    ],
    [
      "a file after one whose end is not certain",
      `\`\`\`js a.js\nlet a;\n\`\`\`\nlet b;\n\`\`\`\n\`\`\`js b.js\nlet b;\n\`\`\``,
      ["unreadable a.js nested", "unreadable b.js nested"],
    ],
    ["a block that is never closed", "```js src/a.js\nlet b; // no end", ["unreadable src/a.js unclosed"]],
  ];
  for (const [what, answer, names] of unsure)
    it(`is named and not taken where the answer has ${what}`, () => {
      assert.deepEqual(found(answer), names);
    });

  it("is not the file it was asked about where a block within it may end it early", () => {
    for (const answer of [`\`\`\`md\n# T\n${inner}\nmore\n\`\`\``, "```md\n# T\n```bash\nnpm i\n```"])
      assert.deepEqual(found(answer, "# T\n"), ["unreadable subject nested"]);
  });

  it("is certain where fences are longer or of another kind, and before what is not", () => {
    assert.deepEqual(found(`\`\`\`js a.js\nx\n\`\`\`\nRun:\n${bare}\n`), ['content a.js "x\\n"']);
    assert.deepEqual(found(`~~~md a.md\n${inner}\n~~~\n`), [`content a.md ${JSON.stringify(`${inner}\n`)}`]);
    assert.deepEqual(found(`\`\`\`js a.js\nx\n\`\`\`\n\`\`\`md b.md\n${inner}\n\`\`\``), [
      'content a.js "x\\n"',
      "unreadable b.md nested",
    ]);
  });

  it("is found at once, however long a line is that looks like the beginning of something", () => {
    const long = 100_000;
    for (const line of [
      `${"_".repeat(long)} x`,
      `${"_".repeat(900)} x`,
      `Name${"_".repeat(long)} Date`,
      `${"*_`".repeat(long)}:`,
      `${"~".repeat(long)}x\``,
      `\`\`\`${" ".repeat(long)}\``,
      `\`\`\`${" ".repeat(long)}x\``,
      'title="'.repeat(long),
      `file${" ".repeat(long)}`,
    ])
      assert.deepEqual(found(`\`\`\`js a.js\nx\n\`\`\`\n${line}\n\`\`\`\ny\n\`\`\``), [
        'content a.js "x\\n"',
      ]);
  });
});
