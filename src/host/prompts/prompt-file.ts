import type { Document } from "yaml";
import { InputError } from "../../core/errors.ts";
import { parseTemplate } from "./template.ts";
import type { Template } from "./template.ts";

/** The name that editors give a file with a prompt. */
export const PROMPT_SUFFIX = ".prompt.md";

export interface PromptFile {
  readonly template: Template;
  readonly model?: string;
  readonly description?: string;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/m;

/**
 * Reads a prompt with or without front matter. Of the front matter, `model` and `description` count; what else editors keep
 * there is left alone. Rejects with `InputError` naming what is wrong.
 */
export async function parsePromptFile(text: string): Promise<PromptFile> {
  const front = FRONT_MATTER.exec(text);
  const found = front?.index === 0 ? front : undefined;
  const fields = found ? await frontMatter(found[1] ?? "") : {};
  const body = text
    .slice(found?.[0].length ?? 0)
    .replace(/^\uFEFF/, "")
    .trim();
  if (body === "") throw new InputError("prompt", "is empty; write what the model is to do", "empty-prompt");
  const model = textField(fields, "model");
  const description = textField(fields, "description");
  return {
    template: parseTemplate(body),
    ...(model === undefined ? {} : { model }),
    ...(description === undefined ? {} : { description }),
  };
}

async function frontMatter(yaml: string): Promise<Readonly<Record<string, unknown>>> {
  const { parseDocument } = await import("yaml");
  // Silent, for what is odd would else be told to the process, and nobody would see it.
  const document = parseDocument(yaml, { logLevel: "silent" });
  const [odd] = [...document.errors, ...document.warnings];
  if (odd) throw notYaml(odd);
  const value = valueOf(document);
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw new InputError("prompt", "has front matter that is no list of names and values");
  return value as Record<string, unknown>;
}

/** Resolves aliases, of which there may be one that is not known, or too many. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw notYaml(error);
  }
}

function notYaml(error: unknown): InputError {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return new InputError("prompt", `has front matter that is not YAML: ${line}`);
}

function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value.trim() === "")
    throw new InputError(
      "prompt",
      `has a ${name} in its front matter, but it must be one text and not empty`,
    );
  return value.trim();
}
