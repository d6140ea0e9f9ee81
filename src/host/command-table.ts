import { env, l10n } from "vscode";
import { BranchGate } from "./branch-gate.ts";
import type { Claims } from "./claims.ts";
import type { CommandTable } from "./commands/command.ts";
import { Candidates } from "./candidates.ts";
import { controlCommands } from "./commands/control.ts";
import { enqueueCommands } from "./commands/enqueue.ts";
import { failedCommands } from "./commands/failed.ts";
import { Flusher } from "./commands/flush.ts";
import { keyCommands } from "./commands/keys.ts";
import { waitingAt } from "./queued.ts";
import { sideOfBatch, toldBatches } from "./commands/of-operation.ts";
import { operationCommands } from "./commands/operations.ts";
import type { Edits } from "./commands/operations.ts";
import { placeCommands } from "./commands/places.ts";
import { batchRetrier } from "./commands/retry.ts";
import { rowCommands } from "./commands/rows.ts";
import { undoCommand } from "./commands/undo.ts";
import { viewCommands } from "./commands/views.ts";
import type { Shows } from "./commands/views.ts";
import type { CostGate } from "./cost-gate.ts";
import { confirm } from "./ui/confirm.ts";
import { Moves } from "./moves.ts";
import { numbersIn } from "./numbers.ts";
import { errorText } from "./reason-words.ts";
import type { Texts } from "./texts.ts";
import { StoredDrafts } from "./drafts.ts";
import type { Dismissed } from "./tree/dismissed.ts";
import { queuedBranches, queuedFiles } from "./ui/queued-files.ts";
import { Flows } from "./ui/flows.ts";
import { keyQuestions } from "./ui/key-questions.ts";
import { Pickers } from "./ui/pickers.ts";
import { hint, inform } from "./ui/tell.ts";
import type { WindowState } from "./window-state.ts";
import type { HostDeps } from "./host-deps.ts";

/** What the window around the commands has made already. */
interface Made {
  readonly deps: HostDeps;
  readonly state: WindowState;
  readonly claims: Claims;
  readonly gate: CostGate;
  readonly texts: Texts;
  readonly edits: Edits;
  readonly shows: Shows;
  readonly dismissed: Dismissed;
}

/** Every command, with what it asks and what it does. */
export function commandTable({
  deps: { context, parts, settings, keys, clock, sourceControl },
  state,
  claims,
  gate,
  texts,
  edits,
  shows,
  dismissed,
}: Made): CommandTable {
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

function tellNothingToFlush(): void {
  inform(l10n.t("Nothing is queued, so there is nothing to flush."));
}
