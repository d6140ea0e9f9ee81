import type { Operation } from "./operation.ts";
import type { OperationView } from "./snapshot.ts";

/** An operation as every window shows it. */
export const operationView = (operation: Operation): OperationView => ({
  id: operation.id,
  kind: operation.kind,
  group: operation.group,
  label: operation.label,
  status: operation.status,
  enqueuedAt: new Date(operation.enqueuedAt).toISOString(),
  source: operation.source,
  ...(operation.error === undefined ? {} : { error: operation.error }),
  ...(operation.reason === undefined ? {} : { reason: operation.reason }),
  ...(operation.retryOf === undefined ? {} : { retryOf: operation.retryOf }),
  ...(operation.detail === undefined ? {} : { detail: operation.detail }),
});
