import type { Operation } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";
import type { Translate } from "../l10n.ts";
import { failureText } from "../reason-words.ts";

type Entry = readonly [name: string, value: string | number | null | undefined];

/** What has come of an answer until now, in the shape of its result. */
export function unfinishedMarkdown(
  operation: Pick<Operation, "id" | "label" | "group">,
  text: string,
): string {
  const { id, label, group } = operation;
  return page(Object.entries({ id, label, group, status: "executing" }), text);
}

/** The result of one LLM request as markdown, with what it used and cost in front matter. */
export function resultMarkdown(
  operation: Pick<Operation, "id" | "label" | "group">,
  result: Result,
  t: Translate,
): string {
  const { usage } = result;
  const front: readonly Entry[] = [
    ["id", operation.id],
    ["label", operation.label],
    ["group", operation.group],
    ["status", result.status],
    ["reason", result.reason],
    ["input_tokens", usage?.inputTokens],
    ["output_tokens", usage?.outputTokens],
    ["cache_read_tokens", usage?.cacheReadTokens],
    ["cache_write_tokens", usage?.cacheWriteTokens],
    ["cost_usd", result.costUsd === null ? "unknown" : result.costUsd],
    ["duration_ms", result.durationMs],
  ];
  return page(front, answerMarkdown(result, t));
}

/** What came of a request without what it used and cost, which differs from one to the next. */
export function answerMarkdown({ text, error, reason }: Result, t: Translate): string {
  // Before an answer too, for one that was cut off looks like any other.
  const note = error === undefined ? [] : [`> ${failureText(error, reason, t).replaceAll("\n", "\n> ")}`];
  return [...note, ...(text === undefined ? [] : [text])].join("\n\n");
}

/** The line, counted from 0, in which the answer begins in a result's document. */
export function answerLine(document: string): number {
  const end = /\n---\r?\n/.exec(document);
  return end ? document.slice(0, end.index + end[0].length).split("\n").length : 0;
}

function page(front: readonly Entry[], body: string): string {
  // JSON is YAML, so a text from outside cannot break out of its line.
  const lines = front.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return `---\n${lines.join("\n")}\n---\n\n${body}\n`;
}
