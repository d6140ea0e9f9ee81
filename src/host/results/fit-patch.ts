import { applyPatch } from "diff";
import type { StructuredPatch } from "diff";
import { hasWindowsLines, withLineEnds } from "./line-ends.ts";

/** Stands for the end of a file. No text has it, for a file with NUL is no text. */
const END = "\0end";

/**
 * The text with a diff applied, with the text's own line ends; `undefined` where it does not fit. Where the diff says that a
 * file ends without a line end, the lines before must be the file's last ones.
 */
export function fitPatch(text: string, patch: StructuredPatch): string | undefined {
  const plain = hasWindowsLines(text) ? text.replaceAll("\r\n", "\n") : text;
  const hunks = plain.includes("\r")
    ? patch.hunks
    : patch.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map((line) => line.replace(/\r$/, "")) }));
  const after = hunks.some(({ lines }) => lines.some(isMark))
    ? fitAtEnd(plain, { ...patch, hunks })
    : fit(plain, { ...patch, hunks });
  return after === undefined ? undefined : withLineEnds(after, text);
}

const isMark = (line: string): boolean => line.startsWith("\\");

function fit(text: string, patch: StructuredPatch): string | undefined {
  const after = applyPatch(text, patch, { autoConvertLineEndings: false });
  return after === false ? undefined : after;
}

/** With the end of the file as one more line of it and of the last hunk, which can then lie nowhere else. */
function fitAtEnd(text: string, patch: StructuredPatch): string | undefined {
  const last = patch.hunks.at(-1);
  if (!last || patch.hunks.some((hunk) => hunk !== last && hunk.lines.some(isMark))) return undefined;
  const marked = last.lines
    .filter((_line, index) => isMark(last.lines[index + 1] ?? ""))
    .map((line) => line[0]);
  const wasOpen = marked.some((sign) => sign === "-" || sign === " ");
  const isOpen = marked.some((sign) => sign === "+" || sign === " ");
  if (wasOpen !== (text !== "" && !text.endsWith("\n"))) return undefined;
  const hunk = {
    ...last,
    lines: [...last.lines.filter((line) => !isMark(line)), ` ${END}`],
    oldLines: last.oldLines + 1,
    newLines: last.newLines + 1,
  };
  const lines = wasOpen ? `${text}\n` : text;
  const after = fit(lines + END, { ...patch, hunks: [...patch.hunks.slice(0, -1), hunk] })?.slice(
    0,
    -END.length,
  );
  return isOpen ? after?.replace(/\n$/, "") : after;
}
