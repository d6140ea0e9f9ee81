import type { StoredOperation } from "../core/operation.ts";
import { commitName } from "./dependencies.ts";
import { textOf } from "./entries.ts";
import { shown } from "./files.ts";
import { pathOf, readOperation } from "./payload.ts";
import type { GitOperation } from "./payload.ts";

/**
 * Why an operation may not pass these in the queue: it would change what two commits mean, or the queue would show an order
 * in which they are not run, for a batch makes all commits first, then the merges, then the pushes.
 */
export function refuseMove(operation: StoredOperation, over: readonly StoredOperation[]): string | undefined {
  const moved = readOperation(operation);
  for (const other of over.map(readOperation)) {
    if (other.commonDir !== moved.commonDir) continue;
    const isDown = other.operation.position > operation.position;
    const reason = samePath(moved, other) ?? (isDown ? tooEarly(other, moved) : tooEarly(moved, other));
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function samePath(moved: GitOperation, other: GitOperation): string | undefined {
  if (moved.kind !== "commit" || other.kind !== "commit" || moved.branch !== other.branch) return undefined;
  const paths = new Set(moved.changes.map(pathOf));
  const shared = other.changes.map(pathOf).find((path) => paths.has(path));
  return shared === undefined
    ? undefined
    : `${commitName(other.operation.label)} changes ${shown(textOf(shared))} too; their order would change what they mean`;
}

/** Whether `first` would stand before something that is run before it all the same. */
function tooEarly(first: GitOperation, second: GitOperation): string | undefined {
  const { label } = second.operation;
  if (first.kind === "push" && second.kind !== "push" && ontoBranch(second) === first.branch)
    return `a push runs after everything queued onto its branch, so it cannot stand before "${label}"`;
  if (
    first.kind === "merge" &&
    second.kind === "commit" &&
    [first.source, first.target].includes(second.branch)
  )
    return `a merge runs after the commits queued onto its branches, so it cannot stand before "${label}"`;
  return undefined;
}

const ontoBranch = (item: Exclude<GitOperation, { readonly kind: "push" }>): string =>
  item.kind === "commit" ? item.branch : item.target;
