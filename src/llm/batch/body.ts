import { createWriteStream } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { StoredOperation } from "../../core/operation.ts";
import { isFinal } from "../../core/operation.ts";
import { readPayload } from "../payload.ts";
import type { BodyFormat } from "../provider.ts";
import type { Part } from "./parts.ts";
import { inPart } from "./parts.ts";

const SLICE_BYTES = 512 * 1024;

export interface WrittenBody {
  readonly requests: number;
  readonly bytes: number;
}

/**
 * Writes the body of a part to a file, slice by slice: never all of it in memory, and never so much at once that the
 * window stands still. The id of a request at the provider is the id of its operation.
 */
export async function writeBody(
  file: string,
  format: BodyFormat,
  part: Part,
  pages: AsyncIterable<readonly StoredOperation[]>,
): Promise<WrittenBody> {
  const output = createWriteStream(file, { flags: "wx", mode: 0o600 });
  const failed = new Promise<never>((_resolve, reject) => output.once("error", reject));
  failed.catch(() => undefined);
  let requests = 0;
  let bytes = 0;
  let slice = format.head;
  const flush = async (): Promise<void> => {
    const buffer = Buffer.from(slice, "utf8");
    bytes += buffer.length;
    slice = "";
    if (!output.write(buffer))
      await Promise.race([new Promise<void>((resolve) => output.once("drain", () => resolve())), failed]);
    await setImmediate();
  };
  let index = 0;
  for await (const page of pages) {
    for (const operation of page) {
      if (inPart(part, index) && !isFinal(operation.status)) {
        slice += (requests === 0 ? "" : format.separator) + format.item(operation.id, readPayload(operation));
        requests += 1;
        if (slice.length >= SLICE_BYTES) await flush();
      }
      index += 1;
    }
  }
  slice += format.tail;
  await flush();
  await Promise.race([new Promise<void>((resolve) => output.end(() => resolve())), failed]);
  return { requests, bytes };
}
