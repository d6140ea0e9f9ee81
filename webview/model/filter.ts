import type { OperationKind, OperationView } from "../../src/protocol.ts";
import type { ListNode } from "./nodes.ts";

export const stateFilters = ["all", "waiting", "executing", "finished", "failed"] as const;
export const kindFilters = ["all", "commit", "merge", "push", "request"] as const;
type StateFilter = (typeof stateFilters)[number];

export interface Filter {
  readonly state: StateFilter;
  readonly kind: "all" | OperationKind;
  /** A group's name, or `all`. */
  readonly group: string;
  /** Found in labels, errors, ids and group names, whatever the case. */
  readonly text: string;
}

export const noFilter: Filter = { state: "all", kind: "all", group: "all", text: "" };

export const isFiltering = (filter: Filter): boolean =>
  filter.state !== "all" || filter.kind !== "all" || filter.group !== "all" || filter.text.trim() !== "";

export const hasFailed = (operation: OperationView): boolean =>
  operation.status === "failed" || operation.status === "expired";

/** Nodes that hold something asked for, each with only the operations that were. */
export function filterNodes(nodes: readonly ListNode[], filter: Filter): readonly ListNode[] {
  if (!isFiltering(filter)) return nodes;
  const text = filter.text.trim().toLocaleLowerCase();
  return nodes.flatMap((node) => {
    if (filter.group !== "all" && node.group !== filter.group) return [];
    if (!inState(node, filter.state)) return [];
    const wholeNode = text === "" || contains([node.group, node.key, node.batch?.error], text);
    const operations = node.operations.filter(
      (operation) =>
        (filter.kind === "all" || operation.kind === filter.kind) &&
        (filter.state !== "failed" || hasFailed(operation)) &&
        (wholeNode || contains([operation.label, operation.error, operation.reason, operation.id], text)),
    );
    const everyOperation = operations.length === node.operations.length;
    if (operations.length === 0 && !(everyOperation && wholeNode && filter.kind === "all")) return [];
    if (everyOperation) return [node];
    return [{ ...node, operations, operationCount: operations.length, filteredFrom: node.operationCount }];
  });
}

function inState(node: ListNode, state: StateFilter): boolean {
  switch (state) {
    case "all":
      return true;
    case "waiting":
      return node.phase === "queued" || node.phase === "pending";
    case "executing":
    case "finished":
      return node.phase === state;
    case "failed":
      return node.status === "failed" || node.operations.some(hasFailed);
  }
}

const contains = (parts: readonly (string | undefined)[], text: string): boolean =>
  parts.some((part) => part?.toLocaleLowerCase().includes(text));
