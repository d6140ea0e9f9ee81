/** One name per figure that the journal adds up for ever. Money is in picodollars (1e-12 USD), so that sums are exact. */
type GitCounter =
  | "totalOps"
  | "totalBatches"
  | "pushesRequested"
  | "pushesDelivered"
  | "pushesExecuted"
  | "commits"
  | "merges"
  | "failed"
  | "totalExecuteTimeMs";
type LlmCounter =
  | "totalRequests"
  | "totalBatches"
  | "answered"
  | "apiCalls"
  | "httpRequests"
  | "inputTokens"
  | "outputTokens"
  | "cacheReadTokens"
  | "cacheWriteTokens"
  | "costPico"
  | "standardCostPico"
  | "unpricedRequests"
  | "failed"
  | "totalExecutionTimeMs";

export type Counter = `git.${GitCounter}` | `llm.${LlmCounter}`;
/** What one outcome adds. */
export type StatsDelta = Readonly<Partial<Record<Counter, bigint | number>>>;
/** All sums; a counter that was never touched is absent. */
export type Counters = ReadonlyMap<Counter, bigint>;

export interface GitStats {
  readonly totalOps: number;
  readonly totalBatches: number;
  readonly avgOpsPerBatch: number;
  /** Push operations delivered minus `git push` runs. */
  readonly networkSavings: number;
  /** Push operations, and merges with a push, that a `git push` was run for, whatever came of it. */
  readonly pushesRequested: number;
  readonly pushesExecuted: number;
  readonly commits: number;
  readonly merges: number;
  readonly failed: number;
  readonly totalExecuteTimeMs: number;
}

export interface LlmStats {
  readonly totalRequests: number;
  readonly totalBatches: number;
  readonly avgRequestsPerBatch: number;
  /** Requests answered minus API calls; may be negative. */
  readonly apiCallsSaved: number;
  readonly apiCalls: number;
  readonly httpRequests: number;
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
  readonly standardCostUsd: number;
  readonly savedUsd: number;
  readonly unpricedRequests: number;
  readonly failed: number;
  readonly totalExecutionTimeMs: number;
}

/** Push operations that the remote took: what doing each alone would have needed a `git push` for. */
export const pushesDelivered = ({
  networkSavings,
  pushesExecuted,
}: Pick<GitStats, "networkSavings" | "pushesExecuted">): number => networkSavings + pushesExecuted;

/** Requests that were answered: what doing each alone would have needed an API call for. */
export const requestsAnswered = ({
  apiCallsSaved,
  apiCalls,
}: Pick<LlmStats, "apiCallsSaved" | "apiCalls">): number => apiCallsSaved + apiCalls;

export function gitStats(counters: Counters): GitStats {
  const read = (name: GitCounter): number => Number(counters.get(`git.${name}`) ?? 0n);
  return {
    totalOps: read("totalOps"),
    totalBatches: read("totalBatches"),
    avgOpsPerBatch: ratio(read("totalOps"), read("totalBatches")),
    networkSavings: read("pushesDelivered") - read("pushesExecuted"),
    pushesRequested: read("pushesRequested"),
    pushesExecuted: read("pushesExecuted"),
    commits: read("commits"),
    merges: read("merges"),
    failed: read("failed"),
    totalExecuteTimeMs: read("totalExecuteTimeMs"),
  };
}

export function llmStats(counters: Counters): LlmStats {
  const exact = (name: LlmCounter): bigint => counters.get(`llm.${name}`) ?? 0n;
  const read = (name: LlmCounter): number => Number(exact(name));
  return {
    totalRequests: read("totalRequests"),
    totalBatches: read("totalBatches"),
    avgRequestsPerBatch: ratio(read("totalRequests"), read("totalBatches")),
    apiCallsSaved: read("answered") - read("apiCalls"),
    apiCalls: read("apiCalls"),
    httpRequests: read("httpRequests"),
    totalTokens:
      read("inputTokens") + read("outputTokens") + read("cacheReadTokens") + read("cacheWriteTokens"),
    inputTokens: read("inputTokens"),
    outputTokens: read("outputTokens"),
    cacheReadTokens: read("cacheReadTokens"),
    cacheWriteTokens: read("cacheWriteTokens"),
    costUsd: usd(exact("costPico")),
    standardCostUsd: usd(exact("standardCostPico")),
    savedUsd: usd(exact("standardCostPico") - exact("costPico")),
    unpricedRequests: read("unpricedRequests"),
    failed: read("failed"),
    totalExecutionTimeMs: read("totalExecutionTimeMs"),
  };
}

/** Picodollars as the nearest number of US dollars. */
export const usd = (pico: bigint): number => Number(pico) / 1e12;

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
