import { InputError } from "../../core/errors.ts";
import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import { llmRequestInput, parseInput } from "../../core/schema/inputs.ts";
import { defaultEndpoints } from "../group.ts";
import { IMPORTED, defined, isRecord } from "../prepare.ts";
import type { LlmProvider, ProviderName } from "../provider.ts";
import { isBlank, splitLines, withoutReturn } from "./lines.ts";

/** One line of a file, counted from 1. */
export type ImportedLine =
  | { readonly kind: "request"; readonly line: number; readonly input: LlmRequestInput }
  | { readonly kind: "bad"; readonly line: number; readonly reason: string };

export interface ImportDeps {
  readonly provider: (name: ProviderName) => Pick<LlmProvider, "restore">;
  /** What else a request must pass, such as the acceptor; rejects with `InputError`. */
  readonly check?: (input: LlmRequestInput) => Promise<unknown>;
}

const BOM = "\uFEFF";

/**
 * Reads requests from JSONL: batch lines of Anthropic or OpenAI, and our own inputs, told apart by their shape. Holds one
 * line at a time, so a file may be of any size.
 */
export async function* readRequests(
  source: AsyncIterable<Uint8Array>,
  deps: ImportDeps,
): AsyncGenerator<ImportedLine> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let line = 0;
  for await (const { bytes } of splitLines(source)) {
    line += 1;
    if (isBlank(bytes)) continue;
    try {
      const text = decoder.decode(withoutReturn(bytes));
      const json = line === 1 && text.startsWith(BOM) ? text.slice(1) : text;
      if (json.trim() === "") continue;
      const input = inputOfLine(JSON.parse(json), deps.provider);
      await deps.check?.(input);
      yield { kind: "request", line, input };
    } catch (error) {
      yield { kind: "bad", line, reason: reasonOf(error) };
    }
  }
}

/** What is wrong with a line; anything but a fault of the line itself is thrown on. */
function reasonOf(error: unknown): string {
  if (error instanceof InputError) return error.message;
  if (error instanceof SyntaxError) return `is not JSON: ${error.message}`;
  if (error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA")
    return "is not UTF-8";
  throw error;
}

function inputOfLine(value: unknown, provider: ImportDeps["provider"]): LlmRequestInput {
  if (!isRecord(value)) throw new InputError("line", "must be a JSON object");
  if (isRecord(value["params"]) && "custom_id" in value) {
    return ofBatchLine(
      value["custom_id"],
      "anthropic",
      defaultEndpoints.anthropic,
      value["params"],
      provider,
    );
  }
  if (isRecord(value["body"]) && "custom_id" in value) {
    if (value["method"] !== "POST") throw new InputError("method", 'must be "POST"');
    if (typeof value["url"] !== "string") throw new InputError("url", "must be the path of an endpoint");
    return ofBatchLine(value["custom_id"], "openai", value["url"], value["body"], provider);
  }
  return parseInput(llmRequestInput, value, "line");
}

function ofBatchLine(
  id: unknown,
  name: ProviderName,
  endpoint: string,
  params: Readonly<Record<string, unknown>>,
  provider: ImportDeps["provider"],
): LlmRequestInput {
  if (typeof id !== "string") throw new InputError("custom_id", "must be a text");
  const { model } = params;
  if (typeof model !== "string")
    throw new InputError(name === "anthropic" ? "params.model" : "body.model", "must be a model id");
  const restored = provider(name).restore({ endpoint, params, fromPrompt: false });
  const input = {
    id,
    type: IMPORTED,
    model,
    provider: name,
    endpoint: endpoint === defaultEndpoints[name] ? undefined : endpoint,
    ...restored,
  };
  return parseInput(llmRequestInput, defined(input), "line");
}
