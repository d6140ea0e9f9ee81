import type { Batch } from "./batch.ts";
import { StateError } from "./errors.ts";
import { unfence, type Fence, type Journal } from "./journal.ts";
import { isFinal, type StoredOperation } from "./operation.ts";
import { payloadsOf } from "./payloads-of.ts";
import type { Clock, NewId } from "./ports.ts";
import type { Result } from "./result.ts";
import type { StateStore } from "./state-store.ts";
import { StateView } from "./state-view.ts";

interface TransitionParts {
  readonly journal: Journal;
  readonly state: StateStore;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The steps a batch takes from pending to its end. */
export abstract class Transitions<Stats> extends StateView<Stats> {
  readonly #parts: TransitionParts;
  readonly #fences = new Map<string, Fence>();

  constructor(parts: TransitionParts) {
    super(parts.state, parts.clock);
    this.#parts = parts;
  }

  /**
   * The transitions of a batch, called by whoever holds its lane; without a fence, by this window for itself (only
   * sensible where no runner runs). A pending batch becomes executing.
   */
  async markBatchExecuting(id: string, fence?: Fence): Promise<Batch | undefined> {
    const batch = await this.batchOf(id);
    const claimed = unfence(
      await this.#parts.journal.claim(fence ?? (await this.#ownFence(batch)), id),
      batch.lane,
    );
    await this.#parts.state.refresh();
    return claimed;
  }

  /** Delivers the results of an executing batch; an operation without one has failed. */
  async markBatchCompleted(id: string, results: ReadonlyMap<string, Result>, fence?: Fence): Promise<void> {
    await this.#settle(
      id,
      fence,
      (operation) =>
        results.get(operation.id) ?? {
          id: operation.id,
          status: "failed",
          error: "The batch ended without a result for it.",
          reason: "no-result",
        },
    );
  }

  /** Fails every operation of an executing batch that has no result yet. */
  async markBatchFailed(id: string, error: string, reason = "failed", fence?: Fence): Promise<void> {
    await this.#settle(
      id,
      fence,
      (operation) => ({ id: operation.id, status: "failed", error, reason }),
      error,
    );
  }

  protected async batchOf(id: string): Promise<Batch> {
    const batch = await this.#parts.journal.batch(id);
    if (!batch) throw new StateError("not-found", `There is no batch ${id}.`);
    return batch;
  }

  /** Only where no runner leads the lane: the journal remembers one holder a lane. */
  async #ownFence(batch: Batch): Promise<Fence> {
    const known = this.#fences.get(batch.lane);
    if (known) return known;
    const fence = await this.#parts.journal.lead(batch.lane, this.#parts.newId(), { pid: 0, start: "" });
    this.#fences.set(batch.lane, fence);
    return fence;
  }

  async #settle(
    id: string,
    fence: Fence | undefined,
    resultOf: (operation: StoredOperation) => Result,
    error?: string,
  ): Promise<void> {
    const batch = await this.batchOf(id);
    if (batch.status !== "executing")
      throw new StateError("not-executing", `Batch ${id} is ${batch.status}.`);
    const held = fence ?? (await this.#ownFence(batch));
    for await (const page of this.payloads(id)) {
      const settled = page
        .filter((operation) => !isFinal(operation.status))
        .map((operation) => ({ result: resultOf(operation) }));
      const outcome = { settled, ...(error === undefined ? {} : { error }) };
      unfence(await this.#parts.journal.recordOutcome(held, id, outcome), batch.lane);
    }
    await this.#parts.state.refresh();
  }

  protected payloads(batch: string): AsyncIterable<readonly StoredOperation[]> {
    return payloadsOf(this.#parts.journal, batch);
  }
}
