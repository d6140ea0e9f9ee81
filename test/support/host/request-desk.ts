import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 } from "uuid";
import type { Result } from "../../../src/core/result.ts";
import { StateStore } from "../../../src/core/state-store.ts";
import type { TriggerSettings } from "../../../src/core/triggers.ts";
import { requestTools } from "../../../src/host/request-tools.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { LlmAcceptor } from "../../../src/llm/acceptor.ts";
import { LlmBatcher } from "../../../src/llm/index.ts";
import { createProviders } from "../../../src/llm/providers/index.ts";
import { ManualClock } from "../core/manual-clock.ts";
import { MemoryLog } from "../core/memory-log.ts";

/** The LLM side with the real rules for requests, nobody who sends them, and a folder that goes away at the end. */
export async function openRequestDesk(triggers: Partial<TriggerSettings> = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "batch-control-desk-")));
  const clock = new ManualClock();
  const journal = new MemoryJournal({ clock, newId: () => v7() });
  const log = new MemoryLog();
  const state = await StateStore.open(journal, clock, log);
  const settings = () =>
    ({ provider: "anthropic", anthropicBaseUrl: "", openaiBaseUrl: "", prices: {} }) as const;
  const provider = createProviders({ settings, clock, apiKey: () => Promise.resolve(undefined) });
  const acceptor = new LlmAcceptor({ settings, clock, provider });
  const limits = { maxBatchSize: 10, maxBatchAge: 3600, autoFlush: true, ...triggers };
  const newId = () => v7();
  const llm = new LlmBatcher({ journal, state, clock, log, newId, acceptor, settings: () => limits });
  const requests = requestTools({ acceptor, provider }, settings, clock);

  /** Ends everything queued as one batch for each group; a text is the answer, anything else is what came of it. */
  async function answer(of: (id: string, index: number) => string | Omit<Result, "id">): Promise<string[]> {
    const batches = await llm.flush();
    for (const { id, operations } of batches) {
      await llm.markBatchExecuting(id);
      const inOrder = operations.map(({ id: operation }) => operation).sort();
      const results = inOrder.map((operation, index): [string, Result] => {
        const came = of(operation, index);
        return [
          operation,
          typeof came === "string"
            ? {
                id: operation,
                status: "succeeded",
                text: came,
                message: { content: came },
                costUsd: 0.25,
                durationMs: 5,
              }
            : { id: operation, ...came },
        ];
      });
      await llm.markBatchCompleted(id, new Map(results));
    }
    return batches.map(({ id }) => id);
  }

  return {
    folder,
    clock,
    journal,
    llm,
    requests,
    answer,
    close: async () => {
      llm.dispose();
      state.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type RequestDesk = Awaited<ReturnType<typeof openRequestDesk>>;
