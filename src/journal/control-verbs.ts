import type { GroupQueue } from "../core/journal.ts";
import type { SideName } from "../core/operation.ts";
import type { Hold } from "../core/snapshot.ts";
import { emit } from "./rules.ts";
import type { Tables, Transaction } from "./tables.ts";

export function setPaused({ tables }: Transaction, side: SideName, paused: boolean): void {
  if (tables.paused(side) === paused) return;
  tables.setPaused(side, paused);
  emit(tables, "control", {});
}

export function setHold({ tables }: Transaction, hold: Hold): void {
  const same = ({ kind, reason, lane, until }: Hold): boolean =>
    kind === hold.kind && reason === hold.reason && lane === hold.lane && until === hold.until;
  if (tables.holds().some(same)) return;
  tables.setHold(hold);
  emit(tables, "control", {});
}

export function clearHolds(
  { tables }: Transaction,
  side: SideName,
  reason: string | undefined,
  lane: string | undefined,
): void {
  const meant = (hold: Hold): boolean =>
    hold.kind === side &&
    (reason === undefined || hold.reason === reason) &&
    (lane === undefined || hold.lane === lane);
  const holds = tables.holds().filter(meant);
  if (holds.length === 0) return;
  for (const hold of holds) tables.clearHold(hold);
  emit(tables, "control", {});
}

export function groupQueues(tables: Tables, side: SideName): readonly GroupQueue[] {
  const executing = new Map<string, boolean>();
  return tables.queueRows(side).map((row) => {
    const laneExecuting = executing.get(row.lane) ?? tables.executingInLane(row.lane).length > 0;
    executing.set(row.lane, laneExecuting);
    return { ...row, laneExecuting };
  });
}

/** How many operations one transaction of a prune may drop, so that others get their turn in between. */
const pruneStep = 2000;

/** Drops the oldest finished batches, up to the step; a batch goes with the last of its operations. */
export function pruneStepOf(
  { tables, now }: Transaction,
  { olderThanMs }: { readonly olderThanMs: number },
): { readonly dropped: readonly string[]; readonly more: boolean } {
  const dropped: string[] = [];
  let left = pruneStep;
  for (const id of tables.endedBefore(now - olderThanMs, pruneStep)) {
    left -= tables.dropOperations(id, left);
    if (left <= 0) break;
    tables.deleteBatch(id);
    dropped.push(id);
  }
  if (dropped.length > 0) emit(tables, "control", {});
  return { dropped, more: left <= 0 || dropped.length === pruneStep };
}
