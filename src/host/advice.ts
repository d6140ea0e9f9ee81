import type { OperationView } from "../core/snapshot.ts";
import type { Translate } from "./l10n.ts";
import { mergeFacts } from "./merge-facts.ts";

/** What a person can do about a failure, where its own words do not say so; `undefined`: nothing is known. */
export function adviceFor(
  { kind, status, reason, detail }: Pick<OperationView, "kind" | "status" | "reason" | "detail">,
  t: Translate,
): string | undefined {
  if (status !== "failed") return undefined;
  switch (kind) {
    case "merge":
      return ofMerge(reason, detail, t);
    case "commit":
      return reason === "commit-refused"
        ? t(
            "Mend the files in the worktree as the hook asks, and queue the commit again: a retry would bring the same content.",
          )
        : undefined;
    case "push":
      return reason === "push-refused"
        ? t("Mend what the pre-push hook objects to and commit that, then retry.")
        : undefined;
    case "request":
      return undefined;
  }
}

function ofMerge(reason: string | undefined, detail: unknown, t: Translate): string | undefined {
  const facts = mergeFacts(detail);
  if (!facts) return undefined;
  const { source, target } = facts;
  switch (reason) {
    case "conflict":
      return t(
        "Merge {0} into {1} where {1} is checked out, resolve the files there and commit them; then retry.",
        target,
        source,
      );
    case "not-fast-forward":
      return t(
        "Merge {0} into {1}, or rebase {1} onto it, where {1} is checked out; then retry.",
        target,
        source,
      );
    case "verify-failed":
      return t("Mend on {0} what the check found and commit that, then retry.", source);
    case "worktree-dirty":
      return t("Commit or stash what is in the way, then retry.");
    default:
      return undefined;
  }
}
