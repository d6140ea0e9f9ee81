import * as v from "valibot";
import { parseInput } from "../../core/schema/inputs.ts";
import type { OperationStatus, SideName } from "../../core/operation.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import { operationView } from "../../core/view.ts";
import type { FlushPlan } from "../flush-plan.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import type { QueueNode } from "../tree/node.ts";
import type { Pickers } from "../ui/pickers.ts";
import { statusName } from "../words.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";
import { operationsIn } from "./subjects.ts";
import { WordedError } from "../worded-error.ts";

const MAX_PAGE = 1000;
const id = v.pipe(v.string("must be an id"), v.uuid("is not an id"));
const idInput = v.strictObject({ id });
const statuses: readonly OperationStatus[] = [
  "queued",
  "pending",
  "executing",
  "succeeded",
  "failed",
  "cancelled",
  "expired",
];
const pageInput = v.strictObject({
  batch: v.optional(id),
  status: v.optional(v.picklist(statuses, `must be one of ${statuses.join(", ")}`)),
  after: v.optional(id),
  limit: v.pipe(
    v.number("must be a number"),
    v.integer("must be a whole number"),
    v.minValue(1, "must be at least 1"),
    v.maxValue(MAX_PAGE, `must be at most ${MAX_PAGE}`),
  ),
});
const nothing = v.strictObject({});

/** What the commands here show. */
export interface Shows {
  panel(): void;
  result(id: string): Promise<void>;
  plan(sides: readonly SideName[], plan: FlushPlan): Promise<void>;
  log(): void;
  snapshot(): Snapshot;
  more(row: QueueNode): Promise<void>;
  dismiss(batches: readonly string[]): void;
}

type Names = "openPanel" | "openResult" | "getResult" | "getOperations" | "getState" | "showLog";

/** What only looks; works without trust. */
export function viewCommands(
  parts: Pick<Parts, "journal" | "state">,
  pickers: Pickers,
  shows: Shows,
  t: Translate,
): Pick<CommandTable, Names> {
  const simple = <Answer>(run: () => Answer | Promise<Answer>) =>
    define({
      trusted: false,
      parse: (input) => parseInput(nothing, input),
      ask: () => Promise.resolve({}),
      run: async () => run(),
    });
  return {
    openPanel: simple(() => {
      shows.panel();
      return undefined;
    }),
    showLog: simple(() => {
      shows.log();
      return undefined;
    }),
    getState: simple(async () => {
      await parts.state.refresh();
      return shows.snapshot();
    }),
    openResult: define({
      trusted: false,
      parse: (input) => parseInput(idInput, input),
      ask: async (subject) => {
        const [given] = operationsIn(subject);
        if (given !== undefined) return { id: given };
        const [chosen] = await pickers.operation(
          ({ kind, status }) =>
            kind === "request" && (status === "executing" || (isOver(status) && status !== "cancelled")),
          t("There is no finished LLM request yet."),
          t("Open Result"),
        );
        return { id: chosen };
      },
      run: async (input) => {
        await shows.result(input.id);
        return undefined;
      },
    }),
    getResult: define({
      trusted: false,
      parse: (input) => parseInput(idInput, input),
      ask: async () => ({
        id: (
          await pickers.operation(
            ({ status }) => isOver(status),
            t("There is no finished operation yet."),
            t("Get Result"),
          )
        )[0],
      }),
      run: async (input) => {
        const result = await parts.journal.result(input.id);
        if (result) return result;
        const operation = await parts.journal.operation(input.id);
        if (!operation) throw new WordedError("not-found", t("id: there is no operation {0}.", input.id));
        throw new WordedError(
          "not-final",
          t("id: the operation has no result yet; it is {0}.", statusName(operation.status, t)),
        );
      },
    }),
    getOperations: define({
      trusted: false,
      parse: (input) => parseInput(pageInput, input),
      ask: (): Promise<v.InferOutput<typeof pageInput>> => Promise.resolve({ limit: MAX_PAGE }),
      run: async ({ batch, status, after, limit }) =>
        (
          await parts.journal.operations({
            limit,
            ...(batch && { batch }),
            ...(status && { status }),
            ...(after && { after }),
          })
        ).map(operationView),
    }),
  };
}

const isOver = (status: OperationStatus): boolean =>
  status !== "queued" && status !== "pending" && status !== "executing";
