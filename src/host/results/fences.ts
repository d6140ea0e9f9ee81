/** A fenced code block of markdown. */
export interface Fence {
  readonly language: string;
  /** What stands after the language on the opening line. */
  readonly info: string;
  /** The line of text before the block, blank ones passed over. */
  readonly before: string;
  readonly text: string;
  /** The answer holds nothing else. */
  readonly alone: boolean;
}

/** The closed blocks of an answer. One that is never closed was cut off, so it is left out. */
export function fencesOf(markdown: string): readonly Fence[] {
  const found: Omit<Fence, "alone">[] = [];
  let open: { readonly marker: string; readonly heading: string; readonly lines: string[] } | undefined;
  let before = "";
  let outside = "";
  for (const line of markdown.split(/\r?\n/)) {
    if (open) {
      if (closes(line, open.marker)) {
        found.push(fenceOf(open.heading, before, open.lines));
        open = undefined;
        before = "";
      } else open.lines.push(line);
      continue;
    }
    const [, marker, heading = ""] = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line) ?? [];
    if (marker !== undefined) open = { marker, heading: heading.trim(), lines: [] };
    else if (line.trim() !== "") {
      before = line.trim();
      outside += before;
    }
  }
  const alone = found.length === 1 && outside === "" && !open;
  return found.map((fence) => ({ ...fence, alone }));
}

const closes = (line: string, marker: string): boolean => {
  const mark = line.trim();
  return (
    mark.length >= marker.length && mark === marker.charAt(0).repeat(mark.length) && !line.startsWith("    ")
  );
};

function fenceOf(heading: string, before: string, lines: readonly string[]): Omit<Fence, "alone"> {
  const [language = "", ...rest] = heading.split(/\s+/);
  const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  return { language, info: rest.join(" "), before, text };
}

/** The path of the file that a block says it holds: on its opening line or on the line before it. */
export function pathOfFence({ language, info, before }: Fence): string | undefined {
  const named = /(?:^|\s|\{)(?:title|file|filename|path)=["']?([^"'\s}]+)/.exec(`${language} ${info}`)?.[1];
  if (named !== undefined) return named;
  const colon = language.indexOf(":");
  const words = [colon === -1 ? "" : language.slice(colon + 1), language, ...info.split(" ")];
  const word = words.find(looksLikePath);
  if (word !== undefined) return word;
  const [, line] =
    /^(?:#{1,6}\s+)?(?:\d+\.\s+|[-*]\s+)?(?:file(?:name)?:?\s+)?[*_`]*([^\s*`]+?)[*_`]*:?[*_`]*$/i.exec(
      before,
    ) ?? [];
  if (line === undefined || !looksLikePath(line)) return undefined;
  // A line may name a file and the block show how to run it.
  return /^(?:console|output|text|shell|shellsession|sh|bash)$/i.test(language) &&
    !/\.(?:sh|bash|txt)$/.test(line)
    ? undefined
    : line;
}

const looksLikePath = (word: string): boolean =>
  /^[\w@.()[\]\\/+~:-]+$/.test(word) &&
  /\.\w{1,10}$|[\\/]/.test(word) &&
  !/^\w+:\/\//.test(word) &&
  !/^[\d.]+$/.test(word);
