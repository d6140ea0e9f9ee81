import type { Dependency } from "./dependencies.ts";
import { same, textOf } from "./entries.ts";
import type { EntryChange } from "./entries.ts";
import type { IndexUpdate } from "./index-sync.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation } from "./payload.ts";
import { rewritesOf } from "./rewrites.ts";

/** The plan of a `commit` effect: one `git commit` with hooks. */
export interface CommitPlan {
  readonly id: string;
  readonly worktree: string;
  readonly ref: string;
  readonly old: string;
}

export interface PorcelainOptions {
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
  /** Commits outside of the batch that came to nothing. */
  readonly lost: ReadonlyMap<string, Dependency>;
  readonly undoKnown: Set<string>;
  /** Why `git commit` itself has to run. */
  readonly why: string;
  /** The index is one file, so that a whole one can take its place. */
  readonly swaps: boolean;
}

/** What a commit's own changes mean for the index, and what hooks made of what was pinned. */
export function afterCommit(
  operation: CommitOperation,
  changes: readonly EntryChange[],
): {
  readonly updates: ReadonlyMap<string, IndexUpdate>;
  readonly detail: Readonly<Record<string, unknown>>;
} {
  const pinned = new Map(operation.changes.map((change) => [pathOf(change), change]));
  const byHooks = changes.filter(({ path, after }) => {
    const change = pinned.get(path);
    return !change || !same(after, orUndefined(change.now));
  });
  const updates = new Map(
    changes.map(({ path, before, after }) => {
      const change = pinned.get(path);
      const replaceable = change ? [before, orUndefined(change.index)] : [before];
      return [path, { next: after, replaceable }] as const;
    }),
  );
  if (byHooks.length === 0) return { updates, detail: {} };
  const hookChanges = byHooks.map(({ path }) => textOf(path));
  return { updates, detail: { hookChanges, rewritten: rewritesOf(byHooks, pinned) } };
}
