import * as v from "valibot";
import { isFinal, sideOf } from "../../core/operation.ts";
import type { OperationKind, StoredOperation } from "../../core/operation.ts";
import { payloadsOf } from "../../core/payloads-of.ts";
import { parseInput, record } from "../../core/schema/inputs.ts";
import type { BatchView, OperationView } from "../../core/snapshot.ts";
import type { Translate } from "../l10n.ts";
import type { GitSide, LlmSide, Parts, UndoReport } from "../parts.ts";
import type { BranchGate } from "../branch-gate.ts";
import type { Edit, TextField } from "../ui/edit-flow.ts";
import type { Pickers } from "../ui/pickers.ts";
import { statusName } from "../words.ts";
import type { Subject } from "./caller.ts";
import { define } from "./command.ts";
import type { Caller, CommandTable } from "./command.ts";
import { WordedError } from "../worded-error.ts";

const id = v.pipe(v.string("must be the id of an operation or a batch"), v.uuid("is not an id"));
const idInput = v.strictObject({ id });
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
  | "cancelOperation"
  | "editOperation"
  | "moveOperation"
  | "retryOperation"
  | "undoBatch"
  | "cancelBatch"
  | "retryBatch";

/** What can be done to one operation or one batch. */
export function operationCommands(
  parts: Pick<Parts, "journal" | "git" | "llm" | "undo">,
  pickers: Pickers,
  branches: BranchGate,
  edits: Edits,
  t: Translate,
): Pick<CommandTable, Names> {
  const ofOperation = async (operation: string): Promise<GitSide | LlmSide> => {
    const found = await parts.journal.operation(operation);
    if (!found) throw new WordedError("not-found", t("id: there is no operation {0}.", operation));
    return parts[sideOf(found.kind)];
  };
  const ofBatch = async (batch: string): Promise<GitSide | LlmSide> => {
    const found = await parts.journal.batch(batch);
    if (!found) throw new WordedError("not-found", t("id: there is no batch {0}.", batch));
    return parts[found.side];
  };
  const undo = async (id: string): Promise<UndoReport> => {
    const batch = await parts.journal.batch(id);
    if (!batch) throw new WordedError("not-found", t("id: there is no batch {0}.", id));
    if (batch.side !== "git")
      throw new WordedError("not-git", t("id: only a batch of git operations can be undone."));
    if (batch.endedAt === undefined)
      throw new WordedError(
        "not-final",
        t("id: the batch is {0}; wait for its end or cancel it first.", statusName(batch.status, t)),
      );
    const report = await parts.undo(batch);
    // What runs in the repository moves the very branches that would be put back.
    if (!report)
      throw new WordedError(
        "busy",
        t("id: another batch of this repository is executing; undo once it has ended."),
      );
    return report;
  };
  /** Those that may concern a branch. */
  const unsuccessful = async (batches: Ids): Promise<readonly StoredOperation[]> => {
    const found: StoredOperation[] = [];
    for (const batch of batches) {
      if ((await parts.journal.batch(batch))?.side !== "git") continue;
      for await (const page of payloadsOf(parts.journal, batch))
        found.push(...page.filter(({ status }) => status !== "succeeded"));
    }
    return found;
  };
  const operationsFor = async (
    subject: Subject,
    may: (view: OperationView) => boolean,
    none: string,
  ): Promise<Ids> => chosen(subject, "operation") ?? (await pickers.operation(may, none));
  const batchesFor = async (
    subject: Subject,
    may: (view: BatchView) => boolean,
    none: string,
  ): Promise<Ids> => chosen(subject, "batch") ?? (await pickers.batch(may, none));
  const parse = (input: unknown): Ids => [parseInput(idInput, input).id];

  return {
    cancelOperation: define({
      trusted: true,
      parse,
      ask: (subject) =>
        operationsFor(
          subject,
          ({ status }) => status === "queued" || status === "pending",
          t("There is no queued or pending operation to cancel."),
        ),
      run: async (ids) => {
        for (const operation of ids) await (await ofOperation(operation)).cancel(operation);
        return undefined;
      },
    }),
    editOperation: define<EditInput | (Edit & { readonly id: string }), undefined>({
      trusted: true,
      parse: (input) => parseInput(editInput, input),
      ask: async (subject) => {
        const [operation] = await operationsFor(
          subject,
          ({ status }) => status === "queued",
          t("There is no queued operation to edit."),
        );
        const stored = await parts.journal.operation(operation);
        if (!stored) throw new WordedError("not-found", t("id: there is no operation {0}.", operation));
        const input = await parts[sideOf(stored.kind)].inputOf(operation);
        return { ...(await edits.ask(stored.kind, input)), id: operation };
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
      parse: (input) => parseInput(moveInput, input),
      ask: async (subject) => {
        const [operation] = await operationsFor(
          subject,
          ({ status }) => status === "queued",
          t("There is no queued operation to move."),
        );
        return { id: operation, to: await pickers.position() };
      },
      run: async (input) => {
        await (await ofOperation(input.id)).move(input.id, input.to);
        return undefined;
      },
    }),
    retryOperation: define({
      trusted: true,
      parse,
      ask: (subject) =>
        operationsFor(
          subject,
          ({ status }) => isFinal(status) && status !== "succeeded",
          t("There is no finished, unsuccessful operation to retry."),
        ),
      run: async (ids, caller) => {
        const stored = await Promise.all(ids.map((operation) => parts.journal.operation(operation)));
        await branches.passAgain(
          stored.filter((operation) => operation !== undefined),
          caller,
        );
        const made: { id: string }[] = [];
        for (const operation of ids)
          made.push(await (await ofOperation(operation)).retry(operation, asked(caller).source));
        const [first] = made;
        if (!first) throw new WordedError("not-found", t("id: names no operation."));
        return first;
      },
    }),
    cancelBatch: define({
      trusted: true,
      parse,
      ask: (subject) =>
        batchesFor(
          subject,
          ({ status }) => status === "pending" || status === "executing",
          t("There is no pending or executing batch to cancel."),
        ),
      run: async (ids) => {
        for (const batch of ids) await (await ofBatch(batch)).cancelBatch(batch);
        return undefined;
      },
    }),
    undoBatch: define({
      trusted: true,
      parse,
      ask: (subject) =>
        batchesFor(
          subject,
          (view) => view.group.startsWith("git:") && isOver(view),
          t("There is no finished batch of git operations to undo."),
        ),
      run: async ([batch], caller) => {
        const report = await undo(batch);
        if (caller === "person") pickers.tellUndone(report);
        return report;
      },
    }),
    retryBatch: define({
      trusted: true,
      parse,
      ask: (subject) =>
        batchesFor(
          subject,
          isUnsuccessful,
          t("There is no finished batch with an unsuccessful operation to retry."),
        ),
      run: async (ids, caller) => {
        await branches.passAgain(await unsuccessful(ids), caller);
        const made: string[] = [];
        for (const batch of ids)
          made.push(...(await (await ofBatch(batch)).retryBatch(batch, asked(caller).source)).ids);
        return { ids: made };
      },
    }),
  };
}

/** At least one. */
type Ids = readonly [string, ...string[]];

/** Who enqueues, in the words of the batchers. */
export const asked = (caller: Caller): { source: "person" | "extension"; interactive: boolean } =>
  caller === "person" ? { source: "person", interactive: true } : { source: "extension", interactive: false };

const isOver = ({ status }: BatchView): boolean => status !== "pending" && status !== "executing";
const isUnsuccessful = (view: BatchView): boolean =>
  isOver(view) && (view.counts["succeeded"] ?? 0) < view.operationCount;

function chosen(subject: Subject, kind: "operation" | "batch"): Ids | undefined {
  if (subject.kind !== "nodes") return undefined;
  const [first, ...rest] = subject.nodes.flatMap(({ ref }) =>
    ref.kind === "operation" && kind === "operation"
      ? [ref.operation]
      : ref.kind === "batch" && kind === "batch"
        ? [ref.batch]
        : [],
  );
  return first === undefined ? undefined : [first, ...rest];
}
