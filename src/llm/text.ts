import { InputError } from "../core/errors.ts";

export const utf8Bytes = (text: string): number => Buffer.byteLength(text, "utf8");

/** The first words of a text on one line, at most `length` characters. */
export function firstWords(text: string, length = 60): string {
  const line = text
    .trim()
    .slice(0, length * 4)
    .replace(/\s+/gu, " ")
    // A name is shown beside others, which these could hide or turn round.
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "");
  return line.length <= length ? line : `${wholeCharacters(line.slice(0, length - 1)).trimEnd()}…`;
}

/** Without half of a surrogate pair that a cut may have left at the end. */
export const wholeCharacters = (text: string): string => text.replace(/[\uD800-\uDBFF]$/u, "");

/**
 * Refuses half of a surrogate pair anywhere in a JSON-safe value: it cannot be written as UTF-8, so the provider would
 * get another text or refuse the whole body.
 */
export function refuseLoneSurrogates(value: unknown, field: string): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) {
      const at = value.search(/\p{Surrogate}/u);
      throw new InputError(
        field,
        `holds half of a surrogate pair at character ${at + 1}; remove it or send the whole character`,
      );
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) throw new InputError(field, "has a key with half of a surrogate pair");
    refuseLoneSurrogates(inner, `${field}.${key}`);
  }
}

/** JSON text with sorted keys: the same for the same content. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}
