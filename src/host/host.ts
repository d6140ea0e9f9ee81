import { commands, env, l10n, workspace } from "vscode";
import type { Disposable, ExtensionContext } from "vscode";
import type { Clock } from "../core/ports.ts";
import type { PanelRequest } from "../protocol.ts";
import { createApi } from "./api.ts";
import type { BatchControlApi } from "./api.ts";
import { Claims } from "./claims.ts";
import { commandPrefix } from "./commands/command.ts";
import type { CommandName, CommandTable } from "./commands/command.ts";
import { controlCommands } from "./commands/control.ts";
import { enqueueCommands } from "./commands/enqueue.ts";
import { Flusher } from "./commands/flush.ts";
import { runCommand, untrusted } from "./commands/funnel.ts";
import type { FunnelDeps } from "./commands/funnel.ts";
import { keyCommands } from "./commands/keys.ts";
import { operationCommands } from "./commands/operations.ts";
import { viewCommands } from "./commands/views.ts";
import { ContextKeys } from "./context-keys.ts";
import type { Log } from "./log.ts";
import { StatsPanel } from "./panel/stats-panel.ts";
import { panelStrings } from "./panel/strings.ts";
import type { Parts } from "./parts.ts";
import { ResultDocuments } from "./results/documents.ts";
import type { ApiKeys } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { Views } from "./views.ts";
import { Flows } from "./ui/flows.ts";
import { keyQuestions } from "./ui/key-questions.ts";
import { Pickers } from "./ui/pickers.ts";
import { tell } from "./ui/tell.ts";
import { WindowState } from "./window-state.ts";

/** What the host needs besides the rooms. */
export interface HostDeps {
  readonly context: Pick<ExtensionContext, "workspaceState" | "globalState" | "extensionUri">;
  readonly parts: Parts;
  readonly log: Log;
  readonly settings: Settings;
  readonly keys: ApiKeys;
  readonly clock: Clock;
}

export interface Host {
  dispose(): void;
  readonly api: BatchControlApi;
  readonly state: WindowState;
}

/** Puts everything that people see or call in place. */
export function startHost({ context, parts, log, settings, keys, clock }: HostDeps): Host {
  const state = new WindowState(parts);
  const documents = new ResultDocuments(parts.journal);
  const claims = new Claims(parts, l10n.t);
  const pickers = new Pickers(() => state.current());
  const flows = new Flows(parts.choices, drafts(context), () => settings.get("llm.defaultModel"));
  const views = new Views({
    state,
    settings,
    seen: context.globalState,
    contextKeys: contextKeys(log),
    choices: parts.choices,
    log,
  });
  const table: CommandTable = {
    ...enqueueCommands(parts, flows),
    ...controlCommands(parts, new Flusher({ ...parts, refusal: (lane) => claims.refusal(lane) })),
    ...operationCommands(parts, pickers),
    ...viewCommands(parts, pickers, {
      panel: () => {
        views.markSeen();
        panel.open();
      },
      result: (id) => documents.open(id),
      log: () => log.show(),
      snapshot: () => state.current(),
    }),
    ...keyCommands(keys, keyQuestions),
  };
  const panel = new StatsPanel({
    extensionUri: context.extensionUri,
    clock,
    snapshot: () => state.current(),
    onDidChangeSnapshot: state.onDidChange,
    run: (request) => runPanelRequest(table, request, demandTrust),
    strings: panelStrings(l10n),
    locale: env.language,
    log,
  });
  const isTrusted = (): boolean => workspace.isTrusted;
  // What a wrong or missing key stopped may go on with the new one; if it is no better, the hold is back at once.
  const keyChange = keys.onDidChange(() => {
    parts.journal.clearHolds("llm").catch((error: unknown) => log.error("Lifting the hold failed.", error));
  });
  const disposables = [
    ...register(table, { log, t: l10n.t, isTrusted, tell }),
    keyChange,
    panel,
    views,
    documents,
    state,
  ];
  const demandTrust = (): void => {
    if (!isTrusted()) throw untrusted(l10n.t);
  };
  const api = createApi({
    parts,
    getState: () => state.current(),
    onDidChangeState: state.onDidChange,
    demandTrust,
  });
  return {
    api,
    state,
    dispose: () => {
      for (const disposable of disposables) disposable.dispose();
    },
  };
}

function register(table: CommandTable, deps: FunnelDeps): readonly Disposable[] {
  return (Object.keys(table) as CommandName[]).map((name) =>
    commands.registerCommand(commandPrefix + name, (...args: unknown[]) =>
      runCommand(name, table[name], args, deps),
    ),
  );
}

/** The panel shows what goes wrong itself, so nothing is told here. */
async function runPanelRequest(
  table: CommandTable,
  request: PanelRequest,
  demandTrust: () => void,
): Promise<void> {
  const input = panelInput(request);
  if (table[request.kind].trusted) demandTrust();
  await table[request.kind].fromView(input);
}

function panelInput(request: PanelRequest): object {
  if ("id" in request) return { id: request.id };
  return request.side ? { kind: request.side } : {};
}

function drafts({ workspaceState }: HostDeps["context"]): ConstructorParameters<typeof Flows>[1] {
  return {
    get: (name) => workspaceState.get<string>(`draft.${name}`),
    set: (name, text) => void workspaceState.update(`draft.${name}`, text),
  };
}

function contextKeys(log: Log): ContextKeys {
  return new ContextKeys((key, value) => {
    commands
      .executeCommand("setContext", key, value)
      .then(undefined, (error: unknown) => log.error("Setting a context key failed.", error));
  });
}
