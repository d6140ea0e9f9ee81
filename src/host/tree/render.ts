import type { SideName } from "../../core/operation.ts";
import { requestGroupParts } from "../../core/group-name.ts";
import type { Opens } from "../../core/opens.ts";
import { opensOf } from "../../core/opens.ts";
import type { BatchView, OperationView } from "../../core/snapshot.ts";
import { holdText } from "../hold-words.ts";
import type { Translate } from "../l10n.ts";
import type { Numbers } from "../numbers.ts";
import { batchErrorText, failureText } from "../reason-words.ts";
import { batchStatus, firstLine, groupName, operationStatus } from "../words.ts";
import type { NodeRef, Section } from "./node.ts";
import {
  batchesOf,
  branchOf,
  endOf,
  failedCount,
  findBatch,
  findOperation,
  finishedOn,
  hasFailed,
  isEmptySide,
  isOnTop,
  placeOf,
} from "./structure.ts";
import type { AnySide, TreeSnapshot } from "./structure.ts";

/** What a row shows, free of the editor's classes. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** A theme colour, only where the state needs attention. */
  readonly color?: string;
  readonly contextValue: string;
  readonly open: "leaf" | "collapsed" | "expanded";
  /** The command that a click or Enter runs on it. */
  readonly opens?: Opens;
  /** Said by a screen reader in place of label and description. */
  readonly spoken: string;
}

export interface RenderContext extends Numbers {
  readonly t: Translate;
  /** Local time of an ISO time, for a person. */
  readonly time: (iso: string) => string;
  /** The local day of an ISO time, as `YYYY-MM-DD`. */
  readonly dayOf: (iso: string) => string;
  /** A day as `dayOf` gave it, for a person. */
  readonly day: (day: string) => string;
}

/** `undefined` where the snapshot no longer has what the row stood for. */
export function renderRow(snapshot: TreeSnapshot, ref: NodeRef, context: RenderContext): Row | undefined {
  switch (ref.kind) {
    case "side":
      return renderSide(snapshot, ref.side, context);
    case "section":
      return renderSection(snapshot, ref.side, ref.section, context);
    case "place":
      return renderPlace(snapshot, ref.side, ref.place, context);
    case "day":
      return renderDay(snapshot, ref.side, ref.day, context);
    case "more":
      return renderMore(snapshot, ref.side, ref.batch, context);
    case "batch": {
      const batch = findBatch(snapshot[ref.side], ref.batch);
      return batch && renderBatch(snapshot[ref.side], batch, ref.side, context);
    }
    case "operation": {
      const operation = findOperation(snapshot[ref.side], ref.operation, ref.batch);
      return operation && renderOperation(operation, context);
    }
  }
}

function renderSide(snapshot: TreeSnapshot, side: SideName, { t }: RenderContext): Row {
  const label = side === "git" ? t("Git") : t("LLM requests");
  const hold = snapshot.holds.find(({ kind }) => kind === side);
  const facts: string[] = [];
  // The icon says that it is held, and the room is for why.
  if (hold) facts.push(holdText(hold, t));
  if (snapshot.paused[side]) facts.push(t("paused"));
  if (isEmptySide(snapshot[side])) facts.push(t("nothing here"));
  const state = snapshot.paused[side] ? "paused" : "running";
  const icon = hold ? "warning" : side === "git" ? "source-control" : "sparkle";
  // Never a leaf: the editor shows a row that was one as collapsed once it gets children.
  const shown = row(label, facts.join(", "), icon, `side.${side}.${state}`, "expanded");
  if (!hold) return shown;
  const spoken = [label, t("on hold: {0}", facts.join(", "))].join(", ");
  return { ...shown, color: "list.warningForeground", spoken };
}

function renderSection(
  snapshot: TreeSnapshot,
  side: SideName,
  section: Section,
  { t, count }: RenderContext,
): Row {
  const data = snapshot[side];
  const held = section === "queued" ? data.queuedCount : batchesOf(data, section).length;
  const names: Record<Section, string> = {
    failed: t("Failed"),
    executing: t("Executing"),
    pending: t("Pending"),
    queued: t("Queued"),
    finished: t("Finished"),
  };
  const icons: Record<Section, string> = {
    failed: "error",
    executing: "run-all",
    pending: "clock",
    queued: "inbox",
    finished: "history",
  };
  const open = section === "finished" ? "collapsed" : "expanded";
  return row(names[section], count(held), icons[section], `section.${section}.${side}`, open);
}

function renderPlace(snapshot: TreeSnapshot, side: SideName, place: string, { count }: RenderContext): Row {
  const operations = snapshot[side].queued.filter((operation) => placeOf(operation) === place);
  const [first] = operations;
  const repository = first && first.group !== place ? [groupName(first.group)] : [];
  const [label, ...more] = nameParts(place);
  return row(
    label,
    [...repository, count(operations.length), ...more].join(" · "),
    side === "git" ? "worktree" : "layers",
    `place.${side}`,
    "expanded",
  );
}

function renderDay(snapshot: TreeSnapshot, side: SideName, day: string, context: RenderContext): Row {
  const batches = finishedOn(snapshot[side], day, context.dayOf);
  const facts = [context.t("batches: {0}", context.count(batches.length)), costOf(batches, context)].filter(
    Boolean,
  );
  return row(context.day(day), facts.join(" · "), "calendar", "day", "expanded");
}

/** What the provider was paid; empty where nothing was, or where it is not known. */
function costOf(batches: readonly BatchView[], { usd }: RenderContext): string {
  const pico = batches.reduce((sum, { stats }) => sum + (stats?.["llm.costPico"] ?? 0), 0);
  return pico > 0 ? usd(pico / 1e12) : "";
}

function renderMore(
  snapshot: TreeSnapshot,
  side: SideName,
  batch: string | undefined,
  { t, count }: RenderContext,
): Row {
  const data = snapshot[side];
  const found = batch === undefined ? undefined : findBatch(data, batch);
  const hidden = found
    ? found.operationCount - found.operations.length
    : data.queuedCount - data.queued.length;
  return row(t("Show more"), t("not shown: {0}", count(hidden)), "ellipsis", "more", "leaf");
}

function renderBatch(data: AnySide, batch: BatchView, side: SideName, context: RenderContext): Row {
  const { t } = context;
  const failed = failedCount(batch);
  const facts = [
    t("operations: {0}", context.count(batch.operationCount)),
    // How many failed says more than that it is over.
    failed > 0 && isOver(batch) ? "" : stateOf(batch, t),
    failed > 0 ? t("failed: {0}", context.count(failed)) : "",
  ];
  const [label, ...more] = nameParts(batch.group);
  facts.push(costOf([batch], context), context.time(endOf(batch)), ...more);
  const failedHere = isOver(batch) && isOnTop(data, batch);
  const open = batch.status === "executing" || failedHere ? "expanded" : "collapsed";
  const unsuccessful = isOver(batch) && (batch.counts["succeeded"] ?? 0) < batch.operationCount;
  const facets = [...(unsuccessful ? ["unsuccessful"] : []), ...(failedHere ? ["top"] : [])];
  const contextValue = ["batch", batch.status, side, ...facets].join(".");
  return {
    ...row(label, facts.filter(Boolean).join(" · "), batchIcon(batch), contextValue, open),
    ...colour(failed > 0),
  };
}

/** What says most comes first, for a narrow view cuts the rest. */
const nameParts = (group: string): readonly [string, ...string[]] =>
  group.startsWith("llm:") ? requestGroupParts(group) : [groupName(group)];

/** A batch that executes and has an error is tried again. */
const stateOf = (batch: BatchView, t: Translate): string =>
  batch.status === "executing" && batch.error !== undefined
    ? t("trying again: {0}", firstLine(batchErrorText(batch.error, t)))
    : batchStatus(batch, t);

function renderOperation(operation: OperationView, { t, time }: RenderContext): Row {
  // Under "Queued" the status goes without saying.
  const facts =
    operation.status === "queued"
      ? [branchOf(operation), time(operation.enqueuedAt)]
      : [
          operation.error === undefined
            ? operationStatus(operation, t)
            : firstLine(failureText(operation.error, operation.reason, t)),
        ];
  const bad = operation.status === "failed" || operation.status === "expired";
  const contextValue = `operation.${operation.status}.${operation.kind}`;
  return {
    ...row(
      operation.label,
      facts.filter(Boolean).join(" · "),
      operationIcon(operation),
      contextValue,
      "leaf",
    ),
    ...colour(bad),
    opens: opensOf(operation),
  };
}

function row(label: string, description: string, icon: string, contextValue: string, open: Row["open"]): Row {
  return {
    label,
    description,
    icon,
    contextValue,
    open,
    spoken: description ? `${label}, ${description}` : label,
  };
}

const colour = (bad: boolean): Pick<Row, "color"> => (bad ? { color: "list.errorForeground" } : {});
const isOver = ({ status }: BatchView): boolean => status !== "pending" && status !== "executing";

function batchIcon(batch: BatchView): string {
  if (hasFailed(batch)) return "error";
  switch (batch.status) {
    case "pending":
      return "clock";
    case "executing":
      return "sync~spin";
    case "completed":
      return "pass";
    case "cancelled":
      return "circle-slash";
    case "failed":
      return "error";
  }
}

function operationIcon(operation: OperationView): string {
  switch (operation.status) {
    case "executing":
      return "sync~spin";
    case "failed":
      return "error";
    case "expired":
      return "watch";
    case "cancelled":
      return "circle-slash";
    case "succeeded":
      // An answer that was cut off, say.
      return operation.error === undefined ? "pass" : "warning";
    case "queued":
    case "pending":
      return { commit: "git-commit", push: "repo-push", merge: "git-merge", request: "comment" }[
        operation.kind
      ];
  }
}
