import { Batcher, keyConflict } from "../core/batcher.ts";
import type { BatcherParts, EnqueueOptions } from "../core/batcher.ts";
import type { NewOperation } from "../core/operation.ts";
import type { LlmRequestInput } from "../core/schema/inputs.ts";
import type { JournalState, OperationView, Side } from "../core/snapshot.ts";
import type { LlmStats } from "../core/stats.ts";

/** Queues LLM requests; one group per provider, type and model, one lane per provider. */
export class LlmBatcher extends Batcher<LlmRequestInput, LlmStats> {
  constructor(parts: BatcherParts<LlmRequestInput>) {
    super(parts, {
      side: "llm",
      defaults: { maxBatchSize: 10, maxBatchAge: 2 },
      serialIntake: false,
      collectWhileExecuting: false,
    });
  }

  /** Queues all of them in one transaction, or none; answers their ids in order. Rejects as `enqueue` does. */
  async enqueueAll(
    inputs: readonly LlmRequestInput[],
    { source = "extension", interactive = false }: EnqueueOptions = {},
  ): Promise<readonly string[]> {
    const { acceptor, clock, journal, newId } = this.parts;
    const immediate = new Set<string>();
    const operations = await Promise.all(
      inputs.map(async (input): Promise<NewOperation> => {
        const id = newId();
        const { immediate: atOnce, ...draft } = await acceptor.accept(input, { id, source, interactive });
        if (atOnce) immediate.add(draft.group);
        return { ...draft, id, source, enqueuedAt: clock.now(), payload: JSON.stringify(draft.payload) };
      }),
    );
    const outcomes = await journal.enqueue(operations);
    const conflict = outcomes.find(({ kind }) => kind === "conflict");
    if (conflict) {
      await journal.cancel(outcomes.filter(({ kind }) => kind === "inserted").map(({ id }) => id));
      throw keyConflict(conflict.id);
    }
    await this.accepted([...immediate]);
    return outcomes.map(({ id }) => id);
  }

  /** The queued requests by group, groups and requests in queue order. */
  groupByTypeAndModel(): ReadonlyMap<string, readonly OperationView[]> {
    return Map.groupBy(this.getQueuedOps(), (operation) => operation.group);
  }

  protected override side(state: JournalState): Side<LlmStats> {
    return state.llm;
  }
}
