import { bytesOf } from "./entries.ts";
import type { PathKey } from "./entries.ts";

/** A path in the C-style quotes that fast-import and hash-object read. */
export function cQuote(path: PathKey): Buffer {
  const quoted: number[] = [0x22];
  for (const byte of bytesOf(path)) {
    if (byte === 0x22 || byte === 0x5c) quoted.push(0x5c, byte);
    else if (byte < 0x20 || byte === 0x7f)
      quoted.push(...Buffer.from(`\\${byte.toString(8).padStart(3, "0")}`));
    else quoted.push(byte);
  }
  quoted.push(0x22);
  return Buffer.from(quoted);
}
