import type { PanelRequest } from "../../src/protocol.ts";
import { opensOf } from "../../src/protocol.ts";
import { hasFailed } from "./filter.ts";
import type { Row } from "./rows.ts";

/** Requests that a row may offer. */
export type RowRequest = Exclude<
  PanelRequest,
  { kind: "resume" | "setApiKey" | "manageTrust" | "exportHistory" }
>;

/** What Enter and a double click on a row open, the same as in the queue's tree; nothing where there is nothing behind it. */
export const opening = (row: Row): RowRequest | undefined =>
  row.kind === "operation" ? { kind: opensOf(row.operation), id: row.operation.id } : undefined;

/** What may be done with a row now, the most usual last, where the pointer is nearest. */
export function rowActions(row: Row): readonly RowRequest[] {
  switch (row.kind) {
    case "node":
      return nodeActions(row);
    case "operation":
      return operationActions(row);
    case "more":
      return [];
  }
}

function nodeActions({ node }: Row & { kind: "node" }): readonly RowRequest[] {
  switch (node.phase) {
    case "queued":
      return [
        { kind: "pause", side: node.side },
        { kind: "flush", side: node.side },
      ];
    case "pending":
    case "executing":
      return [{ kind: "cancelBatch", id: node.key }];
    case "finished": {
      const { succeeded = 0 } = node.batch?.counts ?? {};
      const retry = succeeded < node.operationCount;
      return retry ? [{ kind: "retryBatch", id: node.key }] : [];
    }
  }
}

function operationActions({ operation }: Row & { kind: "operation" }): readonly RowRequest[] {
  const { id, status } = operation;
  const open: RowRequest = { kind: opensOf(operation), id };
  if (status === "queued" || status === "pending") return [open, { kind: "cancelOperation", id }];
  if (hasFailed(operation) || status === "cancelled") return [open, { kind: "retryOperation", id }];
  return [open];
}
