/**
 * Makes a text that came from outside show as it is, on one line, with no markup, link or icon of its own. Marks that
 * mean something only in some places are left alone elsewhere, so that the source stays readable too.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, " ")
      .trim()
      .replace(/[\\`*[\]<>~$]/g, "\\$&")
      // Within a word it is no emphasis.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/&(?=#?\w+;)/g, "\\&")
      // Bare addresses become links.
      .replace(/:(?=\/\/)|(?<=\bwww)\.|@(?=\w)/gi, "\\$&")
      // Headings and their closing marks, lists, rules.
      .replace(/^[#+=-]|#+$/g, "\\$&")
      .replace(/^(\d+)([.)])/, "$1\\$2")
  );
}

/** A name, path or address as code, within which nothing needs escaping. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
