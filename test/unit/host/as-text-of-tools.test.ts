import assert from "node:assert/strict";
import { asText } from "../../../src/host/tools/as-text.ts";

describe("What a model is answered", () => {
  const texts = (length: number) => ({ ids: ["1", "2"], answers: ["a".repeat(length), "short"] });

  it("is the whole, as JSON, where there is room", () => {
    assert.deepEqual(JSON.parse(asText(texts(10))), texts(10));
  });

  it("has its long texts cut where there is none, says so, and is still JSON", () => {
    const text = asText(texts(100_000), 5_000);
    assert.ok(text.length <= 5_000, String(text.length));
    const { ids, answers } = JSON.parse(text) as ReturnType<typeof texts>;
    assert.deepEqual(ids, ["1", "2"]);
    assert.match(answers[0]!, /^a{1000,}… \(cut; 100000 characters in all\)$/);
    assert.equal(answers[1], "short");
    assert.ok(asText(texts(1_000_000)).length <= 60_000);
  });

  it("never breaks a character in two", () => {
    const { answers } = JSON.parse(asText({ answers: ["x" + "😀".repeat(5_000)] }, 2_000)) as {
      answers: string[];
    };
    assert.equal(answers[0]!.isWellFormed(), true);
  });

  it("has its long lists cut, too, and is JSON whatever the room", () => {
    const many = { total: 500, list: Array.from({ length: 500 }, (_, n) => ({ n, text: "b".repeat(300) })) };
    const { total, list } = JSON.parse(asText(many, 3_000)) as { total: number; list: unknown[] };
    assert.equal(total, 500);
    assert.deepEqual(list[0], { n: 0, text: (list[0] as { text: string }).text });
    assert.match(list.at(-1) as string, /^… \(cut; 500 entries in all\)$/);
    assert.ok(asText(many, 3_000).length <= 3_000);
    assert.ok(JSON.parse(asText(many, 1)));
  });
});
