import assert from "node:assert/strict";
import { answerFor } from "../../support/simulator/schema-answer.ts";

describe("simulator: answers by a JSON schema", () => {
  it("fills objects, arrays, enums, constants, unions and references", () => {
    const schema = {
      type: "object",
      properties: {
        text: { type: ["string", "null"] },
        kind: { enum: ["a", "b"] },
        fixed: { const: 7 },
        list: { type: "array", items: { $ref: "#/$defs/entry" }, minItems: 2 },
        either: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        both: { allOf: [{ type: "object" }, { properties: { n: { type: "number", minimum: 0.5 } } }] },
      },
      $defs: { entry: { properties: { id: { type: "integer", minimum: 1 } } } },
    };
    assert.deepEqual(answerFor(schema, "hello"), {
      text: "hello",
      kind: "a",
      fixed: 7,
      list: [{ id: 1 }, { id: 1 }],
      either: true,
      both: { n: 0.5 },
    });
  });

  it("comes to an end with a schema that holds itself", () => {
    const schema = { type: "object", properties: { next: { $ref: "#" } } };
    assert.match(JSON.stringify(answerFor(schema, "x")), /^\{"next":\{"next":.*null/);
  });
});
