import type { Batch } from "../core/batch.ts";
import { StateError } from "../core/errors.ts";
import type { EnqueueOutcome } from "../core/journal.ts";
import type { Operation, SideName } from "../core/operation.ts";
import { sideOf } from "../core/operation.ts";
import { emit, saveBatch, shifted, sides } from "./rules.ts";
import type { AcceptedEdit, AcceptedOperation, Body, Transaction } from "./tables.ts";

export function enqueue(
  { tables }: Transaction,
  operations: readonly AcceptedOperation[],
): readonly EnqueueOutcome[] {
  const outcomes = operations.map((operation): EnqueueOutcome => {
    const { id, idempotencyKey } = operation;
    const known = idempotencyKey === undefined ? undefined : tables.byKey(idempotencyKey);
    if (known !== undefined) {
      return { kind: known.fingerprint === operation.fingerprint ? "duplicate" : "conflict", id: known.id };
    }
    if (tables.operation(id) !== undefined) return { kind: "duplicate", id };
    tables.insertOperation(operation, tables.nextPosition());
    return { kind: "inserted", id };
  });
  const inserted = outcomes.filter((outcome) => outcome.kind === "inserted").map(({ id }) => id);
  if (inserted.length > 0) emit(tables, "enqueued", { operations: inserted });
  return outcomes;
}

export function edit(transaction: Transaction, id: string, change: AcceptedEdit): void {
  const { tables } = transaction;
  requireQueued(transaction, id);
  tables.editOperation(id, change);
  emit(tables, "edited", { operations: [id] });
}

/** The operations in between hand their positions on, so that no position is ever new or used twice. */
export function move(transaction: Transaction, id: string, to: number): void {
  const { tables } = transaction;
  const operation = requireQueued(transaction, id);
  const before = tables.queuedInGroup(operation.group);
  const order = before.filter((other) => other.id !== id);
  order.splice(
    Math.max(0, Math.min(Math.trunc(to), order.length)),
    0,
    ...before.filter((other) => other.id === id),
  );
  order.forEach((other, index) => {
    const position = before[index]?.position ?? other.position;
    if (position !== other.position) tables.setPosition(other.id, position);
  });
  emit(tables, "edited", { operations: [id] });
}

export function cancel(transaction: Transaction, ids: readonly string[]): readonly Operation[] {
  const { tables } = transaction;
  const operations = [...new Set(ids)].map((id) => {
    const operation = requireOperation(transaction, id);
    if (operation.status !== "queued" && operation.status !== "pending") throw started(operation);
    return operation;
  });
  for (const operation of operations) cancelOne(transaction, operation);
  if (operations.length > 0) emit(tables, "settled", { operations: operations.map(({ id }) => id) });
  return operations.map(({ id }) => requireOperation(transaction, id));
}

export function clear(transaction: Transaction, side: SideName | undefined): readonly Operation[] {
  const { tables } = transaction;
  const ids = (side === undefined ? sides : [side]).flatMap((one) => [
    ...tables.queuedIds(one),
    ...tables.active(one, "pending", Infinity).flatMap((batch) => tables.openInBatch(batch.id)),
  ]);
  return cancel(transaction, ids);
}

export function requestCancel(transaction: Transaction, id: string): void {
  const { tables } = transaction;
  const batch = requireBatch(transaction, id);
  switch (batch.status) {
    case "pending":
      cancel(transaction, tables.openInBatch(id));
      return;
    case "executing":
      if (batch.cancelRequested) return;
      tables.updateBatch({ ...batch, cancelRequested: true });
      emit(tables, "cancel", { batch: id });
      return;
    case "completed":
    case "failed":
    case "cancelled":
      throw new StateError("already-ended", `Batch ${id} has ended already.`);
  }
}

function cancelOne(transaction: Transaction, operation: Operation): void {
  const { tables } = transaction;
  const batch =
    operation.batch === undefined
      ? loneBatch(transaction, operation)
      : requireBatch(transaction, operation.batch);
  tables.setFinal(operation.id, { status: "cancelled", body: cancelledResult(operation.id) }, batch.id);
  if (operation.batch !== undefined)
    saveBatch(transaction, { ...batch, counts: shifted(batch.counts, "pending", "cancelled", 1) });
}

/** A queued operation that is cancelled becomes an executed batch of one, so that it is seen among what is finished. */
function loneBatch({ tables, now, newId }: Transaction, operation: Operation): Batch {
  const batch: Batch = {
    id: newId(),
    side: sideOf(operation.kind),
    group: operation.group,
    lane: operation.lane,
    status: "cancelled",
    createdAt: now,
    endedAt: now,
    operationCount: 1,
    bytes: operation.bytes,
    counts: { cancelled: 1 },
    cancelRequested: false,
  };
  tables.insertBatch(batch);
  return batch;
}

const cancelledResult = (id: string): Body => ({
  kind: "inline",
  text: JSON.stringify({ id, status: "cancelled" }),
});

export function requireBatch({ tables }: Transaction, id: string): Batch {
  const batch = tables.batch(id);
  if (batch === undefined) throw new StateError("not-found", `There is no batch ${id}.`);
  return batch;
}

function requireOperation({ tables }: Transaction, id: string): Operation {
  const operation = tables.operation(id);
  if (operation === undefined) throw new StateError("not-found", `There is no operation ${id}.`);
  return operation;
}

function requireQueued(transaction: Transaction, id: string): Operation {
  const operation = requireOperation(transaction, id);
  if (operation.status !== "queued") throw started(operation);
  return operation;
}

const started = ({ label, status }: Operation): StateError =>
  new StateError("already-started", `"${label}" cannot be changed any more: it is ${status}.`);
