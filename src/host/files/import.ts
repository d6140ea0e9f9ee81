import type { FileHandle } from "node:fs/promises";
import { isAbsolute } from "node:path";
import * as v from "valibot";
import { InputError } from "../../core/errors.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import type { LlmRequestInput } from "../../core/schema/inputs.ts";
import { Cancelled } from "../commands/cancelled.ts";
import { openFile } from "../open-file.ts";
import type { EnqueueOptions, Parts } from "../parts.ts";

export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

const filePath = v.pipe(
  v.string("must be the absolute path of a file"),
  v.check(isAbsolute, "must be the absolute path of a file"),
);
const importInput = v.strictObject({
  file: filePath,
  skipBad: v.optional(v.boolean("must be true or false")),
});
export const parseImport = (input: unknown): v.InferOutput<typeof importInput> =>
  parseInput(importInput, input);

/** What an import tells while it runs, and asks when it has read everything. */
export interface ImportWatch {
  readonly signal?: AbortSignal;
  /** `share`: of the file, from 0 to 1; it is read once to be checked and once to be queued. */
  readonly progress?: (step: "checking" | "queueing", share: number) => void;
  /** Whether the good lines are queued without the bad ones. */
  readonly skipBad: (bad: readonly BadLine[], good: number) => Promise<boolean>;
}

export interface Imported {
  readonly ids: readonly string[];
  readonly bad: readonly BadLine[];
}

const CHUNK_REQUESTS = 500;
/** Larger ones would keep the window from answering while they are prepared and written. */
const CHUNK_CHARACTERS = 1024 * 1024;

/**
 * Queues every request of a JSONL file of any size, all or none: it is read once to find what is bad, and a second time to
 * queue. Rejects with `InputError` where the file or, unless they are skipped, a line is bad, and with `Cancelled`.
 */
export async function importRequests(
  path: string,
  { journal, llm, requests }: Pick<Parts, "journal" | "llm" | "requests">,
  watch: ImportWatch,
  options: EnqueueOptions,
): Promise<Imported> {
  await using file = await openFile(path, "file");
  const before = await file.stat();
  const lines = (step: "checking" | "queueing") => requests.read(bytesOf(file, before.size, step, watch));
  const bad: BadLine[] = [];
  let good = 0;
  for await (const each of lines("checking")) {
    if (each.kind === "request") good += 1;
    else bad.push({ line: each.line, reason: each.reason });
  }
  if (good === 0 && (await isOneValue(file)))
    throw new InputError(
      "file",
      "must be JSONL, one request per line, but is one JSON value; write each request on a line of its own, without a list around them",
      "not-jsonl",
    );
  if (bad.length > 0 && !(await watch.skipBad(bad, good))) throw badLines(bad);
  const ids: string[] = [];
  // What is withdrawn must not leave before, so that happens under the same hold.
  await llm.holdTriggers(async () => {
    try {
      for await (const chunk of chunks(lines("queueing")))
        ids.push(...(await llm.enqueueAll(chunk, options)));
      const after = await file.stat();
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs || ids.length !== good)
        throw new InputError("file", `${path} changed while it was read; nothing was queued`, "file-changed");
    } catch (error) {
      for (let at = 0; at < ids.length; at += CHUNK_REQUESTS)
        await journal.cancel(ids.slice(at, at + CHUNK_REQUESTS));
      throw error;
    }
  });
  return { ids, bad };
}

/** More than any white space before the first value. */
const HEAD_BYTES = 4096;

/** Whether a file begins as a list, as an object with one, or as an object that is spread over lines. */
async function isOneValue(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.toString("utf8", 0, bytesRead);
  return /^\uFEFF?\s*(?:\[|\{\s*"requests"\s*:|\{[ \t]*\r?\n\s*")/.test(head);
}

async function* bytesOf(
  file: FileHandle,
  size: number,
  step: "checking" | "queueing",
  { signal, progress }: ImportWatch,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) {
    if (signal?.aborted) throw new Cancelled();
    yield chunk;
    read += chunk.length;
    progress?.(step, size === 0 ? 1 : read / size);
  }
}

/** As many good requests as go into one transaction. */
async function* chunks(lines: ReturnType<Parts["requests"]["read"]>): AsyncGenerator<LlmRequestInput[]> {
  let chunk: LlmRequestInput[] = [];
  let characters = 0;
  for await (const each of lines) {
    if (each.kind === "bad") continue;
    chunk.push(each.input);
    characters += JSON.stringify(each.input).length;
    if (chunk.length < CHUNK_REQUESTS && characters < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

const SHOWN = 5;

/** The first bad lines as one text. */
export const listOf = (bad: readonly BadLine[]): string =>
  bad
    .slice(0, SHOWN)
    .map(({ line, reason }) => `${line}: ${reason}`)
    .concat(bad.length > SHOWN ? ["…"] : [])
    .join("\n");

function badLines(bad: readonly BadLine[]): InputError {
  const [lines, them, head] = bad.length === 1 ? ["line", "it", "Line"] : ["lines", "them", "Lines"];
  return new InputError(
    "file",
    `has ${bad.length} bad ${lines}, so nothing was queued; mend ${them} or set skipBad. ${head}:\n${listOf(bad)}`,
    "bad-lines",
  );
}
