import { Batcher, type BatcherParts } from "../core/batcher.ts";
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

  /** The queued requests by group, groups and requests in queue order. */
  groupByTypeAndModel(): ReadonlyMap<string, readonly OperationView[]> {
    return Map.groupBy(this.getQueuedOps(), (operation) => operation.group);
  }

  protected override side(state: JournalState): Side<LlmStats> {
    return state.llm;
  }
}
