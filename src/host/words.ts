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
