import type { GroupQueue } from "../core/journal.ts";
import type { SideName } from "../core/operation.ts";
import type { BatchView, JournalState, Snapshot } from "../core/snapshot.ts";
import { pushesDelivered, requestsAnswered } from "../core/stats.ts";
import type { TriggerSettings } from "../core/triggers.ts";
import { holdText } from "./hold-words.ts";
import type { Translate } from "./l10n.ts";
import { escapeMarkdown } from "./markdown.ts";
import type { Numbers } from "./numbers.ts";
import { nextFlush, nextFlushText } from "./next-flush.ts";
import { savedToday } from "./saved-today.ts";
import { hasFailed } from "./tree/structure.ts";
import { groupName, hasChecking } from "./words.ts";

export interface StatusLook {
  readonly text: string;
  readonly warning: boolean;
  /** Markdown. */
  readonly tooltip: string;
  readonly spoken: string;
}

/** When the newest failure ended, as an ISO time; empty where there is none. */
export function newestFailure(snapshot: Snapshot): string {
  const failed = [...snapshot.git.executed, ...snapshot.llm.executed].filter(hasFailed);
  return failed.reduce((newest, { endedAt = "" }) => (endedAt > newest ? endedAt : newest), "");
}

/** Operations that are queued or in pending batches. */
export function waitingCount(
  state: Pick<JournalState, SideName>,
  sides: readonly SideName[] = ["git", "llm"],
): number {
  return sides.reduce((sum, side) => sum + state[side].queuedCount + operationsIn(state[side].pending), 0);
}

export interface StatusContext {
  readonly t: Translate;
  readonly numbers: Numbers;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The time of day, with seconds, of milliseconds since 1970. */
  readonly time: (at: number) => string;
  readonly triggers: Readonly<Record<SideName, TriggerSettings>>;
  /** Everything that is queued, however much. */
  readonly queues: Readonly<Record<SideName, readonly GroupQueue[]>>;
}

/** So many running batches are named; the rest is in the panel. */
const named = 5;

/** `seen`: the end of the newest failure that the person has looked at. */
export function statusLook(snapshot: Snapshot, seen: string, context: StatusContext): StatusLook {
  const { t, numbers } = context;
  const waiting = waitingCount(snapshot);
  const running = [...snapshot.git.executing, ...snapshot.llm.executing];
  const executing = operationsIn(running);
  const failed = newestFailure(snapshot) > seen;
  const paused = snapshot.paused.git || snapshot.paused.llm;
  // Without the colour of a failure, for nothing was lost; but it waits for a person.
  const stuck = waiting > 0 && snapshot.holds.length > 0;
  const icon = executing > 0 ? "sync~spin" : failed || stuck ? "warning" : paused ? "debug-pause" : "layers";
  const facts = [
    t("Waiting: {0}", numbers.count(waiting)),
    t("Executing: {0}", numbers.count(executing)),
    ...running.slice(0, named).map((batch) => progress(batch, context)),
    ...(running.some(hasChecking)
      ? [
          t(
            "Something got no answer: it is being found out what happened, and what is queued behind it waits.",
          ),
        ]
      : []),
    ...(failed ? [t("Something failed since you last looked.")] : []),
    ...pausedFacts(snapshot, t),
    ...nextFlushes(snapshot, context),
    ...snapshot.holds.map((hold) => t("On hold: {0}", holdText(hold, t))),
    ...todayFacts(snapshot, context),
  ];
  return {
    text: `$(${icon}) ${numbers.count(waiting)}`,
    warning: failed,
    tooltip: [
      `**${t("Batch Control")}**`,
      ...[...facts, ...savings(snapshot, t, numbers)].map(escapeMarkdown),
    ].join("\n\n"),
    spoken: [t("Batch Control"), ...facts].join(", "),
  };
}

const progress = ({ group, counts, operationCount }: BatchView, { t, numbers }: StatusContext): string => {
  const open = (counts["pending"] ?? 0) + (counts["executing"] ?? 0);
  return t(
    "{0}: {1} of {2} done",
    groupName(group),
    numbers.count(operationCount - open),
    numbers.count(operationCount),
  );
};

const nextFlushes = (snapshot: Snapshot, context: StatusContext): readonly string[] =>
  (["git", "llm"] as const).flatMap((side) => {
    const next = nextFlush(snapshot, side, context.queues[side], context.triggers[side], context.now);
    return nextFlushText(side, next, context) ?? [];
  });

function todayFacts(snapshot: Snapshot, { t, numbers, now }: StatusContext): readonly string[] {
  const { pushes, usd, partial } = savedToday(snapshot, now);
  const saved =
    [
      pushes > 0 ? t("pushes: {0}", numbers.count(pushes)) : "",
      usd === undefined ? "" : t("{0} at the provider (estimate)", numbers.usd(usd)),
    ]
      .filter(Boolean)
      .join(", ") || t("nothing yet");
  return [partial ? t("Saved today, over the newest batches: {0}", saved) : t("Saved today: {0}", saved)];
}

function pausedFacts({ paused }: Snapshot, t: Translate): readonly string[] {
  if (paused.git && paused.llm) return [t("Automatic flushing is paused.")];
  if (paused.git) return [t("Automatic flushing of git is paused.")];
  return paused.llm ? [t("Automatic flushing of LLM requests is paused.")] : [];
}

function savings({ git, llm }: Snapshot, t: Translate, { count, usd }: Numbers): readonly string[] {
  const lines: string[] = [];
  const savedOrLost = (n: number): string => (n < 0 ? t("on top {0}", count(-n)) : t("saved {0}", count(n)));
  if (git.stats.pushesRequested > 0)
    lines.push(
      t(
        "Pushes in all: asked for {0}, delivered {1}, runs of git push {2}, {3}",
        count(git.stats.pushesRequested),
        count(pushesDelivered(git.stats)),
        count(git.stats.pushesExecuted),
        savedOrLost(git.stats.networkSavings),
      ),
    );
  if (llm.stats.apiCalls > 0)
    lines.push(
      t(
        "API calls in all: answered {0}, calls {1}, {2}",
        count(requestsAnswered(llm.stats)),
        count(llm.stats.apiCalls),
        savedOrLost(llm.stats.apiCallsSaved),
      ),
    );
  if (llm.stats.standardCostUsd > 0) {
    lines.push(
      t(
        "Cost in all: standard {0}, paid {1}, saved {2}",
        usd(llm.stats.standardCostUsd),
        usd(llm.stats.costUsd),
        usd(llm.stats.savedUsd),
      ),
    );
  }
  if (llm.stats.unpricedRequests > 0)
    lines.push(t("Requests of unknown price: {0}", count(llm.stats.unpricedRequests)));
  return lines;
}

const operationsIn = (batches: readonly BatchView[]): number =>
  batches.reduce((sum, { operationCount }) => sum + operationCount, 0);
