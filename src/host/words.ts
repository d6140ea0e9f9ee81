import type { BatchStatus } from "../core/batch.ts";
import { requestGroupName } from "../core/group-name.ts";
import type { OperationStatus, Source } from "../core/operation.ts";
import type { BatchView, OperationView, Progress } from "../core/snapshot.ts";
import type { Translate } from "./l10n.ts";

/** A status in the reader's language. */
export function statusName(status: OperationStatus | BatchStatus, t: Translate): string {
  switch (status) {
    case "queued":
      return t("queued");
    case "pending":
      return t("pending");
    case "executing":
      return t("executing");
    case "succeeded":
      return t("succeeded");
    case "completed":
      return t("completed");
    case "failed":
      return t("failed");
    case "cancelled":
      return t("cancelled");
    case "expired":
      return t("expired");
  }
}

export const operationStatuses = [
  "queued",
  "pending",
  "executing",
  "succeeded",
  "failed",
  "cancelled",
  "expired",
] as const satisfies readonly OperationStatus[];
export const batchStatuses = [
  "pending",
  "executing",
  "completed",
  "failed",
  "cancelled",
] as const satisfies readonly BatchStatus[];

export const isStatus = (text: string): text is OperationStatus =>
  operationStatuses.some((status) => status === text);

/** Who queued something. */
export function sourceName(source: Source, t: Translate): string {
  switch (source) {
    case "person":
      return t("by hand");
    case "extension":
      return t("by an extension");
    case "tool":
      return t("by a tool");
    case "cli":
      return t("by the command line");
    case "mcp":
      return t("by an agent");
  }
}

/** How a merge is made; `undefined` where that is not known. */
export function mergeMode(mode: unknown, t: Translate): string | undefined {
  switch (mode) {
    case "merge":
      return t("Merge commit");
    case "ff-only":
      return t("Fast-forward only");
    case "squash":
      return t("Squash into one commit");
    default:
      return undefined;
  }
}

/** It was sent, and whether it was done is being found out. */
export const isChecking = ({ status, detail }: OperationView): boolean =>
  status === "executing" &&
  typeof detail === "object" &&
  detail !== null &&
  "checking" in detail &&
  detail.checking === true;

/** As far as its operations are shown. */
export const hasChecking = ({ status, operations }: BatchView): boolean =>
  status === "executing" && operations.some(isChecking);

export const operationStatus = (operation: OperationView, t: Translate): string =>
  isChecking(operation) ? t("finding out what happened") : statusName(operation.status, t);

export function batchStatus(batch: BatchView, t: Translate): string {
  if (hasChecking(batch)) return t("finding out what happened");
  return batch.progress ? progressText(batch.progress, t) : statusName(batch.status, t);
}

function progressText({ target, step, percent }: Progress, t: Translate): string {
  switch (step) {
    case "counting":
      return t("pushing to {0}: counting objects, {1} %", target, percent);
    case "compressing":
      return t("pushing to {0}: compressing objects, {1} %", target, percent);
    case "writing":
      return t("pushing to {0}: writing objects, {1} %", target, percent);
    case "resolving":
      return t("pushing to {0}: the remote resolves deltas, {1} %", target, percent);
    case "uploading":
      return t("pushing to {0}: uploading large files, {1} %", target, percent);
  }
}

/** What finding out means for everything else. */
export function checkingText(group: string, t: Translate): string {
  // Only a provider is asked again and again; git answers or fails.
  return group.startsWith("llm:")
    ? t(
        "No answer has come, so it is being found out whether the provider has the requests. Until then, what is queued behind them waits; batchControl.llm.unknownOutcomeWait limits how long.",
      )
    : t(
        "It is being found out whether git has done this already. Until then, what is queued behind it waits.",
      );
}

/** The folder of a repository's group, which is named by where its `.git` is. */
export const folderOf = (group: string): string => group.replace(/^git:/, "").replace(/\/\.git\/?$/, "");

/** Where a group's work is done: the whole path of a repository's folder, or the words of an LLM group. */
export const placeOf = (group: string): string =>
  group.startsWith("llm:") ? groupName(group) : folderOf(group);

/** The end of a path or the words of an LLM group; the whole is shown elsewhere. */
export function groupName(group: string): string {
  if (group.startsWith("llm:")) return requestGroupName(group);
  const name = group.replace(/^git:/, "");
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".git");
  return segments.at(-1) ?? name;
}

/** Of a failure's text; the rest, as what a remote's hook printed, is in the tooltip and in the details. */
export const firstLine = (text: string): string => text.split("\n")[0] ?? "";
