import * as v from "valibot";
import { isFinal, sideOf } from "../../core/operation.ts";
import type { OperationKind, StoredOperation } from "../../core/operation.ts";
import { parseInput, record } from "../../core/schema/inputs.ts";
import type { BatchView, OperationView } from "../../core/snapshot.ts";
import type { BranchGate } from "../branch-gate.ts";
import type { Translate } from "../l10n.ts";
import type { Moves } from "../moves.ts";
import type { Parts } from "../parts.ts";
import type { Edit, TextField } from "../ui/edit-flow.ts";
import type { Pickers } from "../ui/pickers.ts";
import { WordedError } from "../worded-error.ts";
import { asked } from "./asked.ts";
import type { Subject } from "./caller.ts";
import { cancelOperations } from "./cancel.ts";
import { define } from "./command.ts";
import type { CommandTable } from "./command.ts";
import { doEach } from "./each.ts";
import { sideOfBatch, sideOfOperation, toldBatches, toldOperations } from "./of-operation.ts";
import { queuedAgain } from "./retry.ts";
import type { RetryBatches } from "./retry.ts";
import { batchesIn, operationsIn, parseId } from "./subjects.ts";

const id = v.pipe(v.string("must be the id of an operation or a batch"), v.uuid("is not an id"));
const editInput = v.strictObject({
  id,
  patch: record(v.unknown(), "must be an object with the fields to change"),
});
const moveInput = v.strictObject({
  id,
  to: v.pipe(
    v.number("must be an index"),
    v.integer("must be a whole number"),
    v.minValue(0, "must not be negative"),
  ),
});

type EditInput = v.InferOutput<typeof editInput>;

/** How a person edits. */
export interface Edits {
  /** Rejects with `Cancelled` when dismissed. */
  ask(kind: OperationKind, input: Readonly<Record<string, unknown>>): Promise<Edit>;
  /** Opens a long text in an editor; saving it edits the operation. */
  open(id: string, field: TextField): Promise<void>;
}

type Names =
  "cancelOperation" | "editOperation" | "moveOperation" | "retryOperation" | "cancelBatch" | "retryBatch";

interface OperationDeps {
  readonly parts: Pick<Parts, "journal" | "git" | "llm">;
  readonly pickers: Pickers;
  readonly branches: BranchGate;
  readonly edits: Edits;
  readonly moves: Pick<Moves, "block">;
  readonly retryBatches: RetryBatches;
  /** Says for a moment that something is done. */
  readonly hint: (message: string) => void;
  readonly t: Translate;
  /** A number as the reader's language writes it. */
  readonly count: (value: number) => string;
}

/** What can be done to one operation or one batch, or to several rows. */
export function operationCommands({
  parts,
  pickers,
  branches,
  edits,
  moves,
  retryBatches,
  hint,
  t,
  count,
}: OperationDeps): Pick<CommandTable, Names> {
  const ofOperation = sideOfOperation(parts, t);
  const ofBatch = sideOfBatch(parts, t);
  const told = toldOperations(parts.journal, t, count);
  const operationsFor = async (
    subject: Subject,
    title: string,
    may: (view: OperationView) => boolean,
    none: string,
  ): Promise<Ids> => atLeastOne(operationsIn(subject)) ?? (await pickers.operation(may, none, title));
  const batchesFor = async (
    subject: Subject,
    title: string,
    may: (view: BatchView) => boolean,
    none: string,
  ): Promise<Ids> => atLeastOne(batchesIn(subject)) ?? (await pickers.batch(may, none, title));
  const parse = (input: unknown): Ids => [parseId(input)];

  return {
    cancelOperation: define({
      trusted: true,
      parse,
      ask: (subject) =>
        operationsFor(
          subject,
          t("Cancel Operation"),
          ({ status }) => status === "queued" || status === "pending",
          t("There is no queued or pending operation to cancel."),
        ),
      run: async (ids) => {
        await cancelOperations(ids, parts, ofOperation, told);
        return undefined;
      },
    }),
    editOperation: define<EditInput | (Edit & { readonly id: string }), undefined>({
      trusted: true,
      parse: (input) => parseInput(editInput, input),
      ask: async (subject) => {
        const [operation] = await operationsFor(
          subject,
          t("Edit Queued Operation"),
          ({ status }) => status === "queued",
          t("There is no queued operation to edit."),
        );
        const stored = await parts.journal.operation(operation);
        if (!stored) throw new WordedError("not-found", t("id: there is no operation {0}.", operation));
        const input = await parts[sideOf(stored.kind)].inputOf(operation);
        return { ...(await edits.ask(stored.kind, { ...settled(stored), ...input })), id: operation };
      },
      run: async (input, caller) => {
        if ("field" in input) {
          await edits.open(input.id, input.field);
          return undefined;
        }
        const stored = await parts.journal.operation(input.id);
        await branches.passAgain(stored ? [stored] : [], caller, input.patch);
        await (await ofOperation(input.id)).edit(input.id, input.patch, asked(caller).source);
        return undefined;
      },
    }),
    moveOperation: define({
      trusted: true,
      parse: (input) => {
        const { id: operation, to } = parseInput(moveInput, input);
        return { ids: [operation] as Ids, to };
      },
      ask: async (subject) => ({
        ids: await operationsFor(
          subject,
          t("Move Queued Operation"),
          ({ status }) => status === "queued",
          t("There is no queued operation to move."),
        ),
        to: await pickers.position(),
      }),
      run: async ({ ids, to }) => {
        // The queue is only read for several, which are to end up beside each other.
        const [only] = ids;
        const steps = ids.length === 1 ? [{ id: only, to }] : await moves.block(ids, to);
        await doEach(steps, async (step) => (await ofOperation(step.id)).move(step.id, step.to), {
          ...told,
          name: (step) => told.name(step.id),
        });
        return undefined;
      },
    }),
    retryOperation: define({
      trusted: true,
      parse,
      ask: (subject) =>
        operationsFor(
          subject,
          t("Retry Operation"),
          ({ status }) => isFinal(status) && status !== "succeeded",
          t("There is no finished, unsuccessful operation to retry."),
        ),
      run: async (ids, caller) => {
        const stored = (await Promise.all(ids.map((operation) => parts.journal.operation(operation)))).filter(
          (operation) => operation !== undefined,
        );
        await branches.passAgain(stored, caller);
        // Among several rows, what has succeeded needs no retry.
        const succeeded = new Set(
          stored.filter(({ status }) => status === "succeeded").map((operation) => operation.id),
        );
        const open = ids.filter((operation) => !succeeded.has(operation));
        const retried = await doEach(
          open.length > 0 ? open : ids,
          async (operation) => (await ofOperation(operation)).retry(operation, asked(caller).source),
          told,
        );
        const [first] = retried;
        if (!first) throw new WordedError("not-found", t("id: names no operation."));
        if (caller === "person") hint(queuedAgain(retried.length, { t, count }));
        return first;
      },
    }),
    cancelBatch: define({
      trusted: true,
      parse,
      ask: (subject) =>
        batchesFor(
          subject,
          t("Cancel Batch"),
          ({ status }) => status === "pending" || status === "executing",
          t("There is no pending or executing batch to cancel."),
        ),
      run: async (ids) => {
        await doEach(
          ids,
          async (batch) => (await ofBatch(batch)).cancelBatch(batch),
          toldBatches(parts.journal, t, count),
        );
        return undefined;
      },
    }),
    retryBatch: define({
      trusted: true,
      parse,
      ask: (subject) =>
        batchesFor(
          subject,
          t("Retry Unsuccessful Operations of Batch"),
          isUnsuccessful,
          t("There is no finished batch with an unsuccessful operation to retry."),
        ),
      run: async (ids, caller) => ({ ids: await retryBatches(ids, caller) }),
    }),
  };
}

/** The branch and the remote that were found for what was asked for without naming them. */
function settled({ detail }: StoredOperation): Readonly<Record<string, unknown>> {
  if (typeof detail !== "object" || detail === null) return {};
  return Object.fromEntries(
    Object.entries(detail).filter(([name]) => name === "branch" || name === "remote"),
  );
}

/** At least one. */
type Ids = readonly [string, ...string[]];

const isOver = ({ status }: BatchView): boolean => status !== "pending" && status !== "executing";
const isUnsuccessful = (view: BatchView): boolean =>
  isOver(view) && (view.counts["succeeded"] ?? 0) < view.operationCount;

function atLeastOne(ids: readonly string[]): Ids | undefined {
  const [first, ...rest] = ids;
  return first === undefined ? undefined : [first, ...rest];
}
