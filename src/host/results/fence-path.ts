/** What a block says of itself. */
export interface Heading {
  readonly language: string;
  /** What stands after the language on the opening line. */
  readonly info: string;
  /** The line of text before the block, blank ones passed over. */
  readonly before: string;
}

/** The path of the file that a block says it holds: on its opening line or on the line before it. */
export function pathOfFence({ language, info, before }: Heading): string | undefined {
  const named = /(?:^|\s|\{)(?:title|file|filename|path)=(?:"([^"]+)"|'([^']+)'|([^"'\s}]+))/.exec(
    `${language} ${info}`,
  );
  if (named) return named[1] ?? named[2] ?? named[3];
  const colon = language.indexOf(":");
  if (colon !== -1 && looksLikePath(language.slice(colon + 1))) return language.slice(colon + 1);
  return isFile(language) ? language : (info.split(" ").find(looksLikePath) ?? pathOfLine(before, language));
}

/** Longer ones are no paths. */
const MAX_LENGTH = 1000;

/** Of a line that is a path and nothing else but its decoration. */
function pathOfLine(line: string, language: string): string | undefined {
  if (line.length > MAX_LENGTH) return undefined;
  const [head = "", label] = /^(?:#{1,6}\s+)?(?:\d+\.\s+|[-*]\s+)?(file(?:name)?:?\s+)?/i.exec(line) ?? [];
  const { path, isCode } = undecorated(line.slice(head.length));
  if (!(label !== undefined || isCode ? looksLikePath(path) : isFile(path))) return undefined;
  // A line may name a file and the block show how to run it.
  return /^(?:console|output|text|shell|shellsession|sh|bash)$/i.test(language) &&
    !/\.(?:sh|bash|txt)$/.test(path)
    ? undefined
    : path;
}

/** Without what stands on both sides to set it off, for a name such as `__init__.py` may begin so itself, and without a colon. */
function undecorated(word: string): { readonly path: string; readonly isCode: boolean } {
  let path = word;
  let isCode = false;
  for (;;) {
    const [first = ""] = path;
    if (path.endsWith(":")) path = path.slice(0, -1);
    else if (path.length > 1 && "*_`".includes(first) && path.endsWith(first)) {
      path = path.slice(1, -1);
      isCode ||= first === "`";
    } else return { path, isCode };
  }
}

const looksLikePath = (word: string): boolean =>
  /^[\w@.()[\]\\/+~:-]+$/.test(word) &&
  /\.\w{1,10}$|[\\/]/.test(word) &&
  !/^\w+:\/\//.test(word) &&
  !/^[\d.]+$/.test(word);

/**
 * More than looking like a path: where a language or a heading stands as well, a slash or a dot alone does not make a file.
 * `and/or`, `text/html`, `python3.11` and `v1.2` have no ending of a file, and what is left are names of things that have one.
 */
const isFile = (word: string): boolean =>
  looksLikePath(word) && /\.(?!\d+$)\w{1,10}$/.test(word) && (/[\\/]/.test(word) || !isProduct(word));

/** Names that end like a file, and sites. */
const isProduct = (word: string): boolean =>
  /^(?:alpine|angular|backbone|chart|d3|discord|electron|ember|express|knockout|moment|nest|next|node|nuxt|p5|phaser|pixi|react|solid|three|vue)\.js$/i.test(
    word,
  ) || /\.(?:ai|app|com|dev|io|net|org)$/i.test(word);
