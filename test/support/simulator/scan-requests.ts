import { blocks } from "./body.ts";
import type { Body } from "./body.ts";
import { ItemIndex } from "./items.ts";

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

export interface ScannedRequests {
  /** The body's JSON with `{}` in place of each object or array in the top-level array `requests`. */
  readonly skeleton: string;
  readonly items: ItemIndex;
}

/**
 * Finds the items of a batch body without holding it in memory. Only brackets and strings are looked at:
 * whether an item is valid JSON shows when it is parsed alone.
 */
export async function scanRequests(body: Body): Promise<ScannedRequests> {
  const items = new ItemIndex();
  const skeleton: Buffer[] = [];
  let depth = 0;
  let inString = false;
  let escaped = false;
  let key: number[] = [];
  let lastKey = "";
  let inRequests = false;
  let itemStart = -1;
  let offset = 0;
  for await (const bytes of blocks(body)) {
    let copied = itemStart >= 0 ? -1 : 0;
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i];
      if (inString) {
        if (depth === 1) key.push(byte ?? 0);
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inString = false;
          if (depth === 1) lastKey = Buffer.from(key.slice(0, -1)).toString();
        }
      } else if (byte === quote) {
        inString = true;
        key = [];
      } else if (byte === openBrace || byte === openBracket) {
        if (depth === 1 && byte === openBracket && lastKey === "requests") inRequests = true;
        else if (depth === 2 && inRequests) {
          itemStart = offset + i;
          skeleton.push(Buffer.from(bytes.subarray(copied, i)));
          copied = -1;
        }
        depth += 1;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 2 && itemStart >= 0) {
          items.add(itemStart, offset + i + 1);
          skeleton.push(Buffer.from("{}"));
          itemStart = -1;
          copied = i + 1;
        } else if (depth === 1) inRequests = false;
      }
    }
    if (copied >= 0) skeleton.push(Buffer.from(bytes.subarray(copied)));
    offset += bytes.length;
  }
  return { skeleton: Buffer.concat(skeleton).toString(), items };
}
