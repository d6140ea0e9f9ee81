import type { Batch } from "../core/batch.ts";
import type { ProcessIdentity } from "../core/effect.ts";
import { StateError } from "../core/errors.ts";
import type {
  Fence,
  Fenced,
  LaneOwner,
  Outcome,
  ReleaseTo,
  SealGroup,
  SealLimits,
  Settlement,
} from "../core/journal.ts";
import type { Operation } from "../core/operation.ts";
import { isFinal, sideOf, sideOfLane } from "../core/operation.ts";
import type { Hold } from "../core/snapshot.ts";
import * as control from "./control-verbs.ts";
import { requireBatch } from "./queue-verbs.ts";
import { addStats, emit, saveBatch, settledStats, shifted, split } from "./rules.ts";
import type { Body, Transaction } from "./tables.ts";

/** A settlement whose result has been put in its place. */
interface PlacedSettlement extends Settlement {
  readonly body: Body;
}
export interface PlacedOutcome extends Omit<Outcome, "settled"> {
  readonly settled: readonly PlacedSettlement[];
}

export function seal(transaction: Transaction, groups: readonly SealGroup[]): readonly Batch[] {
  const { tables } = transaction;
  return [...new Map(groups.map((wanted) => [wanted.group, wanted])).values()]
    .flatMap((wanted) => {
      const first = tables.firstInGroup(wanted.group);
      return first === undefined ? [] : [{ ...wanted, first }];
    })
    .sort((a, b) => a.first.position - b.first.position)
    .flatMap((wanted) =>
      parts(transaction, wanted.group, wanted.limits).map((part) => sealPart(transaction, wanted, part)),
    );
}

interface Part {
  readonly count: number;
  readonly bytes: number;
  readonly lastPosition: number;
}

function parts({ tables }: Transaction, group: string, limits: SealLimits | undefined): readonly Part[] {
  const whole = tables.queueTotals(group);
  if (whole === undefined) return [];
  const { maxCount = Infinity, maxBytes = Infinity } = limits ?? {};
  if (whole.count <= maxCount && whole.bytes <= maxBytes) return [whole];
  return split(tables.queuedInGroup(group), { maxCount, maxBytes }).map((items) => ({
    count: items.length,
    bytes: items.reduce((sum, { bytes }) => sum + bytes, 0),
    lastPosition: items.at(-1)?.position ?? 0,
  }));
}

function sealPart(
  { tables, now, newId }: Transaction,
  { group, detail, first }: SealGroup & { readonly first: Pick<Operation, "lane" | "kind"> },
  part: Part,
): Batch {
  const { lane } = first;
  const batch: Batch = {
    id: newId(),
    side: sideOf(first.kind),
    group,
    lane,
    status: "pending",
    createdAt: now,
    operationCount: part.count,
    bytes: part.bytes,
    counts: { pending: part.count },
    cancelRequested: false,
    ...(detail === undefined ? {} : { detail }),
  };
  tables.insertBatch(batch);
  tables.assign(group, part.lastPosition, batch.id);
  emit(tables, "sealed", { batch: batch.id });
  return batch;
}

export function lead({ tables }: Transaction, lane: string, holder: string, process: ProcessIdentity): Fence {
  const epoch = (tables.owner(lane)?.epoch ?? 0) + 1;
  tables.saveOwner({ lane, holder, epoch, process, beat: 0 });
  return { lane, holder, epoch };
}

/** Runs the verb only for who leads the lane now. */
function fenced<T>({ tables }: Transaction, fence: Fence, verb: (owner: LaneOwner) => T): Fenced<T> {
  const owner = tables.owner(fence.lane);
  if (owner?.epoch !== fence.epoch || owner.holder !== fence.holder) return { kind: "fenced" };
  return { kind: "done", value: verb(owner) };
}

export const beat = (transaction: Transaction, fence: Fence): Fenced<void> =>
  fenced(transaction, fence, (owner) => transaction.tables.saveOwner({ ...owner, beat: owner.beat + 1 }));

/** Without a fence: whoever sets it leads no lane. */
export function setHold(transaction: Transaction, hold: Hold, fence: Fence | undefined): Fenced<void> {
  if (fence !== undefined) return fenced(transaction, fence, () => control.setHold(transaction, hold));
  control.setHold(transaction, hold);
  return { kind: "done", value: undefined };
}

export const liftHold = (transaction: Transaction, fence: Fence, reason: string): Fenced<void> =>
  fenced(transaction, fence, () =>
    control.clearHolds(transaction, sideOfLane(fence.lane), reason, fence.lane),
  );

export const claim = (
  transaction: Transaction,
  fence: Fence,
  id: string | undefined,
): Fenced<Batch | undefined> =>
  fenced(transaction, fence, () => {
    const { tables, now } = transaction;
    const batch = id === undefined ? tables.oldestPending(fence.lane) : requireInLane(transaction, fence, id);
    if (batch?.status !== "pending") return undefined;
    const moved = tables.restatus(batch.id, "pending", "executing");
    const claimed: Batch = {
      ...batch,
      status: "executing",
      startedAt: now,
      counts: shifted(batch.counts, "pending", "executing", moved),
    };
    tables.updateBatch(claimed);
    emit(tables, "claimed", { batch: batch.id });
    return claimed;
  });

export const recordIntent = (
  transaction: Transaction,
  fence: Fence,
  id: string,
  effect: { readonly kind: string; readonly plan: unknown },
): Fenced<number> =>
  fenced(transaction, fence, () => {
    const { tables, now } = transaction;
    requireExecuting(transaction, fence, id);
    const n = tables.effects(id).length;
    const plan = JSON.stringify(effect.plan ?? null);
    tables.insertEffect({
      batch: id,
      n,
      kind: effect.kind,
      state: "intent",
      epoch: fence.epoch,
      plan,
      at: now,
    });
    return n;
  });

export const recordStart = (
  transaction: Transaction,
  fence: Fence,
  id: string,
  n: number,
  process: ProcessIdentity,
): Fenced<void> =>
  fenced(transaction, fence, () => {
    requireExecuting(transaction, fence, id);
    requireEffect(transaction, id, n);
    transaction.tables.setEffect(id, n, "started", { process });
  });

export const recordOutcome = (
  transaction: Transaction,
  fence: Fence,
  id: string,
  outcome: PlacedOutcome,
): Fenced<Batch> =>
  fenced(transaction, fence, () => {
    const { tables } = transaction;
    const before = requireInLane(transaction, fence, id);
    if (before.status === "pending") throw notExecuting(before);
    const { effect } = outcome;
    const members = outcome.settled.map((settlement) => ({
      ...settlement,
      kind: requireMember(transaction, before, settlement.result.id).kind,
    }));
    if (effect !== undefined) {
      requireEffect(transaction, id, effect.n);
      const result = effect.result === undefined ? {} : { result: JSON.stringify(effect.result) };
      tables.setEffect(id, effect.n, effect.state, result);
    }
    for (const [operation, detail] of outcome.details ?? [])
      setDetail(transaction, before, operation, detail);
    const settled = members.filter((settlement) => settle(transaction, before, settlement));
    const stats = settled.flatMap(({ kind, result, stats: own = {} }) => [
      settledStats(kind, result.status),
      own,
    ]);
    addStats(tables, id, ...stats, outcome.stats ?? {});
    // What a batch waited for is over once it gets on.
    const { error: _waited, ...onward } = before;
    const goesOn = outcome.remoteId !== undefined || settled.length > 0;
    const batch = saveBatch(transaction, {
      ...(goesOn ? onward : before),
      counts: settledCounts(before.counts, settled),
      ...(outcome.error === undefined ? {} : { error: outcome.error }),
      ...(outcome.remoteId === undefined ? {} : { remoteId: outcome.remoteId }),
      ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
    });
    if (settled.length > 0)
      emit(tables, "settled", { batch: id, operations: settled.map(({ result }) => result.id) });
    else emit(tables, "progress", { batch: id });
    return batch;
  });

function settledCounts(counts: Batch["counts"], settled: readonly PlacedSettlement[]): Batch["counts"] {
  const byStatus = Map.groupBy(settled, ({ result }) => result.status);
  return [...byStatus].reduce(
    (sum, [status, { length }]) => shifted(sum, "executing", status, length),
    counts,
  );
}

function setDetail({ tables }: Transaction, batch: Batch, id: string, detail: unknown): void {
  const operation = tables.operation(id);
  if (operation?.batch === batch.id && !isFinal(operation.status)) tables.setDetail(id, detail);
}

/** Answers whether the operation became final by this. */
function settle(transaction: Transaction, batch: Batch, { result, detail, body }: PlacedSettlement): boolean {
  // Read again: the outcome may name an operation twice.
  if (isFinal(requireMember(transaction, batch, result.id).status)) return false;
  transaction.tables.setFinal(
    result.id,
    { status: result.status, error: result.error, reason: result.reason, detail, body },
    batch.id,
  );
  return true;
}

export const release = (
  transaction: Transaction,
  fence: Fence,
  id: string,
  to: ReleaseTo,
  from = Number.MIN_SAFE_INTEGER,
): Fenced<void> =>
  fenced(transaction, fence, () => {
    const { tables } = transaction;
    const batch = requireExecuting(transaction, fence, id);
    if (to === "pending") toPending(transaction, batch);
    else toQueue(transaction, batch, from);
    emit(tables, "released", { batch: id });
  });

function toPending({ tables }: Transaction, batch: Batch): void {
  const moved = tables.restatus(batch.id, "executing", "pending");
  const { startedAt: _, ...rest } = batch;
  tables.updateBatch({
    ...rest,
    status: "pending",
    counts: shifted(batch.counts, "executing", "pending", moved),
  });
}

/** What is final already stays behind in the batch, which ends with that, unless something before `from` is open. */
function toQueue(transaction: Transaction, batch: Batch, from: number): void {
  const { tables } = transaction;
  const left = tables.requeue(batch.id, from);
  const operationCount = batch.operationCount - left.count;
  if (operationCount === 0) tables.deleteBatch(batch.id);
  else {
    const counts = shifted(batch.counts, "executing", undefined, left.count);
    saveBatch(transaction, { ...batch, operationCount, bytes: batch.bytes - left.bytes, counts });
  }
}

function requireInLane(transaction: Transaction, fence: Fence, id: string): Batch {
  const batch = requireBatch(transaction, id);
  if (batch.lane !== fence.lane)
    throw new StateError("wrong-lane", `Batch ${id} belongs to ${batch.lane}, not to ${fence.lane}.`);
  return batch;
}

function requireExecuting(transaction: Transaction, fence: Fence, id: string): Batch {
  const batch = requireInLane(transaction, fence, id);
  if (batch.status !== "executing") throw notExecuting(batch);
  return batch;
}

function requireMember({ tables }: Transaction, batch: Batch, id: string): Operation {
  const operation = tables.operation(id);
  if (operation?.batch !== batch.id)
    throw new StateError("not-found", `Operation ${id} is not in batch ${batch.id}.`);
  return operation;
}

function requireEffect({ tables }: Transaction, batch: string, n: number): void {
  if (!tables.effects(batch).some((effect) => effect.n === n)) {
    throw new StateError("not-found", `Batch ${batch} has no effect ${n}.`);
  }
}

const notExecuting = ({ id, status }: Batch): StateError =>
  new StateError("not-executing", `Batch ${id} is ${status}.`);
