import { v7 as newId } from "uuid";
import type { Batch } from "./core/batch.ts";
import type { LaneLocks } from "./core/executor.ts";
import type { Fence, Journal } from "./core/journal.ts";
import type { SideName } from "./core/operation.ts";
import type { Clock, Logger } from "./core/ports.ts";
import { StateStore } from "./core/state-store.ts";
import type { TriggerSettings } from "./core/triggers.ts";
import { createGitRoom, GitBatcher } from "./git/index.ts";
import type { GitRoom, GitSettings, UndoReport } from "./git/index.ts";
import { identify, isAlive, ownIdentity } from "./journal/process-identity.ts";
import { createLlmRoom, LlmBatcher } from "./llm/index.ts";
import type { LlmRoom, LlmSettings, ProviderName } from "./llm/index.ts";
import { betweenBatches } from "./runner/between-batches.ts";
import { Housekeeper } from "./runner/housekeeper.ts";
import { Runner } from "./runner/runner.ts";

export interface EngineDeps {
  readonly journal: Journal;
  readonly locks: LaneLocks;
  readonly clock: Clock;
  readonly log: Logger;
  /** For bodies and results on their way; emptied by nobody else. */
  readonly tempDir: string;
  readonly gitPath: () => string;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Extra environment for what talks to a remote; `own`: the askpass program that the user has set up. */
  readonly credentials: (own: string | undefined) => Promise<Readonly<Record<string, string>>>;
  readonly triggers: Readonly<Record<SideName, () => TriggerSettings>>;
  readonly gitSettings: (worktree: string) => GitSettings;
  readonly llmSettings: () => LlmSettings;
  /** Days that finished work is kept. */
  readonly keepDays: () => number;
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  /** Gets what has come of an answer until now; `undefined`: no more comes. */
  readonly onText?: (operation: string, text: string | undefined) => void;
}

/** The product without a face: the rooms, wired to one journal. */
export interface Engine {
  readonly state: StateStore;
  readonly gitRoom: GitRoom;
  readonly llmRoom: LlmRoom;
  readonly git: GitBatcher;
  readonly llm: LlmBatcher;
  readonly runner: Runner;
  /** Puts back what a git batch moved; `undefined` where a batch of the repository is executing. */
  readonly undo: (batch: Pick<Batch, "id" | "group" | "lane">) => Promise<UndoReport | undefined>;
  /** Looks at the queues again, as after a change of settings. */
  evaluateTriggers(): void;
  /** Stops what runs, or leaves it for the next leader; then closes the journal. */
  stop(): Promise<void>;
}

export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const { journal, locks, clock, log } = deps;
  if (locks.capabilities.scope === "process")
    log.warn("Other windows are not kept out of what this one executes.");
  const process = await ownIdentity();
  const state = await StateStore.open(journal, clock, log);
  const facts = {
    remember: (...fact: Parameters<Journal["remember"]>) => journal.remember(...fact),
    recall: (key: string) => journal.recall(key),
  };
  const gitRoom = createGitRoom({
    ...facts,
    clock,
    gitPath: deps.gitPath,
    processEnvironment: deps.environment,
    processes: { identify, isAlive },
    settings: deps.gitSettings,
    environment: deps.credentials,
    operation: (id) => journal.operation(id),
  });
  const llmRoom = createLlmRoom({
    ...facts,
    batchStatus: async (id) => (await journal.batch(id))?.status,
    clock,
    log,
    newId,
    settings: deps.llmSettings,
    apiKey: deps.apiKey,
    tempDir: deps.tempDir,
    ...(deps.onText === undefined ? {} : { onText: deps.onText }),
  });
  const common = { journal, state, clock, log, newId };
  const mayTrigger = (lane: string): boolean => runner.mayClaim(lane);
  const git = new GitBatcher({
    ...common,
    mayTrigger,
    settings: deps.triggers.git,
    acceptor: gitRoom.acceptor,
  });
  const llm = new LlmBatcher({
    ...common,
    mayTrigger,
    settings: deps.triggers.llm,
    acceptor: llmRoom.acceptor,
    sealLimits: (group) => llmRoom.sealLimits(group),
  });
  const fail = (side: SideName, batch: string, error: string, reason: string, fence: Fence): Promise<void> =>
    (side === "git" ? git : llm).markBatchFailed(batch, error, reason, fence);
  const executors = { git: gitRoom.executor, llm: llmRoom.executor };
  const runner = new Runner(
    { journal, locks, executors, clock, log, holder: newId(), process, fail },
    state.current().sequence,
  );
  const evaluateTriggers = (): void => {
    void git.evaluateTriggers();
    void llm.evaluateTriggers();
  };
  runner.onDidChange(evaluateTriggers);
  const housekeeper = new Housekeeper({ journal, clock, log, keepDays: deps.keepDays });
  return {
    state,
    gitRoom,
    llmRoom,
    git,
    llm,
    runner,
    undo: async (batch) => {
      const end = await betweenBatches({ journal, locks, clock }, batch.lane, () => gitRoom.undo(batch));
      return end.kind === "done" ? end.value : undefined;
    },
    evaluateTriggers,
    stop: async () => {
      housekeeper.dispose();
      git.dispose();
      llm.dispose();
      await runner.stop();
      state.dispose();
      await journal.close();
    },
  };
}
