import type { BatchView, OperationView, Side, Snapshot } from "../../core/snapshot.ts";
import type { Translate } from "../l10n.ts";
import { batchErrorText, failureText } from "../reason-words.ts";

/** What went wrong, in the reader's language, for a page that cannot translate. */
export function toldSnapshot(snapshot: Snapshot, t: Translate): Snapshot {
  return { ...snapshot, git: toldSide(snapshot.git, t), llm: toldSide(snapshot.llm, t) };
}

export const toldBatches = (batches: readonly BatchView[], t: Translate): readonly BatchView[] =>
  batches.map((batch) => toldBatch(batch, t));

function toldSide<Stats>(side: Side<Stats>, t: Translate): Side<Stats> {
  return {
    ...side,
    pending: toldBatches(side.pending, t),
    executing: toldBatches(side.executing, t),
    executed: toldBatches(side.executed, t),
  };
}

function toldBatch(batch: BatchView, t: Translate): BatchView {
  const { error, operations } = batch;
  if (error === undefined && operations.every((operation) => operation.error === undefined)) return batch;
  return {
    ...batch,
    operations: operations.map((operation) => toldOperation(operation, t)),
    ...(error === undefined ? {} : { error: batchErrorText(error, t) }),
  };
}

const toldOperation = (operation: OperationView, t: Translate): OperationView =>
  operation.error === undefined
    ? operation
    : { ...operation, error: failureText(operation.error, operation.reason, t) };
