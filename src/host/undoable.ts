import type { BatchView, OperationView } from "../core/snapshot.ts";

/** What of a batch can be put back: commits and merges move branches of this repository, a push moves another's. */
const movedBranch = ({ kind, status }: Pick<OperationView, "kind" | "status">): boolean =>
  status === "succeeded" && (kind === "commit" || kind === "merge");

/** Whether there is anything to undo, as far as its view tells; it may have been undone since. */
export const mayUndo = (batch: BatchView): boolean =>
  batch.group.startsWith("git:") &&
  batch.endedAt !== undefined &&
  (batch.counts["succeeded"] ?? 0) > 0 &&
  (batch.operations.length < batch.operationCount || batch.operations.some(movedBranch));

/** The names of what would be taken back. */
export const undoneNames = (
  operations: readonly Pick<OperationView, "kind" | "status" | "label">[],
): readonly string[] => operations.filter(movedBranch).map(({ label }) => label);
