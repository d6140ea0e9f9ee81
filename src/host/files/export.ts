import { isAbsolute } from "node:path";
import * as v from "valibot";
import { StateError } from "../../core/errors.ts";
import { isFinal } from "../../core/operation.ts";
import { payloadsOf } from "../../core/payloads-of.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import type { Exported } from "../../llm/index.ts";
import type { Parts } from "../parts.ts";
import { writeWhole } from "./write-whole.ts";

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
  let count = 0;
  await writeWhole(file, async function* () {
    for await (const line of parts.requests.write(results)) {
      count += 1;
      yield line;
    }
  });
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
