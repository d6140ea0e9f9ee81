import type { Operation } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";

/** The result of one LLM request as markdown, with what it used and cost in front matter. */
export function resultMarkdown(operation: Pick<Operation, "id" | "label" | "group">, result: Result): string {
  const usage = result.usage;
  const front: [string, string | number | null | undefined][] = [
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
  // JSON is YAML, so a text from outside cannot break out of its line.
  const lines = front.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  const body =
    result.text ?? (result.error === undefined ? "" : `> ${result.error.replaceAll("\n", "\n> ")}`);
  return `---\n${lines.join("\n")}\n---\n\n${body}\n`;
}
