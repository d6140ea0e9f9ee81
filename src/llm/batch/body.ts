import { open } from "node:fs/promises";
import { estimateTokens } from "../pricing/estimate.ts";
import type { EstimatedTokens } from "../pricing/estimate.ts";
import type { BodyFormat } from "../provider.ts";
import type { Marking } from "./cache-plan.ts";
import type { Sent } from "./sent.ts";

const SLICE_CHARACTERS = 256 * 1024;

export interface WrittenBody {
  readonly requests: number;
  readonly bytes: number;
  readonly estimate: EstimatedTokens;
}

/**
 * Writes requests as a body to a file, slice by slice: never all of it in memory, and never so much at once that the
 * window stands still. The id of a request at the provider is the id of its operation.
 */
export async function writeBody(
  file: string,
  format: BodyFormat,
  sent: AsyncIterable<Sent>,
  marking: Marking,
): Promise<WrittenBody> {
  await using output = await open(file, "wx", 0o600);
  // One buffer for all slices: half a megabyte of garbage for each would add up faster than it is collected.
  const scratch = Buffer.allocUnsafe(SLICE_CHARACTERS * 4);
  let [requests, bytes, input, most] = [0, 0, 0, 0];
  let slice = format.head;
  const flush = async (): Promise<void> => {
    const fits = slice.length * 3 <= scratch.length;
    const data = fits ? scratch.subarray(0, scratch.write(slice, "utf8")) : Buffer.from(slice, "utf8");
    slice = "";
    bytes += data.length;
    await output.writeFile(data);
  };
  for await (const { id, stored } of sent) {
    slice += (requests === 0 ? "" : format.separator) + format.item(id, marking(stored));
    const tokens = estimateTokens(stored);
    requests += 1;
    input += tokens.input;
    most += tokens.output;
    if (slice.length >= SLICE_CHARACTERS) await flush();
  }
  slice += format.tail;
  await flush();
  return { requests, bytes, estimate: { input, output: most } };
}
