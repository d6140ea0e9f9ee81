import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import type { Endpoint } from "./params.ts";
import { tokensOf } from "./models.ts";

/** The turns of a request in order, whichever endpoint it is for. */
function turns(endpoint: Endpoint, body: JsonObject): readonly string[] {
  const value = endpoint === "/v1/chat/completions" ? body["messages"] : body["input"];
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  const texts = list.map((turn) => (isObject(turn) ? contentText(turn["content"]) : String(turn)));
  return typeof body["instructions"] === "string" ? [body["instructions"], ...texts] : texts;
}

export function promptText(endpoint: Endpoint, body: JsonObject): string {
  return turns(endpoint, body).join("\n");
}

export function lastText(endpoint: Endpoint, body: JsonObject): string {
  return turns(endpoint, body).at(-1) ?? "";
}

/** What the request counts as prompt tokens: its text, its tools and its output format. */
export function promptTokens(endpoint: Endpoint, body: JsonObject): number {
  const rest = [body["tools"], body["response_format"], body["text"]].filter((value) => value !== undefined);
  return tokensOf(promptText(endpoint, body)) + tokensOf(rest.length === 0 ? "" : JSON.stringify(rest)) + 7;
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as unknown[])
    .map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}
