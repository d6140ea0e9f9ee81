import type { Clock } from "./ports.ts";
import { withInfo, type InfoBatch } from "./batch-info.ts";
import type { JournalState, OperationView, Side } from "./snapshot.ts";
import type { StateStore } from "./state-store.ts";

/** The synchronous half of a batcher: answers from the last state, never from the disk. */
export abstract class StateView<Stats> {
  readonly #state: StateStore;
  readonly #clock: Clock;
  #lastFlush: number;

  constructor(state: StateStore, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
    this.#lastFlush = clock.now();
  }

  protected abstract side(state: JournalState): Side<Stats>;
  protected abstract maxAgeMs(): number;

  getPendingBatch(): InfoBatch | undefined {
    const [batch] = this.side(this.#state.current()).pending;
    return batch && withInfo(batch);
  }

  getStats(): Stats {
    return this.side(this.#state.current()).stats;
  }

  queueSize(): number {
    return this.side(this.#state.current()).queuedCount;
  }

  /** Pending and executing. */
  pendingBatchCount(): number {
    const { pending, executing } = this.side(this.#state.current());
    return pending.length + executing.length;
  }

  /** Newest first. */
  getExecutedBatches(): readonly InfoBatch[] {
    return this.side(this.#state.current()).executed.map(withInfo);
  }

  getBatchById(id: string): InfoBatch | undefined {
    const { pending, executing, executed } = this.side(this.#state.current());
    const found = [...pending, ...executing, ...executed].find((batch) => batch.id === id);
    return found && withInfo(found);
  }

  getQueuedOps(): readonly OperationView[] {
    return this.side(this.#state.current()).queued;
  }

  /** Milliseconds since this window last formed a batch, or since it opened. */
  timeSinceLastFlush(): number {
    return Math.max(0, this.#clock.now() - this.#lastFlush);
  }

  /** Whether the oldest queued operation has reached the age at which it would be flushed. */
  shouldFlush(): boolean {
    const oldest = this.getQueuedOps().find((operation) => operation.source !== "person");
    const age = oldest === undefined ? -1 : this.#clock.now() - Date.parse(oldest.enqueuedAt);
    return age >= this.maxAgeMs();
  }

  protected flushed(): void {
    this.#lastFlush = this.#clock.now();
  }
}
