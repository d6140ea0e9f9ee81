import type { Batch } from "./batch.ts";
import type { Effect, EffectOutcome, ProcessIdentity } from "./effect.ts";
import { FencedError } from "./errors.ts";
import type { NewOperation, Operation, OperationStatus, SideName, StoredOperation } from "./operation.ts";
import type { Disposable } from "./ports.ts";
import type { Result } from "./result.ts";
import type { BatchView, Hold, JournalState } from "./snapshot.ts";
import type { StatsDelta } from "./stats.ts";

/**
 * The right of one holder to execute a lane. The epoch rises with each new holder, so a write that carries an older one
 * changes nothing and answers `fenced`.
 */
export interface Fence {
  readonly lane: string;
  readonly holder: string;
  readonly epoch: number;
}

/** `fenced`: nothing was written. */
export type Fenced<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "fenced" };

/** The value, or `FencedError` where another window has taken over. */
export function unfence<T>(fenced: Fenced<T>, lane: string): T {
  if (fenced.kind === "fenced") throw new FencedError(lane);
  return fenced.value;
}

/** Who led a lane last, alive or not. `beat` counts up while that leader is well; it is no time, for a sleep would make that lie. */
export interface LaneOwner {
  readonly lane: string;
  readonly holder: string;
  readonly epoch: number;
  readonly process: ProcessIdentity;
  readonly beat: number;
}

export type EnqueueOutcome =
  | { readonly kind: "inserted"; readonly id: string }
  /** Same idempotency key and fingerprint, or the same id. */
  | { readonly kind: "duplicate"; readonly id: string }
  /** Same idempotency key, other fingerprint; nothing was written for this one. */
  | { readonly kind: "conflict"; readonly id: string };

/** What a provider allows in one batch; a group beyond it is sealed into several batches, in order. */
export interface SealLimits {
  readonly maxCount?: number;
  readonly maxBytes?: number;
}

/** A group to be sealed; `detail`: what its batches say from the start. */
export interface SealGroup {
  readonly group: string;
  readonly limits?: SealLimits;
  readonly detail?: unknown;
}

/**
 * One operation's outcome. `detail`, where given, replaces the operation's. `stats` is added only if the operation becomes
 * final by this, so that an outcome that is ingested again counts nothing twice.
 */
export interface Settlement {
  readonly result: Result;
  readonly detail?: unknown;
  readonly stats?: StatsDelta;
}

/** Everything that becomes true together, in one transaction. */
export interface Outcome {
  readonly effect?: { readonly n: number; readonly state: EffectOutcome; readonly result?: unknown };
  /** Operations that become final. One that is final already is left as it is and counted nowhere. */
  readonly settled?: readonly Settlement[];
  /** Details of operations that go on, such as `{ checking: true }`. */
  readonly details?: ReadonlyMap<string, unknown>;
  readonly stats?: StatsDelta;
  readonly remoteId?: string;
  readonly detail?: unknown;
  /** What failed, or what the batch waits for; gone once an outcome without one gets the batch on. */
  readonly error?: string;
}

/** `queue`: its open operations are queued again, untouched, and the batch is gone; `pending`: it waits to be claimed again. */
export type ReleaseTo = "queue" | "pending";

export interface OperationQuery {
  readonly batch?: string;
  readonly status?: OperationStatus;
  /** The id of the last operation of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface HistoryQuery {
  readonly side: SideName;
  /** The id of the last batch of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface JournalEvent {
  readonly sequence: number;
  readonly type:
    "enqueued" | "sealed" | "claimed" | "progress" | "settled" | "released" | "edited" | "control" | "cancel";
  readonly batch?: string;
  readonly operations?: readonly string[];
}

export interface GroupQueue {
  readonly group: string;
  readonly lane: string;
  readonly count: number;
  /** `enqueuedAt` of the oldest queued operation that no person enqueued. */
  readonly oldestUnattended?: number;
  /** The lane has an executing batch. */
  readonly laneExecuting: boolean;
}

/**
 * The durable record of operations, batches and effects. Verbs, not tables; every verb is one transaction and resolves
 * when it is durable. Ids come from the caller. Rejects with `JournalError` when the store cannot be used and with
 * `StateError` when the state does not allow the verb.
 */
export interface Journal {
  /** Accepts all or, when it rejects, none; outcomes stand in the order given. */
  enqueue(operations: readonly NewOperation[]): Promise<readonly EnqueueOutcome[]>;
  /** Replaces what a queued operation asks for; its id, source, time and position stay. */
  edit(
    id: string,
    change: Pick<NewOperation, "group" | "lane" | "label" | "payload" | "fingerprint" | "detail">,
  ): Promise<void>;
  /** Moves a queued operation to an index within its group's queue. */
  move(id: string, to: number): Promise<void>;
  /** Cancels operations that have not started; each queued one becomes an executed batch of one. Rejects where one has started. */
  cancel(ids: readonly string[]): Promise<readonly Operation[]>;
  /** Cancels everything queued and pending of a side. */
  clear(side: SideName | undefined): Promise<readonly Operation[]>;

  /** Turns everything queued in these groups into pending batches, groups in order of their first operation. */
  seal(groups: readonly SealGroup[]): Promise<readonly Batch[]>;
  /** Asks whoever executes it to stop; cancels it at once where nobody has started. */
  requestCancel(batch: string): Promise<void>;

  /** Makes `holder` the lane's only writer. Called by who holds the lane's lock. */
  lead(lane: string, holder: string, process: ProcessIdentity): Promise<Fence>;
  /** Counts the leader's `beat` up. */
  beat(fence: Fence): Promise<Fenced<void>>;
  /** Of every lane that was ever led; with `beat`, what is needed to offer the takeover from a leader that hangs. */
  owners(): Promise<readonly LaneOwner[]>;
  /** The lane's oldest pending batch, or the one named where it is pending, becomes executing. */
  claim(fence: Fence, batch?: string): Promise<Fenced<Batch | undefined>>;
  /** Durable before the step is taken; answers the effect's number. */
  recordIntent(
    fence: Fence,
    batch: string,
    effect: { readonly kind: string; readonly plan: unknown },
  ): Promise<Fenced<number>>;
  recordStart(fence: Fence, batch: string, n: number, process: ProcessIdentity): Promise<Fenced<void>>;
  /** A batch whose operations are all final ends by itself. */
  recordOutcome(fence: Fence, batch: string, outcome: Outcome): Promise<Fenced<Batch>>;
  /** `from`: only operations from this position on go back to the queue, and the batch goes on with the others. */
  release(fence: Fence, batch: string, to: ReleaseTo, from?: number): Promise<Fenced<void>>;

  setPaused(side: SideName, paused: boolean): Promise<void>;
  /** One hold per side, reason and lane. With `fence`: only as long as that holder leads. */
  setHold(hold: Hold, fence?: Fence): Promise<Fenced<void>>;
  /** Lifts the holds of the fence's lane that have this reason. */
  liftHold(fence: Fence, reason: string): Promise<Fenced<void>>;
  clearHolds(side: SideName, reason?: string, lane?: string): Promise<void>;
  /**
   * Small facts that outlive a window, such as a host's learned limit. `undefined` forgets. `only`: where the fact is still
   * what it was when it was read; answers whether it was written.
   */
  remember(
    key: string,
    value: string | undefined,
    only?: { readonly was: string | undefined },
  ): Promise<boolean>;
  recall(key: string): Promise<string | undefined>;
  /**
   * Drops finished batches that ended longer ago by the store's own time, and what only they used; statistics stay. Answers
   * their ids.
   */
  prune(age: { readonly olderThanMs: number }): Promise<readonly string[]>;

  state(): Promise<JournalState>;
  queues(side: SideName): Promise<readonly GroupQueue[]>;
  /** Lanes that have pending or executing batches. */
  openLanes(): Promise<readonly string[]>;
  /** Executing batches of a lane, oldest first. */
  executing(lane: string): Promise<readonly Batch[]>;
  batch(id: string): Promise<Batch | undefined>;
  operation(id: string): Promise<StoredOperation | undefined>;
  operations(query: OperationQuery): Promise<readonly Operation[]>;
  /**
   * Finished batches, newest end first, each with as many of its operations as a snapshot would show. None after a batch
   * that was dropped, for what is older than that was dropped as well.
   */
  executed(query: HistoryQuery): Promise<readonly BatchView[]>;
  /**
   * Operations of a batch with their payloads, in order, after a position. A page of large payloads may be shorter than
   * `limit`; only an empty page is the end.
   */
  payloads(batch: string, after: number, limit: number): Promise<readonly StoredOperation[]>;
  effects(batch: string): Promise<readonly Effect[]>;
  result(id: string): Promise<Result | undefined>;
  /** Events after `since`, from every window, at least once, in order. */
  watch(since: number, listener: (events: readonly JournalEvent[]) => void): Disposable;
  close(): Promise<void>;
}
