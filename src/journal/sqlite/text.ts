/** Marks a text that is stored as a JSON string literal. */
const mark = "\u0001";

/**
 * SQLite and UTF-8 files replace lone surrogates; a text that has one is stored escaped, so that it comes back as it was.
 * Different texts stay different.
 */
export const encodeText = (text: string): string =>
  text.isWellFormed() && !text.startsWith(mark) ? text : mark + JSON.stringify(text);

export const decodeText = (stored: string): string =>
  stored.startsWith(mark) ? (JSON.parse(stored.slice(mark.length)) as string) : stored;
