import assert from "node:assert/strict";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdsFiles, planAnswer } from "../../../../src/host/results/plan-answer.ts";
import { fill } from "../../../support/host/translate.ts";

const before = "let a;\nlet b;\nlet z;\n";
const half = "let a;\nlet c;\n";

describe("Whether an answer holds files", () => {
  const fileAt = (text: string | undefined) => (): Promise<string | undefined> => Promise.resolve(text);

  it("is told by its blocks and diffs, with no file read", async () => {
    const unread = (): never => assert.fail("a file was read");
    assert.equal(await holdsFiles({ text: "```js a.js\nx\n```" }, unread), true);
    assert.equal(await holdsFiles({ text: "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n" }, unread), true);
    assert.equal(await holdsFiles({ text: half, reason: "cut" }, unread), false);
  });

  it("is told by the file that was asked about, where it may be that anew", async () => {
    assert.equal(await holdsFiles({ text: half }, fileAt(before)), true);
    assert.equal(await holdsFiles({ text: "Nothing is wrong with it." }, fileAt(before)), false);
    assert.equal(await holdsFiles({ text: half }, fileAt(undefined)), false);
  });
});

describe("What is applied of an answer", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "batch-control-answer-")));
    await writeFile(join(folder, "a.js"), before);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const plan = async (text: string, reason?: string) => {
    const { changes, refused } = await planAnswer(
      { text, reason },
      {
        folders: [folder],
        subject: { path: join(folder, "a.js"), folder },
        read: (path) => readFile(path, "utf8").catch(() => undefined),
        t: fill,
      },
    );
    return {
      changes: changes.map(({ name, after }) => [name, after]),
      refused: refused.map((each) => `${each.name}: ${each.reason}`),
    };
  };

  it("is the whole file where the answer came to its own end", async () => {
    for (const text of [half, `\`\`\`js\n${half}\`\`\``])
      assert.deepEqual(await plan(text), { changes: [["a.js", half]], refused: [] });
  });

  const ends: readonly (readonly [string, RegExp])[] = [
    ["cut", /^what the answer did not close: the answer was cut off at its limit/],
    ["unfinished", /^what the answer did not close: the model stopped before/],
    ["refused", /^what the answer did not close: the model declined to go on/],
    ["a-later-reason", /^what the answer did not close: the model stopped before/],
  ];
  for (const [reason, said] of ends)
    it(`is never the whole file where it ended as ${reason}, and why is said`, async () => {
      const diff = "--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-let a;\n+let q;\n";
      for (const text of [
        half,
        `\`\`\`js\n${half}\`\`\``,
        `\`\`\`js a.js\n${half}`,
        `\`\`\`diff\n${diff}`,
        diff,
      ]) {
        const { changes, refused } = await plan(text, reason);
        assert.deepEqual(changes, [], text);
        assert.equal(refused.length, 1);
        assert.match(refused[0] ?? "", said);
      }
    });

  it("is a named block that was closed before the answer stopped, with what is left out said", async () => {
    const { changes, refused } = await plan("```js b.js\nlet n;\n```\n```js a.js\nlet", "unfinished");
    assert.deepEqual(changes, [["b.js", "let n;\n"]]);
    assert.equal(refused.length, 1);
  });
});
