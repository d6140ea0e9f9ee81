import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RawLine } from "../jsonl/lines.ts";
import { splitLines } from "../jsonl/lines.ts";
import type { Failure, RemoteBatch } from "../provider.ts";
import type { Job } from "./job.ts";

const IDLE_MS = 120_000;

/**
 * Streams one output to a file. A connection that breaks off leaves what came before it, which is kept: what is missing
 * shows when the lines are read. Answers why it broke off, if it did.
 */
export async function download(
  job: Job,
  remote: RemoteBatch,
  output: string,
  file: string,
): Promise<Failure | undefined> {
  const answer = await job.provider.results(remote, output, job.reading);
  if (answer.kind === "failed") return answer.failure;
  try {
    await pipeline(
      Readable.from(withIdleLimit(job, answer.value), { objectMode: false }),
      createWriteStream(file, { mode: 0o600 }),
    );
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      kind: "transient",
      reason: "broken-off",
      message: `The results broke off: ${message}`,
      acted: "no",
    };
  }
}

/** Gives up on a source that sends nothing for too long: a connection that nobody closed would be waited for for ever. */
async function* withIdleLimit(job: Job, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      let cancel = (): void => undefined;
      const idle = new Promise<never>((_resolve, reject) => {
        cancel = job.deps.clock.after(IDLE_MS, () => reject(new Error("nothing came for two minutes")));
      });
      const next = await Promise.race([iterator.next(), idle]).finally(() => cancel());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not waited for: it may be what hangs.
    void iterator.return?.().catch(() => undefined);
  }
}

/** The lines of a downloaded file. */
export const linesOf = (file: string): AsyncIterable<RawLine> =>
  splitLines(createReadStream(file, { highWaterMark: 256 * 1024 }));
