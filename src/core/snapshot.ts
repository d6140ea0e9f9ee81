import type { BatchStatus } from "./batch.ts";
import type { OperationKind, OperationStatus, SideName, Source } from "./operation.ts";
import type { Counter, GitStats, LlmStats } from "./stats.ts";

/** Something that stops execution until it is mended. `until` is an ISO time where it is known. */
export interface Hold {
  readonly kind: SideName;
  readonly reason: string;
  readonly until?: string;
  /** The only lane that it stops, such as one provider's; absent where it stops the whole side. */
  readonly lane?: string;
}

/** Whether a hold stops what is in a lane. */
export const stopsLane = (hold: Hold, lane: string): boolean =>
  lane.startsWith(`${hold.kind}:`) && (hold.lane === undefined || hold.lane === lane);

/** Times are ISO 8601. */
export interface OperationView {
  readonly id: string;
  readonly kind: OperationKind;
  /** What it may share a batch with. */
  readonly group: string;
  readonly label: string;
  readonly status: OperationStatus;
  readonly enqueuedAt: string;
  readonly source: Source;
  readonly error?: string;
  readonly reason?: string;
  readonly retryOf?: string;
  readonly detail?: unknown;
}

export interface BatchView {
  readonly id: string;
  readonly status: BatchStatus;
  readonly group: string;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly error?: string;
  /** At most 200, failed ones first, then newest; `operationCount` and `counts` tell the totals. */
  readonly operations: readonly OperationView[];
  readonly operationCount: number;
  readonly counts: Readonly<Record<string, number>>;
  /** What this batch added to the statistics so far, so that totals can be traced to it; absent where it is not known. */
  readonly stats?: Readonly<Partial<Record<Counter, number>>>;
  readonly remoteId?: string;
  /** How far the push is that an executing batch is busy with, once that takes a while. */
  readonly progress?: Progress;
}

/** The steps of a push that have a meter; `resolving`: the remote takes in what has arrived, `uploading`: git-lfs. */
export type PushStepName = "counting" | "compressing" | "writing" | "resolving" | "uploading";

export interface Progress {
  /** The remote's name. */
  readonly target: string;
  readonly step: PushStepName;
  /** Of this step, 0 to 100. */
  readonly percent: number;
}

export interface Side<Stats> {
  /** The first 200 in queue order. */
  readonly queued: readonly OperationView[];
  readonly queuedCount: number;
  readonly pending: readonly BatchView[];
  readonly executing: readonly BatchView[];
  /** Newest first, at most 200. */
  readonly executed: readonly BatchView[];
  readonly stats: Stats;
}

/** What the journal knows; the same in every window. */
export interface JournalState {
  /** Rises with every change. */
  readonly sequence: number;
  readonly paused: { readonly git: boolean; readonly llm: boolean };
  readonly holds: readonly Hold[];
  readonly git: Side<GitStats>;
  readonly llm: Side<LlmStats>;
}

/** The journal's state as one window sees it. `leader`: this window holds every lane it may hold. */
export interface Snapshot extends JournalState {
  readonly leader: boolean;
  readonly lanes: readonly { readonly lane: string; readonly held: boolean }[];
}
