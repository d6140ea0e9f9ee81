import { pathOfFence } from "./fence-path.ts";
import type { Heading } from "./fence-path.ts";

/** A fenced code block of markdown. */
export interface Fence extends Heading {
  readonly text: string;
  /**
   * `unsure`: blocks stand within each other or seem to, so that this one, or one before it, may end elsewhere. `open`: it is
   * never closed.
   */
  readonly end: "sure" | "unsure" | "open";
  /** The answer holds nothing else. */
  readonly alone: boolean;
}

interface Block extends Heading {
  readonly marker: string;
  readonly lines: string[];
  closed: boolean;
}

/**
 * The blocks of an answer, by https://spec.commonmark.org/0.31.2/#fenced-code-blocks. That lets the first bare fence close a
 * block, also where it was meant for a block within, so where there are signs of that, that block and all after it are not
 * sure; those within it are among them, without their text. `isComplete`: the answer came to its own end.
 */
export function fencesOf(markdown: string, isComplete: boolean): readonly Fence[] {
  const { blocks, outside } = blocksOf(markdown.split(/\r?\n/));
  const doubtful = blocks.findIndex((block, index) => isDoubtful(block, blocks[index + 1], isComplete));
  const alone = blocks.length === 1 && outside === "";
  return blocks.flatMap((block, index): readonly Fence[] => {
    const { language, info, before, lines, closed } = block;
    const unsure = doubtful >= 0 && index >= doubtful;
    const end = unsure ? "unsure" : closed ? "sure" : "open";
    const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
    const inner = unsure
      ? within(block).map((each) => ({ ...each, text: "", end, alone: false }) as const)
      : [];
    return [{ language, info, before, text, end, alone: alone && closed }, ...inner];
  });
}

function blocksOf(lines: readonly string[]): { readonly blocks: readonly Block[]; readonly outside: string } {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let before = "";
  let outside = "";
  for (const line of lines) {
    if (open) {
      if (closes(line, open)) {
        open.closed = true;
        open = undefined;
        before = "";
      } else open.lines.push(line);
      continue;
    }
    open = opened(line, before);
    if (open) blocks.push(open);
    else if (line.trim() !== "") {
      before = line.trim();
      outside += before;
    }
  }
  return { blocks, outside };
}

function opened(line: string, before: string): Block | undefined {
  // Each run is taken whole, so that a long line takes no long time.
  const [, marker, heading = ""] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line) ?? [];
  if (marker === undefined || (marker.startsWith("`") && heading.includes("`"))) return undefined;
  const [language = "", ...rest] = heading.trim().split(/\s+/);
  return { marker, language, info: rest.join(" "), before, lines: [], closed: false };
}

export const isDiff = ({ language }: Pick<Heading, "language">): boolean =>
  /^(?:diff|patch|udiff)$/i.test(language);

/** A fence of this block's kind. In a diff each line has a sign in front, so an indented fence is a line of the file. */
const isFenceOf = (line: string, mark: string, block: Block): boolean =>
  mark.startsWith(block.marker) && !(isDiff(block) && line.startsWith(" "));

const closes = (line: string, block: Block): boolean => {
  const mark = line.trim();
  return (
    isFenceOf(line, mark, block) &&
    mark === block.marker.charAt(0).repeat(mark.length) &&
    !line.startsWith("    ")
  );
};

/** What opens blocks within a block, as far as a fence with a language tells. */
function within(block: Block): readonly Heading[] {
  let before = "";
  return block.lines.flatMap((line) => {
    const inner = opened(line, before);
    before = line.trim() || before;
    return inner && inner.language !== "" && isFenceOf(line, inner.marker, block) ? [inner] : [];
  });
}

/** Whether the fence that closes a block may have been meant for one within it. */
function isDoubtful(block: Block, next: Block | undefined, isComplete: boolean): boolean {
  if (within(block).length > 0) return true;
  if (next?.language !== "" || !next.marker.startsWith(block.marker)) return false;
  // A bare fence after it opens a block, or is the end of this one.
  return isMarkdown(block) || within(next).length > 0 || (isComplete && !next.closed);
}

function isMarkdown(block: Block): boolean {
  const path = pathOfFence(block);
  return (
    path !== undefined &&
    (/^(?:md|markdown|mdx)$/i.test(block.language) || /\.(?:md|markdown|mdx)$/i.test(path))
  );
}
