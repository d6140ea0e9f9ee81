import { isRecord } from "../prepare.ts";
import type { ResultLine } from "../provider.ts";

/** What stands where a key stood. */
const MASK = "[key]";

/** A JSON-safe value whose texts do not repeat any of these keys, as some gateways' errors do; keys as they stand in JSON included. */
export function withoutKeys<Value>(value: Value, keys: Iterable<string>): Value {
  const forms = [...keys]
    .flatMap((key) => [key, JSON.stringify(key).slice(1, -1)])
    .filter((form) => form !== "");
  const masked = (inner: unknown): unknown => {
    if (typeof inner === "string") return forms.reduce((text, form) => text.replaceAll(form, MASK), inner);
    if (Array.isArray(inner)) return inner.map(masked);
    if (!isRecord(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, of]) => [masked(name) as string, masked(of)] as const),
    );
  };
  return masked(value) as Value;
}

/** A line whose error does not repeat keys; an answer is left as the model gave it. */
export const withoutKeysIn = (
  line: ResultLine | undefined,
  keys: Iterable<string>,
): ResultLine | undefined => (line?.outcome.kind === "errored" ? withoutKeys(line, keys) : line);
