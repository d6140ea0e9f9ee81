import type { Batch } from "../core/batch.ts";
import type { ProcessIdentity } from "../core/effect.ts";
import { FencedError, JournalError } from "../core/errors.ts";
import type { Executor, LaneLock, LaneLocks, StopReason, TurnEnd } from "../core/executor.ts";
import { unfence, type Fence, type Journal } from "../core/journal.ts";
import type { Clock, Logger } from "../core/ports.ts";
import { stopsLane } from "../core/snapshot.ts";
import type { Hold } from "../core/snapshot.ts";
import { backoffMs } from "./backoff.ts";
import { RunContext } from "./run-context.ts";
import { Wake } from "./wake.ts";

/** How often a window that does not lead asks for the lane's lock; a refused attempt costs microseconds. */
const LOCK_POLL_MS = 200;
/** A leader without work wakes by events; this only bounds what a lost event could cost. */
const IDLE_MS = 5_000;
/** A leader shows that it lives: at work each second, idle now and then; followers count these, see `StuckLeaders`. */
const BEAT_MS = 1_000;
const IDLE_BEATS = 30;
/** After so many unexpected errors in one batch its open operations fail, so that the ones behind it are not blocked. */
const MAX_CRASHES = 3;

export interface LaneParts {
  readonly journal: Journal;
  readonly locks: LaneLocks;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly log: Logger;
  readonly holder: string;
  readonly process: ProcessIdentity;
  /** Fails what is open in a batch, keeping what is final. */
  readonly fail: (batch: string, error: string, reason: string, fence: Fence) => Promise<void>;
  readonly changed: () => void;
}

/** One lane in one window: waits for its lock, then executes its batches one after the other until told to stop. */
export class LaneWorker {
  readonly lane: string;
  readonly #parts: LaneParts;
  readonly #wake: Wake;
  readonly #turns = new Map<string, AbortController>();
  readonly #follows = new Map<string, Promise<void>>();
  readonly #done: Promise<void>;
  /** Aborts when this window stops leading, whatever was asked of a batch before. */
  #leave = new AbortController();
  #held = false;
  #stopping = false;
  #deposed = false;

  constructor(lane: string, parts: LaneParts) {
    this.lane = lane;
    this.#parts = parts;
    this.#wake = new Wake(parts.clock);
    this.#done = this.#live();
  }

  held(): boolean {
    return this.#held;
  }

  /** Something may have changed for this lane. */
  wake(): void {
    this.#wake.now();
  }

  cancel(batch: string): void {
    this.#turns.get(batch)?.abort("cancel" satisfies StopReason);
    this.#wake.now();
  }

  /** Resolves once nothing of this lane runs here and its lock is free. */
  stop(): Promise<void> {
    this.#stopping = true;
    this.#abortAll("shutdown");
    this.#wake.now();
    return this.#done;
  }

  async #live(): Promise<void> {
    for (;;) {
      let lock: LaneLock | undefined;
      try {
        lock = await this.#parts.locks.tryAcquire(this.lane);
        if (lock) await this.#lead();
      } catch (error) {
        if (error instanceof FencedError) this.#parts.log.warn(error.message);
        else this.#parts.log.error(`The lane ${this.lane} stopped; it is tried again.`, error);
        await this.#wake.sleep(backoffMs(2));
      } finally {
        this.#abortAll(this.#isStopping() ? "shutdown" : "fenced");
        await Promise.allSettled(this.#follows.values());
        this.#setHeld(false);
        await lock?.release();
      }
      if (this.#isStopping()) return;
      await this.#wake.sleep(LOCK_POLL_MS);
    }
  }

  async #lead(): Promise<void> {
    const { journal, holder, process } = this.#parts;
    const fence = await journal.lead(this.lane, holder, process);
    this.#deposed = false;
    this.#leave = new AbortController();
    if (this.#isStopping()) this.#leave.abort("shutdown" satisfies StopReason);
    this.#setHeld(true);
    const stopBeating = this.#beat(fence);
    try {
      await this.#work(fence);
    } finally {
      stopBeating();
    }
    if (!this.#isStopping()) throw new FencedError(this.lane);
  }

  async #work(fence: Fence): Promise<void> {
    const { journal } = this.#parts;
    // What an earlier leader left executing comes first; its executor finds out what really happened.
    await this.#alone(async () => {
      for (const batch of await journal.executing(this.lane)) await this.#turn(batch, fence);
    });
    while (!this.#leaving()) {
      const worked = await this.#alone(async () => {
        if (await this.#heldUp()) return false;
        const batch = unfence(await journal.claim(fence), this.lane);
        if (batch) await this.#turn(batch, fence);
        return batch !== undefined;
      });
      if (!worked) await this.#wake.sleep(IDLE_MS);
    }
  }

  /** While nobody does something else to what the lane is about, such as undoing a batch. */
  async #alone<T>(task: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      const turn = await this.#parts.locks.tryAcquire(this.lane, "turn");
      if (turn) return task().finally(() => turn.release());
      if (this.#leaving()) return undefined;
      await this.#wake.sleep(LOCK_POLL_MS);
    }
  }

  /** Methods, because the flags change while the lane waits. */
  #isStopping(): boolean {
    return this.#stopping;
  }

  #leaving(): boolean {
    return this.#stopping || this.#deposed;
  }

  /** Holds whose time has come are over. */
  async #heldUp(): Promise<boolean> {
    const { journal, clock } = this.#parts;
    const holds = (await journal.state()).holds.filter((hold) => stopsLane(hold, this.lane));
    const isOver = ({ until }: Hold): boolean => until !== undefined && Date.parse(until) <= clock.now();
    for (const { kind, reason, lane } of holds.filter(isOver)) await journal.clearHolds(kind, reason, lane);
    return !holds.every(isOver);
  }

  /** Runs a batch under the lane until it ended, is followed beside the lane, or was handed back. */
  async #turn(batch: Batch, fence: Fence): Promise<void> {
    const { executor, journal, log } = this.#parts;
    const controller = this.#begin(batch);
    let crashes = 0;
    for (let attempt = 0; ; attempt++) {
      const context = new RunContext(journal, fence, batch.id, this.#signals(controller), log);
      let end: TurnEnd;
      try {
        end = await executor.run((await journal.batch(batch.id)) ?? batch, context);
      } catch (error) {
        if (error instanceof FencedError) throw error;
        log.error(`Batch ${batch.id} met an unexpected error.`, error);
        // A journal that cannot be written is no fault of the batch: it waits until it can.
        if (!(error instanceof JournalError) && ++crashes >= MAX_CRASHES) {
          await this.#parts.fail(batch.id, messageOf(error), "unexpected-error", fence);
          break;
        }
        end = { kind: "again", afterMs: backoffMs(attempt), because: messageOf(error) };
      }
      if (end.kind === "again" && !this.#leaving()) {
        log.info(`Batch ${batch.id} waits ${Math.round(end.afterMs)} ms: ${end.because}`);
        await this.#tell(batch, fence, end.because);
        await abortable(this.#parts.clock, end.afterMs, controller.signal);
        continue;
      }
      if (end.kind === "following") {
        this.#follow(batch, fence, controller);
        return;
      }
      if (end.kind === "held") await this.#hand(batch, fence, end);
      break;
    }
    this.#turns.delete(batch.id);
  }

  /** Answers how to stop. A beat that is fenced deposes this window at once, in the middle of a long step too. */
  #beat(fence: Fence): () => void {
    const { clock, journal, log } = this.#parts;
    let cancel = (): void => undefined;
    const next = (skipped: number): void => {
      cancel = clock.after(BEAT_MS, () => {
        if (this.#turns.size === 0 && skipped < IDLE_BEATS) {
          next(skipped + 1);
          return;
        }
        next(0);
        journal.beat(fence).then(
          (answer) => {
            if (answer.kind === "fenced") this.#depose();
          },
          (error: unknown) => log.debug(`A heartbeat was not written: ${messageOf(error)}`),
        );
      });
    };
    next(0);
    return () => cancel();
  }

  /** Lets people see what a batch waits for. That it cannot be written down stops nothing. */
  async #tell(batch: Batch, fence: Fence, because: string): Promise<void> {
    const { journal, log } = this.#parts;
    try {
      unfence(await journal.recordOutcome(fence, batch.id, { error: because }), this.lane);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      log.debug(`What batch ${batch.id} waits for was not written: ${messageOf(error)}`);
    }
  }

  #begin(batch: Batch): AbortController {
    const controller = new AbortController();
    this.#turns.set(batch.id, controller);
    if (this.#stopping) controller.abort("shutdown" satisfies StopReason);
    else if (batch.cancelRequested) controller.abort("cancel" satisfies StopReason);
    return controller;
  }

  /** Goes on beside the lane. */
  #follow(batch: Batch, fence: Fence, controller: AbortController): void {
    const follow = this.#followUntilEnd(batch, fence, controller)
      .catch((error: unknown) => {
        if (error instanceof FencedError) this.#depose();
        else this.#parts.log.error(`Following batch ${batch.id} stopped; the next start goes on.`, error);
      })
      .finally(() => {
        this.#turns.delete(batch.id);
        this.#follows.delete(batch.id);
        this.#wake.now();
      });
    this.#follows.set(batch.id, follow);
  }

  /** What is held goes back to the queue; what is to be tried again goes back to the lane, whose turn it needs. */
  async #followUntilEnd(batch: Batch, fence: Fence, controller: AbortController): Promise<void> {
    const { executor, journal, log, clock } = this.#parts;
    const { signal: leaving } = this.#leave;
    for (let attempt = 0; ; attempt++) {
      const context = new RunContext(journal, fence, batch.id, this.#signals(controller), log);
      try {
        const end = await executor.follow?.((await journal.batch(batch.id)) ?? batch, context);
        if (end?.kind === "held") await this.#hand(batch, fence, end);
        if (end?.kind !== "again") return;
        log.info(`Batch ${batch.id} waits ${Math.round(end.afterMs)} ms: ${end.because}`);
        await abortable(clock, end.afterMs, controller.signal);
        if (!leaving.aborted) unfence(await journal.release(fence, batch.id, "pending"), this.lane);
        return;
      } catch (error) {
        if (error instanceof FencedError) throw error;
        log.error(`Batch ${batch.id} met an unexpected error; it is followed again.`, error);
      }
      await abortable(clock, backoffMs(attempt), controller.signal);
      if (leaving.aborted) return;
    }
  }

  async #hand(batch: Batch, fence: Fence, end: Extract<TurnEnd, { kind: "held" }>): Promise<void> {
    await this.#hold(end, fence);
    unfence(await this.#parts.journal.release(fence, batch.id, "queue"), this.lane);
  }

  async #hold({ hold }: Extract<TurnEnd, { kind: "held" }>, fence: Fence): Promise<void> {
    this.#parts.log.warn(`Held: ${hold.reason}`);
    unfence(await this.#parts.journal.setHold({ ...hold, lane: this.lane }, fence), this.lane);
  }

  #depose(): void {
    this.#deposed = true;
    this.#abortAll("fenced");
    this.#wake.now();
  }

  #signals({ signal }: AbortController): Pick<RunContext, "signal" | "leaving"> {
    return { signal, leaving: this.#leave.signal };
  }

  #abortAll(reason: StopReason): void {
    this.#leave.abort(reason);
    for (const controller of this.#turns.values()) controller.abort(reason);
  }

  #setHeld(held: boolean): void {
    if (this.#held === held) return;
    this.#held = held;
    this.#parts.changed();
  }
}

function abortable(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    signal.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
