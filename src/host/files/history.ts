import { extname, isAbsolute } from "node:path";
import * as v from "valibot";
import type { Operation, SideName } from "../../core/operation.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import type { BatchView } from "../../core/snapshot.ts";
import type { Counter } from "../../core/stats.ts";
import { operationView } from "../../core/view.ts";
import type { Parts } from "../parts.ts";
import { writeWhole } from "./write-whole.ts";

const historyInput = v.strictObject({
  file: v.pipe(
    v.string("must be the absolute path of a file"),
    v.check(isAbsolute, "must be the absolute path of a file"),
  ),
  /** As the name ends where it is absent: `.json`, else CSV. */
  format: v.optional(v.picklist(["csv", "json"], "must be csv or json")),
});
export type HistoryInput = v.InferOutput<typeof historyInput>;
export const parseHistory = (input: unknown): HistoryInput => parseInput(historyInput, input);

const PAGE = 100;
const OPERATIONS_PAGE = 500;

/** Writes every finished batch that is kept, git first, newest first; answers how many. */
export async function exportHistory(
  { file, format }: HistoryInput,
  { journal }: { readonly journal: Pick<Parts["journal"], "executed" | "operations"> },
): Promise<{ readonly count: number }> {
  let count = 0;
  async function* counted(): AsyncGenerator<Finished> {
    for await (const batch of finishedBatches(journal)) {
      count += 1;
      yield batch;
    }
  }
  const asJson = (format ?? (extname(file).toLowerCase() === ".json" ? "json" : "csv")) === "json";
  await writeWhole(file, () => (asJson ? json(counted(), journal) : csv(counted())));
  return { count };
}

interface Finished {
  readonly side: SideName;
  readonly batch: BatchView;
}

async function* finishedBatches(journal: Pick<Parts["journal"], "executed">): AsyncGenerator<Finished> {
  for (const side of ["git", "llm"] as const) {
    for (let after: string | undefined; ;) {
      const page = await journal.executed({ side, limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const batch of page) yield { side, batch };
      after = page.at(-1)?.id;
      if (page.length < PAGE) break;
    }
  }
}

/** An array with one batch a line, each with all of its operations. */
async function* json(
  batches: AsyncIterable<Finished>,
  journal: Pick<Parts["journal"], "operations">,
): AsyncGenerator<string> {
  let before = "[\n";
  for await (const { side, batch } of batches) {
    const operations = (await operationsOf(batch.id, journal)).map(operationView);
    yield `${before}${JSON.stringify({ side, ...batch, operations })}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function operationsOf(
  batch: string,
  journal: Pick<Parts["journal"], "operations">,
): Promise<readonly Operation[]> {
  const all: Operation[] = [];
  for (let after: string | undefined; ;) {
    const page = await journal.operations({
      batch,
      limit: OPERATIONS_PAGE,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page);
    after = page.at(-1)?.id;
    if (page.length < OPERATIONS_PAGE) return all;
  }
}

type Cell = string | number | undefined;
const pico = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : value / 1e12;

/** Names stay the same in every language, for programs read them. Money is in US dollars. */
const columns: readonly (readonly [name: string, of: (finished: Finished) => Cell])[] = [
  ["id", ({ batch }) => batch.id],
  ["side", ({ side }) => side],
  ["group", ({ batch }) => batch.group],
  ["status", ({ batch }) => batch.status],
  ["created_at", ({ batch }) => batch.createdAt],
  ["started_at", ({ batch }) => batch.startedAt],
  ["ended_at", ({ batch }) => batch.endedAt],
  ["operations", ({ batch }) => batch.operationCount],
  ...["succeeded", "failed", "expired", "cancelled"].map(
    (status) => [status, ({ batch }: Finished): Cell => batch.counts[status] ?? 0] as const,
  ),
  ["pushes_asked_for", stat("git.pushesDelivered")],
  ["pushes_made", stat("git.pushesExecuted")],
  ["answers", stat("llm.answered")],
  ["api_calls", stat("llm.apiCalls")],
  ["input_tokens", stat("llm.inputTokens")],
  ["output_tokens", stat("llm.outputTokens")],
  ["cost_usd", ({ batch }) => pico(batch.stats?.["llm.costPico"])],
  ["standard_cost_usd", ({ batch }) => pico(batch.stats?.["llm.standardCostPico"])],
  ["unpriced_requests", stat("llm.unpricedRequests")],
  ["provider_id", ({ batch }) => batch.remoteId],
  ["error", ({ batch }) => batch.error],
];

function stat(counter: Counter): (finished: Finished) => Cell {
  return ({ batch }) => batch.stats?.[counter];
}

/** RFC 4180, with a byte order mark, without which spreadsheets take the text for another encoding. */
async function* csv(batches: AsyncIterable<Finished>): AsyncGenerator<string> {
  yield `\uFEFF${line(columns.map(([name]) => name))}`;
  for await (const finished of batches) yield line(columns.map(([, of]) => of(finished)));
}

const line = (cells: readonly Cell[]): string => `${cells.map(cell).join(",")}\r\n`;

function cell(value: Cell): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  // A spreadsheet would run a text that begins like a formula; an error message comes from outside.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
