import type { BatchStatus } from "../core/batch.ts";
import type { OperationStatus } from "../core/operation.ts";
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

/** The folder of a repository's group, which is named by where its `.git` is. */
export const folderOf = (group: string): string => group.replace(/^git:/, "").replace(/\/\.git\/?$/, "");

/** The end of a path or the words of an LLM group; the whole is shown elsewhere. */
export function groupName(group: string): string {
  const name = group.replace(/^(git|llm):/, "");
  if (group.startsWith("llm:")) return name;
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".git");
  return segments.at(-1) ?? name;
}
