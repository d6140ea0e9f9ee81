import type { BatchView, Snapshot } from "../core/snapshot.ts";
import { holdText } from "./hold-words.ts";
import type { Translate } from "./l10n.ts";
import { escapeMarkdown } from "./markdown.ts";
import type { Numbers } from "./numbers.ts";
import { hasChecking } from "./words.ts";

export interface StatusLook {
  readonly text: string;
  readonly warning: boolean;
  /** Markdown. */
  readonly tooltip: string;
  readonly spoken: string;
}

/** When the newest failure ended, as an ISO time; empty where there is none. */
export function newestFailure(snapshot: Snapshot): string {
  const failed = [...snapshot.git.executed, ...snapshot.llm.executed].filter(
    ({ counts }) => (counts["failed"] ?? 0) + (counts["expired"] ?? 0) > 0,
  );
  return failed.reduce((newest, { endedAt = "" }) => (endedAt > newest ? endedAt : newest), "");
}

export function waitingCount(snapshot: Snapshot): number {
  return [snapshot.git, snapshot.llm].reduce(
    (sum, side) => sum + side.queuedCount + operationsIn(side.pending),
    0,
  );
}

/** `seen`: the end of the newest failure that the person has looked at. */
export function statusLook(snapshot: Snapshot, seen: string, t: Translate, numbers: Numbers): StatusLook {
  const waiting = waitingCount(snapshot);
  const running = [...snapshot.git.executing, ...snapshot.llm.executing];
  const executing = operationsIn(running);
  const failed = newestFailure(snapshot) > seen;
  const paused = snapshot.paused.git || snapshot.paused.llm;
  const icon = executing > 0 ? "sync~spin" : failed ? "warning" : paused ? "debug-pause" : "layers";
  const facts = [
    t("Waiting: {0}", numbers.count(waiting)),
    t("Executing: {0}", numbers.count(executing)),
    ...(running.some(hasChecking)
      ? [
          t(
            "Something got no answer: it is being found out what happened, and what is queued behind it waits.",
          ),
        ]
      : []),
    ...(failed ? [t("Something failed since you last looked.")] : []),
    ...pausedFacts(snapshot, t),
    ...snapshot.holds.map((hold) => t("On hold: {0}", holdText(hold, t))),
  ];
  return {
    text: `$(${icon}) ${numbers.count(waiting)}`,
    warning: failed,
    tooltip: [
      `**${t("Batch Control")}**`,
      ...facts.map(escapeMarkdown),
      ...savings(snapshot, t, numbers).map(escapeMarkdown),
    ].join("\n\n"),
    spoken: [t("Batch Control"), ...facts].join(", "),
  };
}

function pausedFacts({ paused }: Snapshot, t: Translate): readonly string[] {
  if (paused.git && paused.llm) return [t("Automatic flushing is paused.")];
  if (paused.git) return [t("Automatic flushing of git is paused.")];
  return paused.llm ? [t("Automatic flushing of LLM requests is paused.")] : [];
}

function savings({ git, llm }: Snapshot, t: Translate, { count, usd }: Numbers): readonly string[] {
  const lines = [
    t(
      "Pushes saved: {0} ({1} asked for, {2} run)",
      count(git.stats.networkSavings),
      count(git.stats.pushesRequested),
      count(git.stats.pushesExecuted),
    ),
    t("API calls saved: {0} ({1} made)", count(llm.stats.apiCallsSaved), count(llm.stats.apiCalls)),
  ];
  if (llm.stats.standardCostUsd > 0) {
    lines.push(
      t(
        "Saved {0}: paid {1}, at standard price {2}",
        usd(llm.stats.savedUsd),
        usd(llm.stats.costUsd),
        usd(llm.stats.standardCostUsd),
      ),
    );
  }
  if (llm.stats.unpricedRequests > 0)
    lines.push(t("Requests of unknown price: {0}", count(llm.stats.unpricedRequests)));
  return lines;
}

const operationsIn = (batches: readonly BatchView[]): number =>
  batches.reduce((sum, { operationCount }) => sum + operationCount, 0);
