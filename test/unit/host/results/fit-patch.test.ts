import assert from "node:assert/strict";
import { parsePatch } from "diff";
import { fitPatch } from "../../../../src/host/results/fit-patch.ts";

const OPEN = "\\ No newline at end of file";
const fit = (text: string, range: string, ...lines: readonly string[]): string | undefined =>
  fitPatch(text, parsePatch(["--- a/x", "+++ b/x", `@@ ${range} @@`, ...lines, ""].join("\n"))[0]!);

describe("A diff that speaks of the end of a file", () => {
  it("takes the last line end away, or puts one there", () => {
    assert.equal(fit("a\nb\n", "-1,2 +1,2", " a", "-b", "+c", OPEN), "a\nc");
    assert.equal(fit("a\nb", "-1,2 +1,2", " a", "-b", OPEN, "+c"), "a\nc\n");
    assert.equal(fit("a\nb", "-1,2 +1,2", " a", "-b", OPEN, "+c", OPEN), "a\nc");
    assert.equal(fit("a\nb", "-1,2 +1,2", "-a", "+c", " b", OPEN), "c\nb");
    assert.equal(fit("", "-0,0 +1", "+a", OPEN), "a");
    assert.equal(fit("a", "-1 +0,0", "-a", OPEN), "");
  });

  it("does not fit anywhere else in it, whatever the last line is", () => {
    assert.equal(fit("all\nprecious\n", "-1 +1", "-all", "+A", OPEN), undefined);
    assert.equal(fit("all\nA\n", "-1 +1", "-all", "+A", OPEN), undefined);
    assert.equal(fit("all\nprecious", "-1 +1", "-all", OPEN, "+A", OPEN), undefined);
  });

  it("does not fit a file that ends otherwise", () => {
    assert.equal(fit("a", "-1 +1", "-a", "+b", OPEN), undefined);
    assert.equal(fit("a\n", "-1 +1", "-a", OPEN, "+b"), undefined);
  });

  it("keeps the line ends of the file, and those of each line where they differ", () => {
    assert.equal(fit("a\r\nb\r\n", "-1,2 +1,2", " a", "-b", "+c"), "a\r\nc\r\n");
    assert.equal(fit("a\r\nb\r\n", "-1,2 +1,2", " a", "-b", "+c", OPEN), "a\r\nc");
    assert.equal(fit("a\nb\n", "-1,2 +1,2", " a\r", "-b\r", "+c\r"), "a\nc\n");
    assert.equal(fit("a\r\nb\n", "-1,2 +1,2", " a\r", "-b", "+c"), "a\r\nc\n");
    assert.equal(fit("a\r\nb\n", "-1,2 +1,2", " a", "-b", "+c"), undefined);
  });

  it("needs no word about the end where it is elsewhere", () => {
    assert.equal(fit("a\nb", "-1 +1", "-a", "+c"), "c\nb");
  });
});
