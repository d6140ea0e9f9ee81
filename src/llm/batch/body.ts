import { createWriteStream } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { estimateTokens } from "../pricing/estimate.ts";
import type { EstimatedTokens } from "../pricing/estimate.ts";
import type { BodyFormat } from "../provider.ts";
import type { Marking } from "./cache-plan.ts";
import type { Sent } from "./sent.ts";

const SLICE_BYTES = 512 * 1024;

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
  const output = createWriteStream(file, { flags: "wx", mode: 0o600 });
  const failed = new Promise<never>((_resolve, reject) => output.once("error", reject));
  failed.catch(() => undefined);
  let [requests, bytes, input, most] = [0, 0, 0, 0];
  let slice = format.head;
  const flush = async (): Promise<void> => {
    const buffer = Buffer.from(slice, "utf8");
    bytes += buffer.length;
    slice = "";
    if (!output.write(buffer))
      await Promise.race([new Promise<void>((resolve) => output.once("drain", () => resolve())), failed]);
    await setImmediate();
  };
  for await (const { id, stored } of sent) {
    slice += (requests === 0 ? "" : format.separator) + format.item(id, marking(stored));
    const tokens = estimateTokens(stored);
    requests += 1;
    input += tokens.input;
    most += tokens.output;
    if (slice.length >= SLICE_BYTES) await flush();
  }
  slice += format.tail;
  await flush();
  await Promise.race([new Promise<void>((resolve) => output.end(() => resolve())), failed]);
  return { requests, bytes, estimate: { input, output: most } };
}
