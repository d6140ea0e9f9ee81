import type { Batch } from "./batch.ts";
import type { Effect, ProcessIdentity } from "./effect.ts";
import type { Fence, Outcome } from "./journal.ts";
import type { StoredOperation } from "./operation.ts";
import type { Logger } from "./ports.ts";
import type { Hold } from "./snapshot.ts";

/** Why an executor is told to stop: the abort reason of `ExecutionContext.signal`. */
export type StopReason = "cancel" | "shutdown" | "fenced";

/** What an executor may do to the journal, always under its fence. Each verb throws `FencedError` once the lane is lost. */
export interface ExecutionContext {
  readonly fence: Fence;
  readonly signal: AbortSignal;
  /** Aborts when this window is to stop, also after `signal` was aborted for `cancel`. */
  readonly leaving?: AbortSignal;
  readonly log: Logger;
  intent(kind: string, plan: unknown): Promise<number>;
  started(n: number, process: ProcessIdentity): Promise<void>;
  outcome(outcome: Outcome): Promise<Batch>;
  /** All effects recorded for this batch so far; those without an outcome are to be reconciled before anything else. */
  effects(): Promise<readonly Effect[]>;
  /** The batch's operations with payloads, page by page in order. */
  operations(): AsyncIterable<readonly StoredOperation[]>;
  /** Stops the lane until what is wrong is mended, while this batch goes on with what it has begun. */
  hold(hold: Hold): Promise<void>;
  /** Lifts the lane's holds of this reason: what it stands for works again. */
  lift(reason: string): Promise<void>;
  /** Queues its open operations from this position on again, untouched; it goes on with those before. */
  requeue(from: number): Promise<void>;
}

/** How a turn of an executor ended. */
export type TurnEnd =
  /** Every operation is final. */
  | { readonly kind: "ended" }
  /** The lane is free again; `follow` goes on beside other batches. */
  | { readonly kind: "following" }
  /** Nothing happened outside; try again after a while (transient trouble). */
  | { readonly kind: "again"; readonly afterMs: number; readonly because: string }
  /** Nothing happened outside and nothing will until a person mends it; open operations go back to the queue. */
  | { readonly kind: "held"; readonly hold: Hold }
  /** Stopped because `signal` was aborted for `shutdown` or `fenced`; whoever leads next goes on. */
  | { readonly kind: "stopped" };

/**
 * Does a batch's work and reports per operation. `run` is called for a freshly claimed batch and again for one that an
 * earlier leader left executing: it looks at the recorded effects first, so calling it twice never acts twice.
 */
export interface Executor {
  /** Runs under the lane, alone. On `cancel` it stops, finds out what finished, keeps that and ends the batch. */
  run(batch: Batch, context: ExecutionContext): Promise<TurnEnd>;
  /**
   * Goes on with a batch whose `run` answered `following`, beside others; also after a restart. After `again` the batch waits
   * for the lane and `run` is called; after `held` its open operations are queued again, as after `run`.
   */
  follow?(batch: Batch, context: ExecutionContext): Promise<TurnEnd>;
}

/**
 * How a lock falls, besides by its release. `os`: with its process, which the operating system sees; no time that passes
 * takes it from a holder that lives, so one that hangs is ended by a person or not at all. `lease`: also under a holder that
 * lives, once it has not renewed it for long enough by `clock`. Only a server's clock may say so, for a window's own
 * sleeps with its machine and can be set. The fence of the journal stops what a holder writes after its lock fell.
 *
 * `scope`: whom it keeps out: everybody who asks the server, every process on the machine, or only the parts of this one.
 */
export type LockCapabilities =
  | { readonly kind: "os"; readonly clock: "local"; readonly scope: "machine" | "process" }
  | { readonly kind: "lease"; readonly clock: "server"; readonly scope: "server" };

/**
 * What a lock on a lane is for. `lead`: held as long as a window leads the lane. `turn`: held by the leader while it works
 * on a batch, and by any window while it does something else that no batch may meet.
 */
export type LockPurpose = "lead" | "turn";

/** Locks on lanes; each falls when the process dies, at the latest when the capabilities say so. */
export interface LaneLocks {
  readonly capabilities: LockCapabilities;
  /** Never waits: `undefined` when it is held already. `purpose`: `lead` where left out. */
  tryAcquire(lane: string, purpose?: LockPurpose): Promise<LaneLock | undefined>;
}

export interface LaneLock {
  readonly lane: string;
  release(): Promise<void>;
}
