import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";

/** The text of a turn or of the system prompt: a string or the text blocks in order. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as unknown[])
    .map((block) => (isObject(block) && typeof block["text"] === "string" ? block["text"] : ""))
    .join("");
}

/** The text of the last turn of the user. */
export function lastUserText(params: JsonObject): string {
  const messages = Array.isArray(params["messages"]) ? (params["messages"] as unknown[]) : [];
  const last = messages.filter(isObject).findLast((message) => message["role"] === "user");
  return textOf(last?.["content"]);
}

/** One piece of the prompt in the order in which the API reads it: tools, system, messages. */
export interface PromptBlock {
  readonly json: string;
  /** How long the prefix up to and with this block is to be cached. */
  readonly cache?: "5m" | "1h";
}

export function promptBlocks(params: JsonObject): readonly PromptBlock[] {
  const blocks: PromptBlock[] = [];
  for (const tool of listOf(params["tools"])) blocks.push(blockOf(tool));
  for (const block of listOf(params["system"])) blocks.push(blockOf(block));
  for (const message of listOf(params["messages"])) {
    if (!isObject(message)) continue;
    for (const block of listOf(message["content"])) blocks.push(blockOf(block));
  }
  const whole = ttlOf(params["cache_control"]);
  const last = blocks.pop();
  if (last !== undefined) blocks.push(whole === undefined ? last : { ...last, cache: whole });
  return blocks;
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as unknown[]) : [{ type: "text", text: value }];
}

function blockOf(value: unknown): PromptBlock {
  if (!isObject(value)) return { json: JSON.stringify(value) };
  const { cache_control: control, ...rest } = value;
  const text = value["type"] === "text" && typeof value["text"] === "string" ? value["text"] : undefined;
  const json = text ?? JSON.stringify(rest);
  const cache = ttlOf(control);
  return cache === undefined ? { json } : { json, cache };
}

function ttlOf(control: unknown): "5m" | "1h" | undefined {
  if (!isObject(control)) return undefined;
  return control["ttl"] === "1h" ? "1h" : "5m";
}
