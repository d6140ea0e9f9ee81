import type { BatchView, Side, Snapshot } from "../../core/snapshot.ts";

/** A model pays for every word, so lists are cut; counts tell the totals. */
const MOST_QUEUED = 20;
const MOST_BATCHES = 10;
const MOST_OPERATIONS = 10;

/** A snapshot with its lists cut. */
export const shortState = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  git: shortSide(snapshot.git),
  llm: shortSide(snapshot.llm),
});

const shortSide = <Stats>(side: Side<Stats>): Side<Stats> => ({
  ...side,
  queued: side.queued.slice(0, MOST_QUEUED),
  pending: side.pending.slice(0, MOST_BATCHES).map(shortBatch),
  executing: side.executing.slice(0, MOST_BATCHES).map(shortBatch),
  executed: side.executed.slice(0, MOST_BATCHES).map(shortBatch),
});

/** Failed operations come first in a view, so these stay. */
export const shortBatch = (batch: BatchView): BatchView => ({
  ...batch,
  operations: batch.operations.slice(0, MOST_OPERATIONS),
});
