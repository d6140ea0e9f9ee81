import { commands, env, l10n, Uri, workspace } from "vscode";
import type { ExtensionContext, Memento } from "vscode";
import { sideOf } from "../core/operation.ts";
import type { Clock } from "../core/ports.ts";
import { createApi } from "./api.ts";
import type { BatchControlApi } from "./api.ts";
import { BranchGate } from "./branch-gate.ts";
import { Claims } from "./claims.ts";
import type { CommandTable } from "./commands/command.ts";
import { Candidates } from "./candidates.ts";
import { controlCommands } from "./commands/control.ts";
import { enqueueCommands } from "./commands/enqueue.ts";
import { failedCommands } from "./commands/failed.ts";
import { Flusher } from "./commands/flush.ts";
import { runCommand, untrusted } from "./commands/funnel.ts";
import type { FunnelDeps } from "./commands/funnel.ts";
import { keyCommands } from "./commands/keys.ts";
import { waitingAt } from "./queued.ts";
import { sideOfBatch, toldBatches } from "./commands/of-operation.ts";
import { operationCommands } from "./commands/operations.ts";
import type { Edits } from "./commands/operations.ts";
import { placeCommands } from "./commands/places.ts";
import { registerCommands } from "./commands/register.ts";
import { batchRetrier } from "./commands/retry.ts";
import { rowCommands } from "./commands/rows.ts";
import { undoCommand } from "./commands/undo.ts";
import { viewCommands } from "./commands/views.ts";
import type { Shows } from "./commands/views.ts";
import { ContextKeys } from "./context-keys.ts";
import { CostGate } from "./cost-gate.ts";
import { PlanDocuments } from "./plan-document.ts";
import { confirm } from "./ui/confirm.ts";
import type { OpenFolders } from "./repositories.ts";
import { LimitHolds } from "./limit-holds.ts";
import { Notices } from "./notices.ts";
import { planFlush } from "./flush-plan.ts";
import type { Log } from "./log.ts";
import { Moves } from "./moves.ts";
import { numbersIn } from "./numbers.ts";
import { olderBatches } from "./panel-history.ts";
import { runPanelRequest } from "./panel-requests.ts";
import { StatsPanel } from "./panel/stats-panel.ts";
import { panelStrings } from "./panel/strings.ts";
import type { Parts } from "./parts.ts";
import { setKeyState } from "./progress-keys.ts";
import { providers } from "./secrets.ts";
import type { ApiKeys } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { errorText } from "./reason-words.ts";
import { toldSnapshot } from "./panel/told-snapshot.ts";
import { Texts } from "./texts.ts";
import { StoredDrafts } from "./drafts.ts";
import { Dismissed } from "./tree/dismissed.ts";
import { EditDocuments } from "./edit-documents.ts";
import { EditFlow } from "./ui/edit-flow.ts";
import type { TextField } from "./ui/edit-flow.ts";
import { queuedBranches, queuedFiles } from "./ui/queued-files.ts";
import { Flows } from "./ui/flows.ts";
import { keyQuestions } from "./ui/key-questions.ts";
import { Pickers } from "./ui/pickers.ts";
import { hint, inform, tell } from "./ui/tell.ts";
import { Views } from "./views.ts";
import { WindowState } from "./window-state.ts";

/** What the host needs besides the rooms. */
export interface HostDeps {
  readonly context: Pick<ExtensionContext, "workspaceState" | "globalState" | "extensionUri">;
  readonly parts: Parts;
  readonly log: Log;
  readonly settings: Settings;
  readonly keys: ApiKeys;
  readonly clock: Clock;
  /** Source Control's message boxes. */
  readonly sourceControl: Pick<OpenFolders, "message" | "messageWasUsed">;
}

export interface Host {
  readonly api: BatchControlApi;
  dispose(): void;
}

/** Puts everything that people see or call in place. */
export function startHost(deps: HostDeps): Host {
  const { context, parts, log, settings, keys, clock } = deps;
  const claims = new Claims(parts, l10n.t);
  const state = new WindowState({ parts, claims, clock, log });
  const snapshot = () => state.current();
  const contextKeys = createContextKeys(log);
  const lookForKeys = (): void => {
    setKeyState(contextKeys, keys, providers).catch((error: unknown) =>
      log.error("Looking for API keys failed.", error),
    );
  };
  const texts = new Texts(parts, Uri.joinPath(context.extensionUri, "media", "sample").fsPath, clock, {
    contextKeys,
    log,
  });
  const funnel: FunnelDeps = { log, t: l10n.t, isTrusted: () => workspace.isTrusted, tell, inform };
  const demandTrust = (): void => {
    if (!funnel.isTrusted()) throw untrusted(l10n.t);
  };
  const plans = new PlanDocuments({
    plan: async (sides) => {
      demandTrust();
      // Nobody has asked for this one, so no prompt leaves the machine for it.
      const cost: Parts["preview"]["cost"] = (queued) => parts.preview.cost(queued, "length");
      return planFlush({ ...parts, preview: { ...parts.preview, cost } }, sides);
    },
    snapshot,
    maxCostPerFlush: () => settings.llm().maxCostPerFlush,
    clock,
  });
  const editDocuments = new EditDocuments({
    read: (id, field) => readText(parts, id, field),
    save: async (id, field, text) => {
      demandTrust();
      await table.editOperation.fromView({ id, patch: { [field]: text } });
    },
    t: l10n.t,
  });
  const flow = new EditFlow(parts.choices);
  const edits: Edits = {
    ask: (kind, input) => flow.ask(kind, input),
    open: (id, field) => editDocuments.open(id, field),
  };
  const dismissed = new Dismissed(keptIds(context.globalState));
  const gate = new CostGate({
    parts,
    limits: () => settings.llm(),
    t: l10n.t,
    ...numbersIn(env.language),
    confirm,
  });
  const table = commandTable(
    deps,
    state,
    claims,
    gate,
    texts,
    edits,
    {
      panel: () => {
        views.markSeen();
        panel.open();
        contextKeys.set("did.panel", true);
      },
      result: (id) => texts.results.open(id),
      plan: (sides, plan) => plans.show(sides, plan),
      log: () => log.show(),
      snapshot,
      more: (row) => views.showMore(row),
      dismiss: (batches) => views.dismiss(batches),
    },
    dismissed,
  );
  const moves = new Moves(parts.journal);
  const move = async (ids: readonly string[], onto: string): Promise<void> => {
    try {
      const steps = await moves.onto(ids, onto);
      if (!steps) inform(l10n.t("An operation can only be moved within its own queue."));
      for (const input of steps ?? [])
        await runCommand("moveOperation", table.moveOperation, { from: "view", input }, funnel);
    } catch (error) {
      log.error("A row that was dropped could not be moved.", error);
    }
  };
  const views = new Views({
    state,
    journal: parts.journal,
    refresh: () => parts.state.refresh(),
    settings,
    move,
    seen: context.globalState,
    dismissed,
    contextKeys,
    choices: parts.choices,
    clock,
    log,
  });
  const panel = new StatsPanel({
    extensionUri: context.extensionUri,
    clock,
    snapshot: () => toldSnapshot(snapshot(), l10n.t),
    onDidChangeSnapshot: state.onDidChange,
    run: (request) =>
      runPanelRequest(table, request, {
        demandTrust,
        manageTrust: () => commands.executeCommand("workbench.trust.manage"),
      }),
    told: (error) => errorText(error, l10n.t),
    older: (after) => olderBatches(parts.journal, after, l10n.t),
    strings: panelStrings(l10n),
    locale: env.language,
    log,
  });
  const notices = new Notices({
    first: parts.state.current(),
    settings,
    clock,
    log,
    openResults: async (batch) => {
      const [first] = await parts.journal.operations({ batch, limit: 1 });
      if (first) await commands.executeCommand("batchControl.openResult", { id: first.id });
    },
    show: (row) => views.show(row),
  });
  lookForKeys();
  const limitHolds = new LimitHolds({
    journal: parts.journal,
    limits: () =>
      JSON.stringify([
        settings.get("llm.maxCostPerFlush"),
        settings.get("llm.maxCostPerDay"),
        settings.get("llm.prices"),
      ]),
    failed: (error) => log.error("Lifting the hold failed.", error),
  });
  const disposables = [
    settings.onDidChange(() => {
      limitHolds.update(parts.state.current());
      plans.renew();
    }),
    notices,
    ...registerCommands(table, funnel, (row, run) => views.keepFocus(row, run)),
    state.onDidChange(({ lanes }) => {
      notices.update(parts.state.current(), lanes);
      limitHolds.update(parts.state.current());
      plans.update();
      texts.update();
    }),
    // Set in another window, perhaps. If the key is no better, the hold is back at once.
    keys.onDidChange(() => {
      lookForKeys();
      plans.renew();
      parts.journal.clearHolds("llm").catch((error: unknown) => log.error("Lifting the hold failed.", error));
    }),
    panel,
    views,
    texts,
    editDocuments,
    plans,
    state,
  ];
  return {
    api: createApi({
      parts,
      getState: snapshot,
      onDidChangeState: state.onDidChange,
      demandTrust,
      mayPay: () => gate.pass("code"),
    }),
    dispose: () => {
      for (const disposable of disposables) disposable.dispose();
    },
  };
}

function commandTable(
  { context, parts, settings, keys, clock, sourceControl }: HostDeps,
  state: WindowState,
  claims: Claims,
  gate: CostGate,
  texts: Texts,
  edits: Edits,
  shows: Shows,
  dismissed: Dismissed,
): CommandTable {
  const pickers = new Pickers(new Candidates(() => state.current(), parts.journal));
  const moves = new Moves(parts.journal);
  const { count } = numbersIn(env.language);
  const flows = new Flows(parts.choices, new StoredDrafts(context.workspaceState, clock), {
    defaultModel: () => settings.get("llm.defaultModel"),
    models: () => parts.requests.models(),
    usd: numbersIn(env.language).usd,
    sourceControl,
    queuedFiles: (worktree) => queuedFiles(state.current(), worktree),
    queuedBranches: (worktrees) => queuedBranches(state.current(), worktrees),
    count,
    refusal: (input) =>
      parts.requests.check(input).then(
        () => undefined,
        (error: unknown) => errorText(error, l10n.t),
      ),
  });
  const branches = new BranchGate({ targets: parts.targets, t: l10n.t, confirm });
  const flusher = new Flusher({
    ...parts,
    refusal: (lane) => claims.refusal(lane),
    mayPay: (caller, limits) => gate.pass(caller, limits),
    t: l10n.t,
  });
  const retryBatches = batchRetrier(
    parts.journal,
    sideOfBatch(parts, l10n.t),
    branches,
    toldBatches(parts.journal, l10n.t, count),
    hint,
  );
  const operations = operationCommands({
    parts,
    pickers,
    branches,
    edits,
    moves,
    retryBatches,
    hint,
    t: l10n.t,
    count,
  });
  return {
    ...enqueueCommands(parts, flows, branches, {
      worktrees: () => parts.choices.worktrees(),
      agree: (worktrees) =>
        confirm(
          l10n.t(
            "The files lie in several worktrees, and a commit is of one. You are asked for one commit after the other:\n{0}",
            worktrees.join("\n"),
          ),
        ),
    }),
    ...texts.commands(pickers, () => settings.get("llm.defaultModel")),
    ...controlCommands(parts, {
      flusher,
      nothingToFlush: tellNothingToFlush,
      showPlan: (sides, plan) => shows.plan(sides, plan),
      confirm,
      t: l10n.t,
      count,
    }),
    ...operations,
    cancelRow: operations.cancelOperation,
    ...undoCommand(parts, pickers, l10n.t),
    ...placeCommands(parts, pickers, l10n.t, count),
    ...failedCommands({
      onTop: (sides) => dismissed.onTop(state.current(), sides),
      dismiss: (batches) => shows.dismiss(batches),
      retryBatches,
      t: l10n.t,
    }),
    ...viewCommands(parts, pickers, shows, l10n.t),
    ...keyCommands({
      keys,
      questions: keyQuestions,
      waiting: (provider) => waitingAt(provider, parts),
      changed: () => parts.journal.clearHolds("llm"),
    }),
    ...rowCommands({
      parts,
      moves,
      showMore: (row) => shows.more(row),
      copy: async (text) => env.clipboard.writeText(text),
      hint,
      t: l10n.t,
      count,
    }),
  };
}

async function readText(parts: Parts, id: string, field: TextField): Promise<string> {
  const stored = await parts.journal.operation(id);
  if (!stored) throw new Error(`There is no operation ${id}.`);
  const { [field]: text } = await parts[sideOf(stored.kind)].inputOf(id);
  return typeof text === "string" ? text : "";
}

function tellNothingToFlush(): void {
  inform(l10n.t("Nothing is queued, so there is nothing to flush."));
}

const none: readonly string[] = [];

function keptIds(memento: Memento): ConstructorParameters<typeof Dismissed>[0] {
  return {
    get: () => memento.get("dismissedFailures", none),
    set: (ids) => void memento.update("dismissedFailures", ids),
  };
}

function createContextKeys(log: Log): ContextKeys {
  return new ContextKeys((key, value) => {
    commands
      .executeCommand("setContext", key, value)
      .then(undefined, (error: unknown) => log.error("Setting a context key failed.", error));
  });
}
