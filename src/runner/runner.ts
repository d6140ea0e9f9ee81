import type { ProcessIdentity } from "../core/effect.ts";
import type { Executor, LaneLocks } from "../core/executor.ts";
import type { Fence, Journal, JournalEvent, LaneOwner } from "../core/journal.ts";
import { sideOfLane } from "../core/operation.ts";
import type { SideName } from "../core/operation.ts";
import type { Clock, Disposable, Logger } from "../core/ports.ts";
import { LaneWorker } from "./lane-worker.ts";
import { StuckLeaders } from "./stuck-leaders.ts";

/** What a closing window may spend on letting its children end, in milliseconds. */
const DRAIN_MS = 4_000;

export interface RunnerParts {
  readonly journal: Journal;
  readonly locks: LaneLocks;
  readonly executors: Readonly<Record<SideName, Executor>>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names this window among all holders of a lane. */
  readonly holder: string;
  readonly process: ProcessIdentity;
  /** The batcher's transition to failed, by side. */
  readonly fail: (
    side: SideName,
    batch: string,
    error: string,
    reason: string,
    fence: Fence,
  ) => Promise<void>;
}

/** Executes pending batches of the lanes that this window may claim, one worker a lane. */
export class Runner implements Disposable {
  readonly #parts: RunnerParts;
  readonly #workers = new Map<string, LaneWorker>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #listeners = new Set<() => void>();
  readonly #watch: Disposable;
  readonly #stuck: StuckLeaders;
  #stopped = false;

  constructor(parts: RunnerParts, since: number) {
    this.#parts = parts;
    this.#watch = parts.journal.watch(since, (events) => this.#onEvents(events));
    this.#stuck = new StuckLeaders({
      ...parts,
      waitingFor: () => this.#waitingFor(),
      changed: () => this.#changed(),
    });
  }

  /** Sets the lanes that this window may claim from now on; lanes that are gone are left once their batch has stopped. */
  claim(lanes: readonly string[]): void {
    if (this.#stopped) return;
    const wanted = new Set(lanes);
    for (const [lane, worker] of this.#workers) {
      if (wanted.has(lane)) continue;
      this.#workers.delete(lane);
      const leaving = worker.stop().finally(() => this.#leaving.delete(leaving));
      this.#leaving.add(leaving);
    }
    for (const lane of wanted) if (!this.#workers.has(lane)) this.#workers.set(lane, this.#work(lane));
    this.#changed();
  }

  mayClaim(lane: string): boolean {
    return this.#workers.has(lane);
  }

  lanes(): readonly { readonly lane: string; readonly held: boolean }[] {
    return [...this.#workers.values()].map((worker) => ({ lane: worker.lane, held: worker.held() }));
  }

  /** This window holds every lane it may hold. */
  leader(): boolean {
    const lanes = this.lanes();
    return lanes.length > 0 && lanes.every((lane) => lane.held);
  }

  /** Leaders of lanes with open work that have shown no sign of life for a minute while they hold the lock. */
  stuckLeaders(): readonly LaneOwner[] {
    return this.#stuck.current();
  }

  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Stops within seconds; what does not end by then is found by the next leader. */
  async stop(): Promise<void> {
    this.dispose();
    const stopping = Promise.allSettled([
      ...[...this.#workers.values()].map((worker) => worker.stop()),
      ...this.#leaving,
    ]);
    this.#workers.clear();
    await Promise.race([
      stopping,
      new Promise<void>((resolve) => this.#parts.clock.after(DRAIN_MS, resolve)),
    ]);
  }

  dispose(): void {
    this.#stopped = true;
    this.#watch.dispose();
    this.#stuck.dispose();
    this.#listeners.clear();
  }

  /** Lanes that only the end of another process would give to this window. A lease ends by itself, and its holder may be on another machine. */
  #waitingFor(): readonly string[] {
    if (this.#parts.locks.capabilities.kind === "lease") return [];
    return this.lanes().flatMap(({ lane, held }) => (held ? [] : [lane]));
  }

  #work(lane: string): LaneWorker {
    const { executors, fail, ...parts } = this.#parts;
    const side = sideOfLane(lane);
    return new LaneWorker(lane, {
      ...parts,
      executor: executors[side],
      fail: (batch, error, reason, fence) => fail(side, batch, error, reason, fence),
      changed: () => this.#changed(),
    });
  }

  #onEvents(events: readonly JournalEvent[]): void {
    for (const worker of this.#workers.values()) {
      for (const event of events)
        if (event.type === "cancel" && event.batch !== undefined) worker.cancel(event.batch);
      if (
        events.some(
          (event) => event.type === "sealed" || event.type === "control" || event.type === "released",
        )
      )
        worker.wake();
    }
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
