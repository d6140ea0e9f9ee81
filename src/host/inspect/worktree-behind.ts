import type { OperationView } from "../../core/snapshot.ts";
import { mergeFacts } from "../merge-facts.ts";
import type { WorktreeChoice } from "../parts.ts";

/**
 * The path of the worktree in which a person goes on from an operation: the one it was queued from, or, of a merge that
 * failed, the one that has its source checked out, for there it is mended.
 */
export function worktreeBehind(
  { kind, status, detail }: Pick<OperationView, "kind" | "status" | "detail">,
  queuedFrom: string,
  worktrees: readonly WorktreeChoice[],
): string {
  const source = kind === "merge" && status === "failed" ? mergeFacts(detail)?.source : undefined;
  const own = worktrees.find(({ path }) => path === queuedFrom);
  const found = worktrees.find(
    ({ main, branch }) => source !== undefined && main === own?.main && branch === source,
  );
  return found?.path ?? queuedFrom;
}
