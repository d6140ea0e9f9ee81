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
  tables.setHold(hold);
  emit(tables, "control", {});
}

export function clearHolds({ tables }: Transaction, side: SideName, reason: string | undefined): void {
  if (!tables.holds().some((hold) => hold.kind === side && (reason === undefined || hold.reason === reason)))
    return;
  tables.clearHolds(side, reason);
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

/** Drops the oldest finished batches, up to the step; an empty answer means that none is left. */
export function pruneStepOf({ tables }: Transaction, before: number): readonly string[] {
  const dropped: string[] = [];
  let operations = 0;
  for (const batch of tables.endedBefore(before, pruneStep)) {
    if (dropped.length > 0 && operations + batch.operationCount > pruneStep) break;
    tables.dropBatch(batch.id);
    dropped.push(batch.id);
    operations += batch.operationCount;
  }
  if (dropped.length > 0) emit(tables, "control", {});
  return dropped;
}
