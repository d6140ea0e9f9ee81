import type { Side, Snapshot } from "../core/snapshot.ts";
import type { ContextKeys } from "./context-keys.ts";
import type { ApiKeys, Provider } from "./secrets.ts";

/**
 * What a person has done so far, for the walkthrough: told by what is in the queue and the history, so that a command that
 * failed or was dismissed counts for nothing.
 */
export function setProgress(contextKeys: ContextKeys, { git, llm }: Pick<Snapshot, "git" | "llm">): void {
  contextKeys.set("did.queue", hasAny(git) || git.stats.totalOps > 0);
  contextKeys.set("did.ask", hasAny(llm) || llm.stats.totalRequests > 0);
  contextKeys.set("did.flush", [git, llm].some(hasFlushed));
}

/** Whether there is a key for any of these providers. */
export async function setKeyState(
  contextKeys: ContextKeys,
  keys: Pick<ApiKeys, "get">,
  providers: readonly Provider[],
): Promise<void> {
  const found = await Promise.all(providers.map((provider) => keys.get(provider)));
  contextKeys.set(
    "noKey",
    found.every((key) => key === undefined),
  );
}

const hasAny = (side: Side<unknown>): boolean =>
  side.queuedCount > 0 || side.pending.length > 0 || side.executing.length > 0 || side.executed.length > 0;

/** What was cancelled before it ran is no flush. */
const hasFlushed = ({ pending, executing, stats }: Side<{ readonly totalBatches: number }>): boolean =>
  pending.length > 0 || executing.length > 0 || stats.totalBatches > 0;
