import type OpenAI from "openai";
import type { Running } from "./helpers.ts";

export interface OutputLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: Record<string, unknown> } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

type Endpoint = OpenAI.BatchCreateParams["endpoint"];

/** An input line for the responses endpoint. */
export function line(custom_id: string, input: string, other: object = {}): object {
  return { custom_id, method: "POST", url: "/v1/responses", body: { model: "gpt-6-luna", input, ...other } };
}

export async function upload(
  openai: OpenAI,
  lines: readonly (object | string)[],
): Promise<OpenAI.FileObject> {
  const text = lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  const file = new File([`${text}\n`], "input.jsonl");
  return openai.files.create({ purpose: "batch", file });
}

export async function createBatch(
  openai: OpenAI,
  lines: readonly (object | string)[],
  endpoint: Endpoint = "/v1/responses",
): Promise<OpenAI.Batch> {
  const { id } = await upload(openai, lines);
  return openai.batches.create({ input_file_id: id, endpoint, completion_window: "24h" });
}

/** Creates a batch, runs it to its end and gives it as it is then. */
export async function runBatch(
  { simulator, openai }: Running,
  lines: readonly (object | string)[],
  endpoint: Endpoint = "/v1/responses",
): Promise<OpenAI.Batch> {
  const { id } = await createBatch(openai, lines, endpoint);
  await simulator.endBatch(id);
  return openai.batches.retrieve(id);
}

/** The lines of a file by `custom_id`. */
export async function readLines(openai: OpenAI, id: string | undefined): Promise<Map<string, OutputLine>> {
  if (id === undefined) return new Map();
  const text = await (await openai.files.content(id)).text();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((one) => JSON.parse(one) as OutputLine);
  return new Map(lines.map((one) => [one.custom_id, one]));
}
