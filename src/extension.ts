import { Uri, workspace } from "vscode";
import type { ExtensionContext } from "vscode";
import { v7 as newId } from "uuid";
import { openAgentAccess } from "./agent-access.ts";
import { createEngine } from "./engine.ts";
import { GitChoices } from "./git/index.ts";
import type { BatchControlApi } from "./host/api.ts";
import { Claimable } from "./host/claimable.ts";
import { gitCredentials } from "./host/credentials/git-credentials.ts";
import { startHost } from "./host/host.ts";
import { llmSettings, priceWarnings } from "./host/llm-settings.ts";
import { LiveAnswers } from "./host/results/live-answers.ts";
import { Log } from "./host/log.ts";
import { previewOf } from "./host/preview-of.ts";
import { openStorage } from "./host/open-storage.ts";
import { ownOrigin } from "./host/origin.ts";
import { OpenFolders } from "./host/repositories.ts";
import { withoutKeys } from "./host/key-variables.ts";
import { ApiKeys, providers } from "./host/secrets.ts";
import { requestTools } from "./host/request-tools.ts";
import { Settings } from "./host/settings.ts";
import { Takeover } from "./host/takeover.ts";
import { systemClock as clock } from "./host/system-clock.ts";

const running = new AsyncDisposableStack();

/** Builds the parts and hands them to each other. */
export async function activate(context: ExtensionContext): Promise<BatchControlApi> {
  const log = new Log();
  const settings = new Settings();
  const keys = new ApiKeys(context.secrets, process.env);
  const folders = new OpenFolders(log);
  const origin = ownOrigin(newId());
  const storage = await openStorage({ folder: context.globalStorageUri.fsPath, clock, newId, log, origin });
  const { journal, locks } = storage;
  const live = new LiveAnswers(clock);
  const credentials = gitCredentials(context, log);
  const engine = await createEngine({
    ...storage,
    clock,
    log,
    gitPath: () => folders.gitPath(),
    environment: withoutKeys(process.env),
    credentials: (own) => credentials.environment(own),
    triggers: { git: () => settings.git(), llm: () => settings.llm() },
    gitSettings: (worktree) => settings.git(Uri.file(worktree)),
    llmSettings: () => llmSettings(settings),
    keepDays: () => settings.get("history.keepDays"),
    apiKey: (provider) => keys.get(provider),
    onText: (id, text) => live.set(id, text),
  });
  running.defer(() => credentials.dispose());
  running.defer(() => engine.stop());

  const { state, git, llm, runner, gitRoom } = engine;
  const isTrusted = (): boolean => workspace.isTrusted;
  const paths = (): readonly string[] => folders.paths();
  const claimable = new Claimable({
    isTrusted,
    folders: paths,
    laneOf: (folder) => gitRoom.laneAt(folder),
    providers,
    claim: (lanes) => runner.claim(lanes),
    log,
  });
  const choices = new GitChoices(gitRoom.git, paths);
  const requests = requestTools(engine.llmRoom, () => llmSettings(settings), clock);
  const parts = {
    origin,
    journal,
    state,
    git,
    llm,
    runner,
    locks,
    live,
    choices,
    requests,
    allowCost: (batches: readonly string[]) => engine.llmRoom.executor.allowCost(batches),
    undo: engine.undo,
    preview: previewOf(engine),
    targets: gitRoom,
    files: gitRoom,
  };
  const warnOfPrices = priceWarnings(() => llmSettings(settings), log);
  warnOfPrices();
  const host = startHost({ context, parts, log, settings, keys, clock, sourceControl: folders });
  const access = openAgentAccess({
    variables: context.environmentVariableCollection,
    extension: context.extension,
    storage: context.globalStorageUri.fsPath,
    tools: host.tools,
    isTrusted,
    gitRoom,
    runner,
    log,
  });
  running.defer(() => access.dispose());
  context.subscriptions.push(
    host,
    new Takeover({ runner, log }),
    folders,
    keys,
    log,
    settings.onDidChange(() => engine.evaluateTriggers()),
    settings.onDidChange(warnOfPrices),
    folders.onDidChange(() => void claimable.update()),
  );
  void claimable.update();
  return host.api;
}

/** Hands over: what runs is stopped or left for the next leader, and the locks are free. */
export async function deactivate(): Promise<void> {
  await running.disposeAsync();
}
