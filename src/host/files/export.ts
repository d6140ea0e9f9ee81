import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { InputError, StateError } from "../../core/errors.ts";
import { isFinal } from "../../core/operation.ts";
import { payloadsOf } from "../../core/payloads-of.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import type { Exported } from "../../llm/index.ts";
import type { Parts } from "../parts.ts";

const exportInput = v.strictObject({
  batch: v.optional(v.pipe(v.string("must be the id of a batch"), v.uuid("is not an id"))),
  file: v.pipe(
    v.string("must be the absolute path of a file"),
    v.check(isAbsolute, "must be the absolute path of a file"),
  ),
});
export type ExportInput = v.InferOutput<typeof exportInput>;
export const parseExport = (input: unknown): ExportInput => parseInput(exportInput, input);

const PAGE = 500;

/** Writes the results of one batch, or of every finished request, as JSONL; answers how many. The file appears when it is whole. */
export async function exportResults(
  { batch, file }: ExportInput,
  parts: Pick<Parts, "journal" | "requests">,
): Promise<{ readonly count: number }> {
  const results = batch === undefined ? allResults(parts) : await batchResults(batch, parts);
  const folder = await stat(dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new InputError("file", `there is no folder ${dirname(file)}`);
  let count = 0;
  const partial = `${file}.${randomUUID()}.part`;
  try {
    await pipeline(
      async function* () {
        for await (const line of parts.requests.write(results)) {
          count += 1;
          yield line;
        }
      },
      createWriteStream(partial, { flags: "wx" }),
    );
    await rename(partial, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    await rm(partial, { force: true });
    if (typeof code === "string")
      throw new InputError("file", `cannot be written: ${error instanceof Error ? error.message : code}`);
    throw error;
  }
  return { count };
}

async function batchResults(
  id: string,
  { journal }: Pick<Parts, "journal">,
): Promise<AsyncGenerator<Exported>> {
  const batch = await journal.batch(id);
  if (!batch) throw new StateError("not-found", `batch: there is no batch ${id}.`);
  if (batch.side !== "llm") throw new StateError("not-requests", `batch: ${id} holds no LLM requests.`);
  return (async function* () {
    for await (const page of payloadsOf(journal, id)) {
      for (const operation of page) {
        const result = await journal.result(operation.id);
        if (result) yield { operation, result };
      }
    }
  })();
}

async function* allResults({ journal }: Pick<Parts, "journal">): AsyncGenerator<Exported> {
  for (let after: string | undefined; ;) {
    const page = await journal.operations({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { id, kind, status } of page) {
      if (kind !== "request" || !isFinal(status)) continue;
      const [operation, result] = await Promise.all([journal.operation(id), journal.result(id)]);
      if (operation && result) yield { operation, result };
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}
