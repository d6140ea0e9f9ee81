import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import { invalid } from "./errors.ts";
import type { ApiError } from "./errors.ts";

/** The API version from which on `document` blocks in assistant turns and `citations` on user text are refused. */
const strictBlocks = "2026-10-21";
const mostBreakpoints = 4;

/** What is wrong with the turns of a conversation, if anything. */
export function checkMessages(messages: unknown, version: string): ApiError | undefined {
  if (!Array.isArray(messages)) return invalid("messages: Input should be a valid list");
  if (messages.length === 0) return invalid("messages: at least one message is required");
  let breakpoints = 0;
  for (const [index, message] of (messages as unknown[]).entries()) {
    const at = `messages.${index}`;
    if (!isObject(message)) return invalid(`${at}: Input should be a valid dictionary`);
    if (index === 0 && message["role"] !== "user" && message["role"] !== "system") {
      return invalid('messages: first message must use the "user" role');
    }
    const wrong = checkTurn(message, at, version);
    if (wrong !== undefined) return wrong;
    const content = message["content"];
    if (Array.isArray(content)) {
      breakpoints += content.filter((block) => isObject(block) && isObject(block["cache_control"])).length;
    }
  }
  return breakpoints > mostBreakpoints
    ? invalid(
        `A maximum of ${mostBreakpoints} blocks with cache_control may be provided. Found ${breakpoints}.`,
      )
    : undefined;
}

function checkTurn(message: JsonObject, at: string, version: string): ApiError | undefined {
  const role = message["role"];
  if (role !== "user" && role !== "assistant" && role !== "system") {
    return invalid(`${at}.role: Input should be 'user', 'assistant' or 'system'`);
  }
  const content = message["content"];
  if (content === undefined) return invalid(`${at}.content: Field required`);
  if (typeof content === "string") return content === "" ? empty(at) : undefined;
  if (!Array.isArray(content)) return invalid(`${at}.content: Input should be a valid string or list`);
  if (content.length === 0) return empty(at);
  for (const [index, block] of (content as unknown[]).entries()) {
    const place = `${at}.content.${index}`;
    if (!isObject(block) || typeof block["type"] !== "string")
      return invalid(`${place}.type: Field required`);
    if (block["type"] === "text" && (typeof block["text"] !== "string" || block["text"] === "")) {
      return invalid(`${at}: text content blocks must be non-empty`);
    }
    if (version < strictBlocks) continue;
    if (role === "assistant" && block["type"] === "document") {
      return invalid(`${place}: document blocks are not permitted in assistant turns`);
    }
    if (role === "user" && block["type"] === "text" && isObject(block["citations"])) {
      return invalid(`${place}.citations: Extra inputs are not permitted`);
    }
  }
  return undefined;
}

function empty(at: string): ApiError {
  return invalid(`${at}: user messages must have non-empty content`);
}
