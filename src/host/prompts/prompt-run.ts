import { basename, isAbsolute, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { InputError } from "../../core/errors.ts";
import { parseInput, record } from "../../core/schema/inputs.ts";
import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import { parsePromptFile } from "./prompt-file.ts";
import { nameIn } from "../folder-names.ts";
import { innermost } from "../inside.ts";
import type { PromptFile } from "./prompt-file.ts";
import { reader, readSource } from "./source-file.ts";
import { render, uses } from "./template.ts";

const path = v.pipe(
  v.string("must be the path of a file"),
  v.nonEmpty("must be the path of a file, but is empty"),
);
const uri = v.union(
  [path, v.looseObject({ scheme: v.string(), fsPath: v.string() })],
  "must be the address of a prompt file",
);
const runInput = v.strictObject({
  prompt: v.union(
    [v.strictObject({ uri }), v.strictObject({ text: v.string() })],
    "must be { uri } or { text }",
  ),
  files: v.pipe(v.array(path, "must be a list of paths"), v.nonEmpty("is empty; name at least one file")),
  model: v.optional(v.pipe(v.string("must be a model id"), v.nonEmpty("must be a model id, but is empty"))),
  type: v.optional(v.pipe(v.string("must be a word"), v.nonEmpty("must be a word, but is empty"))),
  inputs: v.optional(record(v.string("must be a text"), "must be an object of texts")),
});

/** One prompt to run over files; `inputs` answers what the prompt asks for. */
export type PromptRun = v.InferOutput<typeof runInput>;
export const parsePromptRun = (input: unknown): PromptRun => parseInput(runInput, input);

/** What a run takes from the window around it. */
export interface Surroundings {
  /** Absolute paths of the open folders. */
  folders(): readonly string[];
  /** The text of a file as an editor holds it, where that is not saved. */
  unsaved(path: string): string | undefined;
  /** What is selected in the active editor; empty where nothing is. */
  selection(): string;
  /** The editor's language id of a file. */
  language(path: string): Promise<string>;
  defaultModel(): string;
}

/** The type that requests of a run have unless told. */
const PROMPT_TYPE = "prompt";

/** One request for each file, in order and once, all of one group. Reads everything before any is made. Rejects with `InputError`. */
export async function requestsOf(run: PromptRun, around: Surroundings): Promise<readonly LlmRequestInput[]> {
  const { template, model } = await readPrompt(run.prompt, around);
  const selection = uses(template, "selection") ? selected(around) : "";
  const folders = around.folders();
  const named = run.files.map((file, index) => absolute(file, `files.${index}`, folders));
  const read = await reader(around);
  const requests: LlmRequestInput[] = [];
  const taken = new Set<string>();
  for (const [index, file] of named.entries()) {
    if (taken.has(file)) continue;
    taken.add(file);
    // Read even where the prompt does not show it, so that a name that means nothing is refused.
    const text = await read(file, `files.${index}`);
    const relativePath = relativeTo(folders, file);
    const values = {
      file: text,
      selection,
      relativePath,
      language: uses(template, "language") ? await around.language(file) : "",
      inputs: run.inputs ?? {},
    };
    const prompt = render(template, values);
    if (prompt.trim() === "" && text.trim() === "")
      throw new InputError(
        `files.${index}`,
        `${file} is empty, and so is the prompt made of it; leave the file out, or write in the prompt what to do`,
        "empty-prompt",
      );
    requests.push({
      // The same file of two folders is two requests, which a person has to tell apart.
      id: innermost(folders, file) ? nameIn(folders, file) : relativePath,
      type: run.type ?? PROMPT_TYPE,
      model: run.model ?? model ?? around.defaultModel(),
      prompt,
      metadata: { file },
    });
  }
  return requests;
}

/** The prompt of a run, read. Rejects with `InputError` naming what is wrong. */
export async function readPrompt(
  prompt: PromptRun["prompt"],
  around: Pick<Surroundings, "folders" | "unsaved">,
): Promise<PromptFile> {
  if ("text" in prompt) return parsePromptFile(prompt.text);
  const file = absolute(pathOf(prompt.uri), "prompt.uri", around.folders());
  return parsePromptFile(around.unsaved(file) ?? (await readSource(file, "prompt.uri")));
}

function pathOf(address: v.InferOutput<typeof uri>): string {
  if (typeof address !== "string") {
    if (address.scheme !== "file") throw new InputError("prompt.uri", "must be a file");
    return address.fsPath;
  }
  if (!/^[a-z][a-z\d+.-]+:/i.test(address)) return address;
  try {
    return fileURLToPath(address);
  } catch {
    throw new InputError("prompt.uri", "must be a file");
  }
}

function selected(around: Surroundings): string {
  const text = around.selection();
  if (text !== "") return text;
  throw new InputError(
    "prompt",
    "uses ${selection}, but nothing is selected in the active editor",
    "no-selection",
  );
}

function absolute(file: string, field: string, folders: readonly string[]): string {
  if (isAbsolute(file)) return normalize(file);
  const [folder, ...more] = folders;
  if (folder === undefined || more.length > 0)
    throw new InputError(field, `${file} is not an absolute path, and there is not exactly one open folder`);
  return join(folder, file);
}

/** Relative to the innermost open folder, with `/`; outside all of them the bare name, for the rest is nobody's business. */
export function relativeTo(folders: readonly string[], file: string): string {
  return innermost(folders, file)?.way ?? basename(file);
}
