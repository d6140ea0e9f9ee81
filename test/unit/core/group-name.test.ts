import assert from "node:assert/strict";
import { requestGroupName } from "../../../src/core/group-name.ts";

describe("The name of an LLM group", () => {
  it("is what its requests do and by which model, as they were typed, then what is unusual", () => {
    for (const [group, name] of [
      ["llm:anthropic/judge/claude-haiku-4-5", "judge · claude-haiku-4-5"],
      ["llm:openai/code%20review/org%2Fmodel%3A1", "code review · org/model:1"],
      ["llm:anthropic/judge/m?endpoint=%2Fv1%2Fx&urgency=soon", "judge · m · /v1/x · soon"],
      ["llm:anthropic/100%/m", "100% · m"],
      ["llm:other", "other"],
    ] as const)
      assert.equal(requestGroupName(group), name);
  });
});
