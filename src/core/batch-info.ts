import type { BatchStatus } from "./batch.ts";
import type { BatchView } from "./snapshot.ts";

/** A batch as a person would read it. */
export interface BatchInfo {
  readonly id: string;
  readonly status: BatchStatus;
  readonly group: string;
  /** LLM only: taken from the group `llm:<provider>/<type>/<model>…`. */
  readonly type?: string;
  readonly model?: string;
  readonly operationCount: number;
  readonly createdAt: string;
  readonly executedAt?: string;
  /** From start to end. */
  readonly durationMs?: number;
  readonly error?: string;
}

export interface InfoBatch extends BatchView {
  getInfo(): BatchInfo;
}

export const withInfo = (batch: BatchView): InfoBatch => ({ ...batch, getInfo: () => infoOf(batch) });

function infoOf(batch: BatchView): BatchInfo {
  const { id, status, group, operationCount, createdAt, startedAt, endedAt, error } = batch;
  const [, type, model] = /^llm:[^/]+\/([^/]+)\/([^/]+)/.exec(group) ?? [];
  return {
    id,
    status,
    group,
    operationCount,
    createdAt,
    ...(type === undefined || model === undefined ? {} : { type, model }),
    ...(endedAt === undefined ? {} : { executedAt: endedAt }),
    ...(startedAt === undefined || endedAt === undefined
      ? {}
      : { durationMs: Date.parse(endedAt) - Date.parse(startedAt) }),
    ...(error === undefined ? {} : { error }),
  };
}
