import type { RowRequest } from "./actions.ts";
import { opening, rowActions } from "./actions.ts";
import type { Row } from "./rows.ts";

export type Move =
  | { readonly kind: "go"; readonly index: number }
  | { readonly kind: "toggle" }
  | { readonly kind: "ask"; readonly request: RowRequest };

const page = 10;

/** What a key means on the row at `from`, as in the workbench's own trees; `undefined`: nothing. */
export function moveFrom(rows: readonly Row[], from: number, key: string): Move | undefined {
  const row = rows[from];
  if (row === undefined) return undefined;
  const go = (index: number): Move => ({ kind: "go", index: Math.min(rows.length - 1, Math.max(0, index)) });
  const open = (of: Row): Move | undefined => {
    const request = opening(of);
    return request === undefined ? undefined : { kind: "ask", request };
  };
  const ask = (kind: RowRequest["kind"]): Move | undefined => {
    const request = rowActions(row).find((candidate) => candidate.kind === kind);
    return request === undefined ? undefined : { kind: "ask", request };
  };
  switch (key) {
    case "ArrowDown":
      return go(from + 1);
    case "ArrowUp":
      return go(from - 1);
    case "PageDown":
      return go(from + page);
    case "PageUp":
      return go(from - page);
    case "Home":
      return go(0);
    case "End":
      return go(rows.length - 1);
    case "ArrowRight":
      if (row.kind !== "node") return undefined;
      return row.expanded ? go(from + 1) : { kind: "toggle" };
    case "ArrowLeft":
      if (row.kind === "node") return row.expanded ? { kind: "toggle" } : undefined;
      return go(rows.findLastIndex((other, index) => index < from && other.kind === "node"));
    case "Enter":
    case " ":
      return row.kind === "node" ? { kind: "toggle" } : open(row);
    case "Delete":
      return ask("cancelOperation");
    default:
      return undefined;
  }
}
