import { commands, env, l10n, Uri, workspace } from "vscode";
import type { Memento } from "vscode";
import { sideOf } from "../core/operation.ts";
import { createApi } from "./api.ts";
import type { BatchControlApi } from "./api.ts";
import { Claims } from "./claims.ts";
import { runCommand, untrusted } from "./commands/funnel.ts";
import type { FunnelDeps } from "./commands/funnel.ts";
import type { Edits } from "./commands/operations.ts";
import { registerCommands } from "./commands/register.ts";
import { ContextKeys } from "./context-keys.ts";
import { CostGate } from "./cost-gate.ts";
import { PlanDocuments } from "./plan-document.ts";
import { confirm } from "./ui/confirm.ts";
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
import { errorText } from "./reason-words.ts";
import { toldSnapshot } from "./panel/told-snapshot.ts";
import { Texts } from "./texts.ts";
import { Dismissed } from "./tree/dismissed.ts";
import { EditDocuments } from "./edit-documents.ts";
import { EditFlow } from "./ui/edit-flow.ts";
import type { TextField } from "./ui/edit-flow.ts";
import { inform, tell } from "./ui/tell.ts";
import { registerTools } from "./tools/register.ts";
import { toolTable } from "./tools/table.ts";
import type { Tool } from "./tools/tool.ts";
import { Views } from "./views.ts";
import { WindowState } from "./window-state.ts";
import { commandTable } from "./command-table.ts";
import type { HostDeps } from "./host-deps.ts";

export interface Host {
  readonly api: BatchControlApi;
  /** What agents call, by name; the editor's own language models among them. */
  readonly tools: ReadonlyMap<string, Tool>;
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
  const table = commandTable({
    deps,
    state,
    claims,
    gate,
    texts,
    edits,
    dismissed,
    shows: {
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
  });
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
  const { count } = numbersIn(env.language);
  const tools = toolTable({
    parts,
    table,
    funnel,
    snapshot,
    refusal: (lane) => claims.refusal(lane),
    count,
  });
  const disposables = [
    ...registerTools(tools),
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
    tools,
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

async function readText(parts: Parts, id: string, field: TextField): Promise<string> {
  const stored = await parts.journal.operation(id);
  if (!stored) throw new Error(`There is no operation ${id}.`);
  const { [field]: text } = await parts[sideOf(stored.kind)].inputOf(id);
  return typeof text === "string" ? text : "";
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
