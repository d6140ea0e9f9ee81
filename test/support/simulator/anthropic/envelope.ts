import type { Body } from "../body.ts";
import { isObject } from "../http.ts";
import { readItems } from "../items.ts";
import type { ItemIndex } from "../items.ts";
import { scanRequests } from "../scan-requests.ts";
import { invalid } from "./errors.ts";
import type { ApiError } from "./errors.ts";

export interface Envelope {
  readonly items: ItemIndex;
  readonly customIds: readonly string[];
}

const mostRequests = 100_000;
const idPattern = /^[a-zA-Z0-9_-]{1,64}$/;
const extra = "Extra inputs are not permitted";

/** Checks what the API checks when a batch is created: the envelope, never the items' parameters. */
export async function readEnvelope(body: Body): Promise<Envelope | ApiError> {
  const { skeleton, items } = await scanRequests(body);
  const top = parse(skeleton);
  if (!isObject(top)) return invalid("The request body is not valid JSON");
  if (!("requests" in top)) return invalid("requests: Field required");
  const unknown = Object.keys(top).find((name) => name !== "requests");
  if (unknown !== undefined) return invalid(`${unknown}: ${extra}`);
  const requests = top["requests"];
  if (!Array.isArray(requests)) return invalid("requests: Input should be a valid list");
  const odd = requests.findIndex((one) => !isObject(one));
  if (odd >= 0) return invalid(`requests.${odd}: Input should be a valid dictionary`);
  const count = requests.length;
  if (count === 0) return invalid("requests: List should have at least 1 item after validation, not 0");
  if (count > mostRequests) {
    return invalid(`requests: List should have at most ${mostRequests} items after validation, not ${count}`);
  }
  return readIds(body, items);
}

async function readIds(body: Body, items: ItemIndex): Promise<Envelope | ApiError> {
  const customIds: string[] = [];
  const seen = new Set<string>();
  try {
    for await (const { index, value } of readItems(body, items)) {
      const at = `requests.${index}`;
      const id = isObject(value) ? value["custom_id"] : undefined;
      const wrong = checkItem(value, at) ?? (seen.has(String(id)) ? duplicate(at, String(id)) : undefined);
      if (wrong !== undefined) return wrong;
      seen.add(String(id));
      customIds.push(String(id));
    }
  } catch (error) {
    if (error instanceof SyntaxError) return invalid("The request body is not valid JSON");
    throw error;
  }
  return { items, customIds };
}

function checkItem(value: unknown, at: string): ApiError | undefined {
  if (!isObject(value)) return invalid(`${at}: Input should be a valid dictionary`);
  const id = value["custom_id"];
  if (id === undefined) return invalid(`${at}.custom_id: Field required`);
  if (typeof id !== "string") return invalid(`${at}.custom_id: Input should be a valid string`);
  if (id.length < 1) return invalid(`${at}.custom_id: String should have at least 1 character`);
  if (id.length > 64) return invalid(`${at}.custom_id: String should have at most 64 characters`);
  if (!idPattern.test(id)) {
    return invalid(`${at}.custom_id: String should match pattern '${idPattern.source}'`);
  }
  if (value["params"] === undefined) return invalid(`${at}.params: Field required`);
  if (!isObject(value["params"])) return invalid(`${at}.params: Input should be a valid dictionary`);
  const unknown = Object.keys(value).find((name) => name !== "custom_id" && name !== "params");
  return unknown === undefined ? undefined : invalid(`${at}.${unknown}: ${extra}`);
}

function duplicate(at: string, id: string): ApiError {
  return invalid(`${at}.custom_id: custom_id must be unique within the batch, "${id}" was used before`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
