import { InputError } from "../../../core/errors.ts";
import { isRecord } from "../../prepare.ts";

const roles = new Set(["user", "assistant", "system"]);

/** Refuses what the Messages API would refuse in `messages`, a day later in a batch. */
export function checkMessages(messages: readonly unknown[]): void {
  messages.forEach((message, index) => {
    const field = `messages.${index}`;
    if (!isRecord(message)) throw new InputError(field, "must be an object with role and content");
    const { role, content } = message;
    if (typeof role !== "string" || !roles.has(role))
      throw new InputError(`${field}.role`, 'must be "user" or "assistant"');
    if (index === 0 && role === "assistant")
      throw new InputError(`${field}.role`, "must be user: the first message is the user's");
    checkContent(content, role, `${field}.content`, index === messages.length - 1);
  });
}

/** A system prompt is a text or a list of text blocks. */
export function checkSystem(system: unknown): void {
  if (system === undefined) return;
  if (typeof system === "string") {
    if (system.trim() === "") throw new InputError("system", "is blank; leave it out", "empty-prompt");
    return;
  }
  if (!Array.isArray(system)) throw new InputError("system", "must be a text or a list of text blocks");
  system.forEach((block: unknown, index) => {
    if (!isRecord(block) || block["type"] !== "text")
      throw new InputError(`system.${index}`, "must be a text block");
    checkText(block["text"], `system.${index}.text`);
  });
}

function checkContent(content: unknown, role: string, field: string, isLast: boolean): void {
  if (typeof content === "string") {
    if (!(role === "assistant" && isLast)) checkText(content, field);
    return;
  }
  if (!Array.isArray(content)) throw new InputError(field, "must be a text or a list of content blocks");
  if (content.length === 0)
    throw new InputError(field, "is empty; write what the model is to do", "empty-prompt");
  content.forEach((block: unknown, index) => {
    const at = `${field}.${index}`;
    if (!isRecord(block) || typeof block["type"] !== "string")
      throw new InputError(at, "must be a content block with a type");
    if (block["type"] === "text") checkText(block["text"], `${at}.text`);
    if (block["type"] === "document" && role === "assistant") {
      throw new InputError(
        at,
        "is a document in a turn of the assistant, which the API refuses since version 2026-10-21",
        "parameter-refused",
      );
    }
    if (
      block["type"] === "text" &&
      role === "user" &&
      Object.hasOwn(block, "citations") &&
      block["citations"] !== null
    ) {
      throw new InputError(
        `${at}.citations`,
        "is refused on texts of the user since version 2026-10-21",
        "parameter-refused",
      );
    }
  });
}

function checkText(text: unknown, field: string): void {
  if (typeof text !== "string") throw new InputError(field, "must be a text");
  if (text.trim() === "")
    throw new InputError(field, "is blank; write what the model is to do", "empty-prompt");
}
