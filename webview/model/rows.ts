import type { OperationView } from "../../src/protocol.ts";
import type { ListNode } from "./nodes.ts";

/** One line of the list, nodes and what they hold in one flat sequence. `position` of `of` counts among its siblings. */
export type Row = {
  readonly key: string;
  readonly position: number;
  readonly of: number;
  readonly node: ListNode;
} & (
  | { readonly kind: "node"; readonly expanded: boolean }
  | { readonly kind: "operation"; readonly operation: OperationView }
  /** So many operations are not in the snapshot. */
  | { readonly kind: "more"; readonly hidden: number }
);

/** What the reader opened or closed; keys that are absent follow the default. */
export type Expansion = Readonly<Record<string, boolean>>;

/** What is still going on stands open, what is finished is closed. */
export const isExpanded = (node: ListNode, expansion: Expansion): boolean =>
  expansion[node.key] ?? node.phase !== "finished";

export function listRows(nodes: readonly ListNode[], expansion: Expansion): readonly Row[] {
  const rows: Row[] = [];
  nodes.forEach((node, index) => {
    const expanded = isExpanded(node, expansion);
    rows.push({ kind: "node", key: node.key, position: index + 1, of: nodes.length, node, expanded });
    if (!expanded) return;
    const hidden = node.operationCount - node.operations.length;
    const of = node.operations.length + (hidden > 0 ? 1 : 0);
    node.operations.forEach((operation, at) => {
      rows.push({ kind: "operation", key: operation.id, position: at + 1, of, node, operation });
    });
    if (hidden > 0) rows.push({ kind: "more", key: `more:${node.key}`, position: of, of, node, hidden });
  });
  return rows;
}

/** The row that stands for `key` now: itself, else the node that took it in, else the one at its former index. */
export function successor(
  rows: readonly Row[],
  nodes: readonly ListNode[],
  key: string,
  index: number,
): string | undefined {
  if (rows.some((row) => row.key === key)) return key;
  const owner = nodes.find((node) => node.operations.some(({ id }) => id === key));
  return owner?.key ?? rows[Math.min(index, rows.length - 1)]?.key;
}
