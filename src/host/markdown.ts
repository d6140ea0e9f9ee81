/**
 * Characters that are not seen but change what is: they turn the order of what follows round, so that a name reads as another
 * one. https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
export const showHidden = (text: string): string =>
  text.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `<U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );

/**
 * Makes a text that came from outside show as it is, on one line, with no markup, link or icon of its own. Marks that
 * mean something only in some places are left alone elsewhere, so that the source stays readable too.
 */
export function escapeMarkdown(text: string): string {
  return (
    showHidden(text)
      .replace(/\s+/g, " ")
      .trim()
      .replace(/[\\`*[\]<>~$]/g, "\\$&")
      // Within a word it is no emphasis.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/&(?=#?\w+;)/g, "\\&")
      // Bare addresses become links.
      .replace(/:(?=\/\/)|(?<=\bwww)\.|@(?=\w)/gi, "\\$&")
      // Headings and their closing marks, lists, rules.
      .replace(/^[#+=-]|(?<!#)#+$/g, "\\$&")
      .replace(/^(\d+)([.)])/, "$1\\$2")
  );
}

/** A name, path or address as code, within which nothing needs escaping. */
export function codeSpan(text: string): string {
  const line = showHidden(text).replace(/\s+/g, " ");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
