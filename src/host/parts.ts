import type { LaneLocks } from "../core/executor.ts";
import type { Batch } from "../core/batch.ts";
import type { InfoBatch } from "../core/batch-info.ts";
import type { Journal, SealLimits } from "../core/journal.ts";
import type { Origin, Source, StoredOperation } from "../core/operation.ts";
import type { Disposable } from "../core/ports.ts";
import type { Result } from "../core/result.ts";
import type { LlmRequestInput } from "../core/schema/inputs.ts";
import type { JournalState, OperationView } from "../core/snapshot.ts";
import type { GitStats, LlmStats } from "../core/stats.ts";
import type { CostPreview, Exported, ImportedLine, OfferedModel, ProviderName } from "../llm/index.ts";
import type { LiveAnswers } from "./results/live-answers.ts";
import type { GitPreviewData, GitRoom } from "../git/index.ts";

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
  flush(groups?: readonly string[], detail?: unknown): Promise<readonly InfoBatch[]>;
  clear(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  cancel(id: string): Promise<void>;
  cancelAll(ids: readonly string[]): Promise<void>;
  inputOf(id: string): Promise<Readonly<Record<string, unknown>>>;
  edit(id: string, patch: Readonly<Record<string, unknown>>, source?: Source): Promise<void>;
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

/** Queues many requests as one. */
interface BulkQueue {
  /** All of them, or none; answers their ids in order. */
  enqueueAll(inputs: readonly LlmRequestInput[], options?: EnqueueOptions): Promise<readonly string[]>;
  /** Runs `work` while this window's triggers wait. */
  holdTriggers<T>(work: () => Promise<T>): Promise<T>;
}

/** The journal's state as this window follows it. */
interface StateSource {
  current(): JournalState;
  onDidChange(listener: (state: JournalState) => void): Disposable;
  /** Resolves once the journal's present state has been read. */
  refresh(): Promise<void>;
  /** Resolves when the operation is final, also after a reload; rejects where there is none of this id. */
  settled(id: string): Promise<Result>;
}

/** What this window executes. */
interface RunnerView {
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
  /** Absolute path of the repository's main worktree, or of the repository where that is bare: the same for all of one. */
  readonly main: string;
}

export interface ChangedFile {
  /** Relative to the worktree, with `/`. */
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "renamed" | "untracked" | "conflicted";
  readonly staged: boolean;
}

/** A local branch, by its short name, as a push of it would find it. */
export interface PushChoice {
  readonly branch: string;
  /** `unborn`: no commit yet. `absent`: not on the remote. `same`: nothing that the remote lacks. */
  readonly state: "unborn" | "absent" | "ahead" | "same";
  /** Commits that the remote lacks, where they were counted. */
  readonly commits?: number;
}

/** What the pickers of the git commands read. Rejects with an `Error` fit to be shown. */
export interface GitChoices {
  /** Worktrees of every repository open in this window. */
  worktrees(): Promise<readonly WorktreeChoice[]>;
  changedFiles(worktree: string): Promise<readonly ChangedFile[]>;
  /** Short names of local branches, the checked-out one first. */
  branches(worktree: string): Promise<readonly string[]>;
  /** What could be pushed, by what was last seen of the remotes; the checked-out branch first, be it without a commit yet. */
  pushes(worktree: string): Promise<readonly PushChoice[]>;
  remotes(worktree: string): Promise<readonly string[]>;
  /** Paths, relative with `/`, of the files that a worktree holds and that differ from where its branch left the main one. */
  filesOfBranch(worktree: string): Promise<readonly string[]>;
}

/** Full ref names, and why a ref was left as it is. */
export interface UndoReport {
  readonly restored: readonly string[];
  readonly left: readonly { readonly ref: string; readonly reason: string }[];
}

/** What can be done with LLM requests besides queueing them. */
export interface RequestTools {
  /** Rejects with `InputError` where the request would be refused. */
  check(input: LlmRequestInput): Promise<void>;
  /** Requests of a JSONL file, each checked. */
  read(source: AsyncIterable<Uint8Array>): AsyncIterable<ImportedLine>;
  /** Results as lines of JSONL. */
  write(results: AsyncIterable<Exported>): AsyncIterable<string>;
  /** Models to choose from. */
  models(): Promise<readonly OfferedModel[]>;
  /** From the length of the texts; nothing leaves the machine. */
  estimate(inputs: readonly LlmRequestInput[]): Promise<CostPreview>;
}

/** What the rooms foresee; nothing is changed by asking. */
export interface Preview {
  git(queued: readonly StoredOperation[]): Promise<readonly GitPreviewData[]>;
  /** `length`: nothing leaves the machine. */
  cost(queued: readonly StoredOperation[], by?: "provider" | "length"): Promise<CostPreview>;
  /** What the group's provider allows in one batch. */
  limits(group: string): SealLimits;
  /** The group's provider where it has no API key. */
  providerWithoutKey(group: string): Promise<ProviderName | undefined>;
}

/** Which protected branch something would push or merge into. Each rejects with `InputError` as queueing would. */
export type ProtectedTargets = Pick<GitRoom, "protectedTarget" | "protectedAgain">;

/** Everything the host is given by the composition root. */
export interface Parts {
  /** This window. */
  readonly origin: Origin;
  readonly journal: Pick<
    Journal,
    | "operation"
    | "operations"
    | "executed"
    | "batch"
    | "result"
    | "queues"
    | "clearHolds"
    | "payloads"
    | "cancel"
  >;
  readonly state: StateSource;
  readonly git: GitSide;
  readonly llm: LlmSide & BulkQueue;
  readonly runner: RunnerView;
  readonly locks: LaneLocks;
  /** Answers on their way. */
  readonly live: Pick<LiveAnswers, "text" | "onDidGrow">;
  readonly choices: GitChoices;
  readonly requests: RequestTools;
  readonly preview: Preview;
  readonly targets: ProtectedTargets;
  /** What git operations do to files. */
  readonly files: Pick<GitRoom, "changes" | "content">;
  /** Lets batches that are formed already go out whatever they cost. */
  readonly allowCost: (batches: readonly string[]) => Promise<void>;
  /** Puts back the branches that a finished git batch moved; `undefined` where another batch of the repository executes. */
  readonly undo: (batch: Pick<Batch, "id" | "group" | "lane">) => Promise<UndoReport | undefined>;
}
