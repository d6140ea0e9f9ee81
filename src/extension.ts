import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Uri, workspace, type ExtensionContext } from "vscode";
import { v7 as newId } from "uuid";
import { StateStore } from "./core/state-store.ts";
import {
  GitAcceptor,
  GitChoices,
  GitExecutor,
  laneOf,
  ProcessGitRunner,
  resolveRepository,
} from "./git/index.ts";
import { GitBatcher } from "./git/git-batcher.ts";
import type { BatchControlApi } from "./host/api.ts";
import { Claimable } from "./host/claimable.ts";
import { startHost } from "./host/host.ts";
import { llmSettings } from "./host/llm-settings.ts";
import { Log } from "./host/log.ts";
import { openStorage } from "./host/open-storage.ts";
import { OpenFolders } from "./host/repositories.ts";
import { ApiKeys, providers as providerNames } from "./host/secrets.ts";
import { Settings } from "./host/settings.ts";
import { systemClock as clock } from "./host/system-clock.ts";
import { identify, isAlive, ownIdentity } from "./journal/process-identity.ts";
import { createProviders, LlmAcceptor, LlmExecutor, sealLimits } from "./llm/index.ts";
import { LlmBatcher } from "./llm/llm-batcher.ts";
import { Runner } from "./runner/runner.ts";

let stop: (() => Promise<void>) | undefined;

/** Builds the parts and hands them to each other. */
export async function activate(context: ExtensionContext): Promise<BatchControlApi> {
  const log = new Log();
  const settings = new Settings();
  const keys = new ApiKeys(context.secrets, process.env);
  const folders = new OpenFolders(log);
  const storage = context.globalStorageUri.fsPath;
  const tempDir = path.join(storage, "temp");
  await mkdir(tempDir, { recursive: true, mode: 0o700 });
  const identity = await ownIdentity();
  const { journal, locks } = await openStorage({ folder: storage, clock, newId, log });
  const state = await StateStore.open(journal, clock, log);
  const remember = (key: string, value: string | undefined): Promise<void> => journal.remember(key, value);
  const recall = (key: string): Promise<string | undefined> => journal.recall(key);

  const runGit = new ProcessGitRunner(() => folders.gitPath(), process.env);
  const gitSettings = (worktree: string) => settings.git(Uri.file(worktree));
  const gitExecutor = new GitExecutor({
    git: runGit,
    clock,
    processes: { identify, isAlive },
    settings: gitSettings,
    environment: () => Promise.resolve({}),
    recall,
    remember,
  });
  const provider = createProviders({
    settings: () => llmSettings(settings),
    apiKey: (name) => keys.get(name),
    clock,
  });
  const llmExecutor = new LlmExecutor({
    settings: () => llmSettings(settings),
    provider,
    log,
    clock,
    newId,
    tempDir,
    remember,
    recall,
  });

  const common = {
    journal,
    state,
    clock,
    log,
    newId,
    mayTrigger: (lane: string): boolean => runner.mayClaim(lane),
  };
  const git: GitBatcher = new GitBatcher({
    ...common,
    settings: () => settings.git(),
    acceptor: new GitAcceptor({
      git: runGit,
      clock,
      settings: gitSettings,
      operation: (id) => journal.operation(id),
    }),
  });
  const llm: LlmBatcher = new LlmBatcher({
    ...common,
    settings: () => settings.llm(),
    acceptor: new LlmAcceptor({ settings: () => llmSettings(settings), clock, provider }),
    sealLimits: (group) => sealLimits(group, provider),
  });
  const runner: Runner = new Runner(
    {
      journal,
      locks,
      executors: { git: gitExecutor, llm: llmExecutor },
      clock,
      log,
      holder: newId(),
      process: identity,
      fail: (side, ...failure) => (side === "git" ? git : llm).markBatchFailed(...failure),
    },
    state.current().sequence,
  );
  const claimable = new Claimable({
    isTrusted: () => workspace.isTrusted,
    folders: () => folders.paths(),
    laneOf: async (folder) => {
      const found = await resolveRepository(runGit, folder);
      return found.kind === "repository" ? laneOf(found.commonDir) : undefined;
    },
    providers: providerNames,
    claim: (lanes) => runner.claim(lanes),
    log,
  });
  const choices = new GitChoices(runGit, () => folders.paths());
  const host = startHost({
    context,
    parts: { journal, state, git, llm, runner, locks, choices },
    log,
    settings,
    keys,
    clock,
  });
  const triggers = (): void => {
    void git.evaluateTriggers();
    void llm.evaluateTriggers();
  };
  context.subscriptions.push(host, git, llm, state, folders, keys, log);
  context.subscriptions.push(
    settings.onDidChange(triggers),
    runner.onDidChange(triggers),
    folders.onDidChange(() => void claimable.update()),
  );
  stop = async () => {
    await runner.stop();
    await journal.close();
  };
  void claimable.update();
  return host.api;
}

/** Hands over: what runs is stopped or left for the next leader, and the locks are free. */
export async function deactivate(): Promise<void> {
  await stop?.();
}
