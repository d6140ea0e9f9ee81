import type { Batch } from "../core/batch.ts";
import type { Effect, ProcessIdentity } from "../core/effect.ts";
import type { ExecutionContext } from "../core/executor.ts";
import { unfence, type Fence, type Journal, type Outcome } from "../core/journal.ts";
import type { StoredOperation } from "../core/operation.ts";
import type { Logger } from "../core/ports.ts";
import type { Hold } from "../core/snapshot.ts";

const PAGE = 500;

/** The journal's fenced verbs for one batch; a fenced answer becomes a `FencedError`. */
export class RunContext implements ExecutionContext {
  readonly fence: Fence;
  readonly signal: AbortSignal;
  readonly leaving: AbortSignal;
  readonly log: Logger;
  readonly #journal: Journal;
  readonly #batch: string;

  constructor(
    journal: Journal,
    fence: Fence,
    batch: string,
    signals: Pick<RunContext, "signal" | "leaving">,
    log: Logger,
  ) {
    this.#journal = journal;
    this.fence = fence;
    this.#batch = batch;
    this.signal = signals.signal;
    this.leaving = signals.leaving;
    this.log = log;
  }

  async intent(kind: string, plan: unknown): Promise<number> {
    return unfence(
      await this.#journal.recordIntent(this.fence, this.#batch, { kind, plan }),
      this.fence.lane,
    );
  }

  async started(n: number, process: ProcessIdentity): Promise<void> {
    unfence(await this.#journal.recordStart(this.fence, this.#batch, n, process), this.fence.lane);
  }

  async outcome(outcome: Outcome): Promise<Batch> {
    return unfence(await this.#journal.recordOutcome(this.fence, this.#batch, outcome), this.fence.lane);
  }

  async hold(hold: Hold): Promise<void> {
    const { lane } = this.fence;
    this.log.warn(`Held: ${hold.reason}`);
    unfence(await this.#journal.setHold({ ...hold, lane }, this.fence), lane);
  }

  async lift(reason: string): Promise<void> {
    unfence(await this.#journal.liftHold(this.fence, reason), this.fence.lane);
  }

  async requeue(from: number): Promise<void> {
    unfence(await this.#journal.release(this.fence, this.#batch, "queue", from), this.fence.lane);
  }

  effects(): Promise<readonly Effect[]> {
    return this.#journal.effects(this.#batch);
  }

  async *operations(): AsyncIterable<readonly StoredOperation[]> {
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const page = await this.#journal.payloads(this.#batch, after, PAGE);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.position;
    }
  }
}
