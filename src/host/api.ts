import type { Event } from "vscode";
import { StateError } from "../core/errors.ts";
import type { Result } from "../core/result.ts";
import type { InfoBatch } from "../core/batch-info.ts";
import type { Snapshot } from "../core/snapshot.ts";
import type { Passed } from "./cost-gate.ts";
import type { GitSide, LlmSide, Parts, SideBatcher } from "./parts.ts";

type Owned = "markBatchExecuting" | "markBatchCompleted" | "markBatchFailed";
/** What other extensions get of a batcher: all but the transitions, which belong to the runner. */
type Public<Side> = Omit<Side, "enqueue" | "flush" | "cancelAll"> & {
  enqueue(input: unknown): Promise<{ readonly id: string; readonly result: Promise<Result> }>;
  flush(): Promise<readonly InfoBatch[]>;
} & Readonly<Record<Owned, (id: string) => Promise<never>>>;

/** What `activate()` returns. */
export interface BatchControlApi {
  readonly version: 1;
  readonly git: Public<GitSide>;
  readonly llm: Public<LlmSide>;
  getState(): Snapshot;
  /** Resolves when the operation is final, also in a window that reloaded since. */
  resultOf(id: string): Promise<Result>;
  readonly onDidChangeState: Event<Snapshot>;
}

interface ApiDeps {
  readonly parts: Pick<Parts, "git" | "llm" | "state">;
  readonly getState: () => Snapshot;
  readonly onDidChangeState: Event<Snapshot>;
  /** Throws where the workspace is not trusted. */
  readonly demandTrust: () => void;
  /** Rejects where the queued requests may cost more than a flush may. */
  readonly mayPay: () => Promise<Pick<Passed, "mark">>;
}

export function createApi(deps: ApiDeps): BatchControlApi {
  const { parts, getState, onDidChangeState, demandTrust, mayPay } = deps;
  const { git, llm, state } = parts;
  return {
    version: 1,
    git: { ...publicSide(git, demandTrust), calculateNetworkSavings: () => git.calculateNetworkSavings() },
    llm: {
      ...publicSide(llm, demandTrust),
      flush: async () => {
        demandTrust();
        const { mark } = await mayPay();
        return llm.flush(undefined, mark);
      },
      groupByTypeAndModel: () => llm.groupByTypeAndModel(),
    },
    getState,
    resultOf: (id) => state.settled(id),
    onDidChangeState,
  };
}

function publicSide<Stats>(side: SideBatcher<Stats>, demandTrust: () => void): Public<SideBatcher<Stats>> {
  const trusted =
    <Args extends readonly unknown[], Answer>(run: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      demandTrust();
      return run(...args);
    };
  return {
    enqueue: trusted((input: unknown) => side.enqueue(input, { source: "extension", interactive: false })),
    flush: trusted(() => side.flush()),
    clear: trusted(() => side.clear()),
    pause: () => side.pause(),
    resume: trusted(() => side.resume()),
    cancel: trusted((id: string) => side.cancel(id)),
    edit: trusted((id: string, patch: Readonly<Record<string, unknown>>) => side.edit(id, patch)),
    inputOf: (id) => side.inputOf(id),
    move: trusted((id: string, to: number) => side.move(id, to)),
    retry: trusted((id: string) => side.retry(id)),
    cancelBatch: trusted((id: string) => side.cancelBatch(id)),
    retryBatch: trusted((id: string) => side.retryBatch(id)),
    getPendingBatch: () => side.getPendingBatch(),
    getStats: () => side.getStats(),
    queueSize: () => side.queueSize(),
    pendingBatchCount: () => side.pendingBatchCount(),
    getExecutedBatches: () => side.getExecutedBatches(),
    getBatchById: (id) => side.getBatchById(id),
    getQueuedOps: () => side.getQueuedOps(),
    timeSinceLastFlush: () => side.timeSinceLastFlush(),
    shouldFlush: () => side.shouldFlush(),
    markBatchExecuting: owned,
    markBatchCompleted: owned,
    markBatchFailed: owned,
  };
}

const owned = (): Promise<never> =>
  Promise.reject(new StateError("owned-by-runner", "The transitions of a batch are owned by the runner."));
