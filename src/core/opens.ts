import type { OperationKind, OperationStatus } from "./operation.ts";

/** What can be opened of an operation: its files before and after, its story, its answer. */
export type Opens = "openChanges" | "openDetails" | "openResult";

/** What says most about an operation, and so opens from its row: the answer, the changes, else its story. */
export function opensOf({
  kind,
  status,
}: {
  readonly kind: OperationKind;
  readonly status: OperationStatus;
}): Opens {
  if (status === "failed" || status === "cancelled" || status === "expired" || kind === "push")
    return "openDetails";
  if (kind === "commit") return "openChanges";
  if (status !== "succeeded") return "openDetails";
  return kind === "merge" ? "openChanges" : "openResult";
}
