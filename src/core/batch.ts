import type { FinalStatus, SideName } from "./operation.ts";

/** `completed`: at least one operation succeeded; `cancelled`: all were; `failed`: the rest. */
export type BatchStatus = "pending" | "executing" | "completed" | "failed" | "cancelled";

/** Operations that are executed together. Times are milliseconds since 1970. */
export interface Batch {
  readonly id: string;
  readonly side: SideName;
  readonly group: string;
  readonly lane: string;
  readonly status: BatchStatus;
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly operationCount: number;
  /** UTF-8 bytes of all payloads. */
  readonly bytes: number;
  /** Operations by status. */
  readonly counts: Readonly<Record<string, number>>;
  readonly error?: string;
  /** The provider's id of the batch. */
  readonly remoteId?: string;
  /** Somebody asked to stop it; the executing window obeys. */
  readonly cancelRequested: boolean;
  readonly detail?: unknown;
}

/** The status of a batch whose operations are all final. */
export function endedStatus(counts: Readonly<Partial<Record<FinalStatus, number>>>): BatchStatus {
  if ((counts.succeeded ?? 0) > 0) return "completed";
  if ((counts.failed ?? 0) === 0 && (counts.expired ?? 0) === 0) return "cancelled";
  return "failed";
}
