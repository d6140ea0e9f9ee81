import type { Batch } from "../core/batch.ts";
import type { Effect, EffectState, ProcessIdentity } from "../core/effect.ts";
import type { JournalEvent, LaneOwner } from "../core/journal.ts";
import type {
  FinalStatus,
  NewOperation,
  Operation,
  OperationStatus,
  Origin,
  SideName,
} from "../core/operation.ts";
import type { NewId } from "../core/ports.ts";
import type { Hold } from "../core/snapshot.ts";
import type { Counter, Counters } from "../core/stats.ts";

/**
 * Where a payload or a result is: in the row itself, or in a file named after its content. A file's `text` is there only
 * until a row names the file, so that it can be written again if it was swept away just before.
 */
export type Body = (
  | { readonly kind: "inline"; readonly text: string }
  | { readonly kind: "file"; readonly sha: string; readonly text?: string }
) & {
  /** The name of the codec that made the text; absent where it is as it was given. */
  readonly codec?: string;
};

/** A new operation whose payload has been put in its place. `bytes`: UTF-8 bytes of the payload as it was given. */
export interface AcceptedOperation extends Omit<NewOperation, "payload"> {
  readonly origin?: Origin;
  readonly body: Body;
  readonly bytes: number;
}
export type AcceptedEdit = Pick<
  AcceptedOperation,
  "group" | "lane" | "label" | "fingerprint" | "detail" | "body" | "bytes"
>;

export interface OperationWithBody {
  readonly operation: Operation;
  readonly body: Body;
}

/** How an operation became final. */
export interface Final {
  readonly status: FinalStatus;
  readonly error?: string | undefined;
  readonly reason?: string | undefined;
  /** Replaces the operation's where given. */
  readonly detail?: unknown;
  readonly body: Body;
}

export interface QueueTotals {
  readonly count: number;
  readonly bytes: number;
  readonly lastPosition: number;
}

export interface QueueRow {
  readonly group: string;
  readonly lane: string;
  readonly count: number;
  readonly oldestUnattended?: number;
}

/**
 * The rows that the verbs work on. Synchronous, so that a verb is one transaction with nothing in between. A batch's
 * `counts` are kept by the verbs; where a method moves many operations at once it answers how many it moved.
 */
export interface Tables {
  /** The next number of a sequence that never repeats. */
  nextPosition(): number;
  insertOperation(operation: AcceptedOperation, position: number): void;
  editOperation(id: string, edit: AcceptedEdit): void;
  operation(id: string): Operation | undefined;
  stored(id: string): OperationWithBody | undefined;
  byKey(idempotencyKey: string): { readonly id: string; readonly fingerprint: string } | undefined;
  setPosition(id: string, position: number): void;
  setDetail(id: string, detail: unknown): void;
  setFinal(id: string, final: Final, batch: string): void;
  resultBody(id: string): Body | undefined;

  /** In order of position. */
  queuedInGroup(
    group: string,
  ): readonly { readonly id: string; readonly position: number; readonly bytes: number }[];
  firstInGroup(group: string): Operation | undefined;
  queueTotals(group: string): QueueTotals | undefined;
  firstQueued(side: SideName, limit: number): readonly Operation[];
  queuedCount(side: SideName): number;
  queuedIds(side: SideName): readonly string[];
  queueRows(side: SideName): readonly QueueRow[];
  /** Everything queued in the group up to a position becomes pending in the batch. */
  assign(group: string, upTo: number, batch: string): void;

  restatus(batch: string, from: OperationStatus, to: OperationStatus): number;
  /** Open operations of a batch are queued again and leave it; answers how many and their bytes. */
  requeue(batch: string, from: number): { readonly count: number; readonly bytes: number };
  openInBatch(batch: string): readonly string[];
  /** At most `limit`, failed and expired ones first, then newest. */
  shownInBatch(batch: string, limit: number): readonly Operation[];
  list(query: {
    readonly batch?: string | undefined;
    readonly status?: OperationStatus | undefined;
    readonly after: number | undefined;
    readonly limit: number;
  }): readonly Operation[];
  bodiesInBatch(batch: string, after: number, limit: number): readonly OperationWithBody[];

  insertBatch(batch: Batch): void;
  updateBatch(batch: Batch): void;
  /** With its effects. */
  deleteBatch(id: string): void;
  batch(id: string): Batch | undefined;
  oldestPending(lane: string): Batch | undefined;
  executingInLane(lane: string): readonly Batch[];
  openLanes(): readonly string[];
  /** Oldest first. */
  active(side: SideName, status: "pending" | "executing", limit: number): readonly Batch[];
  /** Newest end first, after the batch of that id where one is given. */
  ended(side: SideName, limit: number, after?: string): readonly Batch[];
  /** Ids, oldest end first. */
  endedBefore(before: number, limit: number): readonly string[];
  /** Drops up to `limit` operations of a batch with their payloads and results; answers how many. */
  dropOperations(batch: string, limit: number): number;

  insertEffect(effect: Effect): void;
  setEffect(
    batch: string,
    n: number,
    state: EffectState,
    change: { readonly result?: string; readonly process?: ProcessIdentity },
  ): void;
  effects(batch: string): readonly Effect[];

  owner(lane: string): LaneOwner | undefined;
  owners(): readonly LaneOwner[];
  saveOwner(owner: LaneOwner): void;

  counters(): Counters;
  addToCounter(counter: Counter, amount: bigint): void;
  addToBatch(batch: string, amounts: Counters): void;
  /** What the batch has added to the counters. */
  batchCounters(batch: string): Counters;
  paused(side: SideName): boolean;
  setPaused(side: SideName, paused: boolean): void;
  holds(): readonly Hold[];
  setHold(hold: Hold): void;
  clearHold(hold: Hold): void;
  fact(key: string): string | undefined;
  setFact(key: string, value: string | undefined): void;

  appendEvent(event: Omit<JournalEvent, "sequence">): void;
  lastSequence(): number;
  eventsAfter(sequence: number, limit: number): readonly JournalEvent[];
}

/** What a verb works with: one transaction. */
export interface Transaction {
  readonly tables: Tables;
  readonly now: number;
  readonly newId: NewId;
}
