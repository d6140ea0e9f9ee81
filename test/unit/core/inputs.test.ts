import assert from "node:assert/strict";
import { llmRequestInput, parseInput, pushInput } from "../../../src/core/schema/inputs.ts";

describe("inputs", () => {
  const llm = { type: "judge", model: "claude-haiku-4-5", prompt: "x" };

  it("refuse a beta that could not travel in a header, naming it", () => {
    for (const beta of ["a\r\nx-evil: 1", "na\u00efve-\u2713", "two words", "a,b"]) {
      assert.throws(
        () => parseInput(llmRequestInput, { ...llm, betas: ["output-300k-2026-03-24", beta] }),
        /betas\.1: /,
      );
    }
    assert.equal(parseInput(llmRequestInput, { ...llm, betas: ["output-300k-2026-03-24"] }).type, "judge");
  });

  it("refuse keys of a record that would get lost, naming the field, and keep the rest as it is", () => {
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const value: unknown = JSON.parse(`{"fine":1,"${key}":{"x":1}}`);
      for (const field of ["params", "metadata"])
        assert.throws(
          () => parseInput(llmRequestInput, { ...llm, [field]: value }),
          new RegExp(`${field}: may not have a key named ${key}`),
        );
    }
    const metadata: unknown = JSON.parse('{"fine":{"__proto__":1,"constructor":2}}');
    const kept = parseInput(llmRequestInput, { ...llm, metadata, params: { toString: 1 } });
    assert.equal(JSON.stringify(kept.metadata), '{"fine":{"__proto__":1,"constructor":2}}');
    assert.deepEqual(kept.params, { toString: 1 });
    for (const wrong of [null, "x", 3])
      assert.throws(
        () => parseInput(llmRequestInput, { ...llm, metadata: wrong }),
        /metadata: must be an object/,
      );
  });

  it("refuse control characters in names", () => {
    assert.throws(() => parseInput(llmRequestInput, { ...llm, type: "a\nb" }), /type: /);
    assert.throws(() => parseInput(llmRequestInput, { ...llm, model: "claude-haiku-4-5\n" }), /model: /);
    assert.throws(() => parseInput(pushInput, { worktree: "/w", remote: "origin\u0000" }), /remote: /);
  });

  it("refuse a model of two words, which no provider has", () => {
    assert.throws(
      () => parseInput(llmRequestInput, { ...llm, model: "no such model" }),
      /model: must be a model id, which is one word/,
    );
  });

  it("name a field that is missing, unknown or doubled", () => {
    assert.throws(() => parseInput(llmRequestInput, { type: "judge", prompt: "x" }), /model: is missing/);
    assert.throws(
      () => parseInput(llmRequestInput, { ...llm, colour: "red" }),
      /colour: is not a known field/,
    );
    assert.throws(
      () => parseInput(llmRequestInput, { ...llm, messages: [{}] }),
      /messages: give prompt or messages/,
    );
    assert.throws(() => parseInput(llmRequestInput, undefined), /argument: is missing/);
  });
});
