import type { LaneLocks } from "../core/executor.ts";
import type { InfoBatch } from "../core/batch-info.ts";
import type { Journal } from "../core/journal.ts";
import type { Source } from "../core/operation.ts";
import type { Disposable } from "../core/ports.ts";
import type { Result } from "../core/result.ts";
import type { JournalState, OperationView } from "../core/snapshot.ts";
import type { GitStats, LlmStats } from "../core/stats.ts";

export interface EnqueueOptions {
  readonly source?: Source;
  /** A person is there to answer; else what would be asked is refused. */
  readonly interactive?: boolean;
}

/** What the host asks of a batcher; both sides' batchers fit it. */
export interface SideBatcher<Stats> {
  enqueue(
    input: unknown,
    options?: EnqueueOptions,
  ): Promise<{ readonly id: string; readonly result: Promise<Result> }>;
  flush(groups?: readonly string[]): Promise<readonly InfoBatch[]>;
  clear(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  cancel(id: string): Promise<void>;
  inputOf(id: string): Promise<Readonly<Record<string, unknown>>>;
  edit(id: string, patch: Readonly<Record<string, unknown>>): Promise<void>;
  move(id: string, to: number): Promise<void>;
  retry(id: string, source?: Source): Promise<{ readonly id: string }>;
  cancelBatch(id: string): Promise<void>;
  retryBatch(id: string, source?: Source): Promise<{ readonly ids: readonly string[] }>;
  getPendingBatch(): InfoBatch | undefined;
  getStats(): Stats;
  queueSize(): number;
  pendingBatchCount(): number;
  getExecutedBatches(): readonly InfoBatch[];
  getBatchById(id: string): InfoBatch | undefined;
  timeSinceLastFlush(): number;
  shouldFlush(): boolean;
  getQueuedOps(): readonly OperationView[];
}

export interface GitSide extends SideBatcher<GitStats> {
  calculateNetworkSavings(): number;
}

export interface LlmSide extends SideBatcher<LlmStats> {
  groupByTypeAndModel(): ReadonlyMap<string, readonly OperationView[]>;
}

/** The journal's state as this window follows it. */
export interface StateSource {
  current(): JournalState;
  onDidChange(listener: (state: JournalState) => void): Disposable;
  /** Resolves once the journal's present state has been read. */
  refresh(): Promise<void>;
  /** Resolves when the operation is final, also after a reload; rejects where there is none of this id. */
  settled(id: string): Promise<Result>;
}

/** What this window executes. */
export interface RunnerView {
  lanes(): readonly { readonly lane: string; readonly held: boolean }[];
  /** This window holds every lane it may hold. */
  leader(): boolean;
  /** This window may execute the lane, whether or not it does. */
  mayClaim(lane: string): boolean;
  onDidChange(listener: () => void): Disposable;
}

export interface WorktreeChoice {
  /** Absolute path of its top level. */
  readonly path: string;
  /** Short name; absent with a detached HEAD. */
  readonly branch?: string;
  /** The repository's name, for a person. */
  readonly repository: string;
}

export interface ChangedFile {
  /** Relative to the worktree, with `/`. */
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "renamed" | "untracked" | "conflicted";
  readonly staged: boolean;
}

/** What the pickers of the git commands read. Rejects with an `Error` fit to be shown. */
export interface GitChoices {
  /** Worktrees of every repository open in this window. */
  worktrees(): Promise<readonly WorktreeChoice[]>;
  changedFiles(worktree: string): Promise<readonly ChangedFile[]>;
  /** Short names of local branches, the checked-out one first. */
  branches(worktree: string): Promise<readonly string[]>;
  remotes(worktree: string): Promise<readonly string[]>;
}

/** Full ref names, and why a ref was left as it is. */
export interface UndoReport {
  readonly restored: readonly string[];
  readonly left: readonly { readonly ref: string; readonly reason: string }[];
}

/** Everything the host is given by the composition root. */
export interface Parts {
  readonly journal: Pick<
    Journal,
    "operation" | "operations" | "batch" | "executing" | "result" | "queues" | "clearHolds"
  >;
  readonly state: StateSource;
  readonly git: GitSide;
  readonly llm: LlmSide;
  readonly runner: RunnerView;
  readonly locks: LaneLocks;
  readonly choices: GitChoices;
  /** Puts back the branches that a finished git batch moved. */
  readonly undo: (batch: { readonly id: string; readonly group: string }) => Promise<UndoReport>;
}
