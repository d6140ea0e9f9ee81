import { blocks } from "../body.ts";
import type { Body } from "../body.ts";
import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import { ItemIndex, readItems } from "../items.ts";
import type { Endpoint } from "./params.ts";
import { serves } from "./models.ts";
import { promptTokens } from "./prompt.ts";

const mostLines = 50_000;
const mostErrors = 100;
const lineEnd = 0x0a;

/** An entry of a failed batch's `errors.data`. `line` counts from 1. */
export interface LineError {
  readonly code: string;
  readonly message: string;
  readonly line: number | null;
  readonly param: string | null;
}

/** A batch's input that was found valid. */
export interface Input {
  readonly items: ItemIndex;
  readonly customIds: readonly string[];
  readonly model: string;
  readonly tokens: number;
}

/** Reads and checks an input file as the stage `validating` does. */
export async function readInput(body: Body, endpoint: Endpoint): Promise<Input | readonly LineError[]> {
  const items = await indexLines(body);
  if (items.count === 0) return [fault("empty_file", "The input file is empty.", null)];
  if (items.count > mostLines) {
    return [fault("too_many_requests", `The input file has more than ${mostLines} requests.`, null)];
  }
  const errors: LineError[] = [];
  const customIds: string[] = [];
  const seen = new Set<string>();
  let model: string | undefined;
  let tokens = 0;
  for await (const { index, value } of readItems(body, items, undefined, () => undefined)) {
    if (errors.length >= mostErrors) break;
    const line = index + 1;
    const wrong = checkLine(value, line, endpoint, model, seen);
    if (wrong !== undefined) {
      errors.push(wrong);
      continue;
    }
    const { custom_id: id, body: request } = value as { custom_id: string; body: JsonObject };
    model ??= String(request["model"]);
    seen.add(id);
    customIds.push(id);
    tokens += promptTokens(endpoint, request);
  }
  return errors.length > 0 ? errors : { items, customIds, model: model ?? "", tokens };
}

/** Where each non-blank line lies. */
async function indexLines(body: Body): Promise<ItemIndex> {
  const items = new ItemIndex();
  let start = 0;
  let offset = 0;
  for await (const bytes of blocks(body)) {
    for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) {
      if (offset + at > start) items.add(start, offset + at);
      start = offset + at + 1;
    }
    offset += bytes.length;
  }
  if (body.bytes > start) items.add(start, body.bytes);
  return items;
}

function checkLine(
  value: unknown,
  line: number,
  endpoint: Endpoint,
  model: string | undefined,
  seen: ReadonlySet<string>,
): LineError | undefined {
  if (!isObject(value)) return fault("invalid_json_line", "This line is not parseable as valid JSON.", line);
  const { custom_id: id, method, url, body } = value;
  for (const name of ["custom_id", "method", "url", "body"]) {
    if (value[name] === undefined) {
      return fault("missing_required_parameter", `Missing required parameter: '${name}'.`, line, name);
    }
  }
  if (typeof id !== "string" || id === "") {
    return fault("invalid_type", "Invalid type for 'custom_id': expected a string.", line, "custom_id");
  }
  if (seen.has(id)) {
    const message = `The custom_id '${id}' for this request is a duplicate of another request in the batch.`;
    return fault("duplicate_custom_id", message, line, "custom_id");
  }
  if (method !== "POST")
    return fault("invalid_method", `Invalid method '${String(method)}'.`, line, "method");
  if (url !== endpoint) {
    const message = `The URL '${String(url)}' of this request does not match the batch endpoint '${endpoint}'.`;
    return fault("invalid_url", message, line, "url");
  }
  if (!isObject(body))
    return fault("invalid_type", "Invalid type for 'body': expected an object.", line, "body");
  const used = body["model"];
  if (typeof used !== "string" || !serves(used, endpoint)) {
    const message = `The provided model '${String(used)}' is not supported by the Batch API.`;
    return fault("model_not_found", message, line, "body.model");
  }
  if (model !== undefined && used !== model) {
    const message = `The provided model '${used}' does not match the expected model '${model}': all requests in a batch must use the same model.`;
    return fault("mismatched_model", message, line, "body.model");
  }
  return undefined;
}

function fault(code: string, message: string, line: number | null, param: string | null = null): LineError {
  return { code, message, line, param };
}
