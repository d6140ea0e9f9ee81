import { setTimeout } from "node:timers/promises";
import type { PartFault } from "./faults.ts";

/** Thrown by {@link applyPartFaults} where the connection has to break. */
export class ConnectionDrop extends Error {}

/** Passes the parts of a streamed reply on, spoiled as the faults say. */
export async function* applyPartFaults(
  parts: AsyncIterable<string>,
  faults: readonly PartFault[],
): AsyncGenerator<Buffer> {
  const pieces = faults.find((fault) => fault.kind === "chunks")?.bytes;
  const crlf = faults.some((fault) => fault.kind === "crlf");
  const pace = faults.find((fault) => fault.kind === "pace")?.ms;
  for await (const text of spoil(parts, faults)) {
    if (pace !== undefined) await setTimeout(pace);
    if (text instanceof ConnectionDrop) throw text;
    const bytes = Buffer.from(crlf ? text.replaceAll("\n", "\r\n") : text);
    if (pieces === undefined) {
      yield bytes;
      continue;
    }
    for (let start = 0; start < bytes.length; start += pieces) yield bytes.subarray(start, start + pieces);
  }
}

async function* spoil(
  parts: AsyncIterable<string>,
  faults: readonly PartFault[],
): AsyncGenerator<string | ConnectionDrop> {
  let count = 0;
  for await (const part of parts) {
    count += 1;
    if (faults.some((fault) => fault.kind === "endAfter" && fault.parts < count)) return;
    if (faults.some((fault) => fault.kind === "dropAfter" && fault.parts < count)) {
      yield half(part);
      yield new ConnectionDrop();
      return;
    }
    if (faults.some((fault) => fault.kind === "cutInside" && fault.part === count)) {
      yield half(part);
      return;
    }
    const damaged = faults.some((fault) => fault.kind === "damage" && fault.part === count);
    yield damaged ? `${half(part)}\n` : part;
    for (const fault of faults) yield* additions(fault, part, count);
  }
}

function* additions(fault: PartFault, part: string, count: number): Generator<string> {
  if (fault.kind === "insert" && fault.after === count) yield fault.text;
  if (fault.kind === "unknownId" && fault.after === count) {
    yield part.replace(/"custom_id":"[^"]*"/, `"custom_id":${JSON.stringify(fault.id)}`);
  }
  if (fault.kind === "repeat" && fault.part === count) {
    yield fault.altered ? part.replace(/"(text|content)":"/, '"$1":"Altered. ') : part;
  }
}

function half(part: string): string {
  return part.slice(0, Math.floor(part.length / 2));
}
