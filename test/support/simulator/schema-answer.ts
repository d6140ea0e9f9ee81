import { isObject } from "./http.ts";
import type { JsonObject } from "./http.ts";

/**
 * A value that satisfies a JSON schema of the kind both vendors take for structured output: objects, arrays,
 * enums, constants, unions, references and the simple types. Strings carry `text`, so that a test can tell
 * which prompt an answer belongs to.
 */
export function answerFor(schema: unknown, text: string, root: unknown = schema, depth = 0): unknown {
  if (!isObject(schema) || depth > 32) return null;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return (schema["enum"] as unknown[])[0];
  if (typeof schema["$ref"] === "string") {
    return answerFor(resolve(root, schema["$ref"]), text, root, depth + 1);
  }
  for (const union of ["anyOf", "oneOf", "allOf"]) {
    const choices = schema[union];
    if (!Array.isArray(choices)) continue;
    const choice: unknown = union === "allOf" ? Object.assign({}, ...choices.filter(isObject)) : choices[0];
    return answerFor(choice, text, root, depth + 1);
  }
  return ofType(schema, text, root, depth);
}

function ofType(schema: JsonObject, text: string, root: unknown, depth: number): unknown {
  const named = schema["type"];
  const type: unknown = Array.isArray(named) ? (named as unknown[]).find((name) => name !== "null") : named;
  switch (type ?? (isObject(schema["properties"]) ? "object" : "string")) {
    case "object":
      return objectFor(schema, text, root, depth);
    case "array": {
      const least = typeof schema["minItems"] === "number" ? Math.max(1, schema["minItems"]) : 1;
      return Array.from({ length: least }, () => answerFor(schema["items"], text, root, depth + 1));
    }
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : text.length;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return text;
  }
}

function objectFor(schema: JsonObject, text: string, root: unknown, depth: number): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, answerFor(property, text, root, depth + 1)]),
  );
}

function resolve(root: unknown, reference: string): unknown {
  const path = reference.replace(/^#/, "").split("/").slice(1);
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), root);
}
