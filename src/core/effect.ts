/**
 * One step on the outside world: a ref transaction, a `git push`, a batch creation. It may carry many operations.
 * `intent` is durable before the step is taken; whoever finds an effect without an outcome asks the world what happened.
 */
export interface Effect {
  readonly batch: string;
  /** Counts from 0 within the batch. */
  readonly n: number;
  /** A word of the executor, such as `refs`, `push`, `create`. */
  readonly kind: string;
  readonly state: EffectState;
  readonly epoch: number;
  /** What the executor needs to find out what happened: old and new object ids, a baseline, a count. JSON text. */
  readonly plan: string;
  /** JSON text, once there is an outcome. */
  readonly result?: string;
  readonly process?: ProcessIdentity;
  readonly at: number;
}

/** Effects in the first three states are open. */
export type EffectState = "intent" | "started" | "unknown" | "done" | "failed" | "abandoned";
export type EffectOutcome = Exclude<EffectState, "intent" | "started">;

/** A child process in its own process group. `start` tells it from a later process with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string;
}

export const isOpen = (state: EffectState): boolean =>
  state === "intent" || state === "started" || state === "unknown";
