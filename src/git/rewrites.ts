import * as v from "valibot";
import { same } from "./entries.ts";
import type { Entry, EntryChange, PathKey } from "./entries.ts";
import { orUndefined, pathOf } from "./payload.ts";
import type { CommitOperation, PinnedChange } from "./payload.ts";
import type { Run } from "./run.ts";

/** What a hook made of pinned content: by path, what was queued and what was committed. */
export type Rewrites = ReadonlyMap<
  PathKey,
  { readonly from: Entry | undefined; readonly to: Entry | undefined }
>;

const entry = v.nullable(v.object({ mode: v.string(), oid: v.string() }));
const detail = v.object({
  rewritten: v.optional(v.record(v.string(), v.object({ from: entry, to: entry }))),
});

/** For an operation's detail. */
export function rewritesOf(
  changes: readonly EntryChange[],
  pinned: ReadonlyMap<PathKey, PinnedChange>,
): Readonly<Record<string, { from: Entry | null; to: Entry | null }>> {
  return Object.fromEntries(
    changes.flatMap(({ path, after }) => {
      const change = pinned.get(path);
      if (!change || same(orUndefined(change.now), after)) return [];
      return [[path, { from: change.now, to: after ?? null }]];
    }),
  );
}

/** What hooks made of the earlier commits that this one builds on: their content counts as what it was made from. */
export async function rewritesBefore(run: Run, { changes }: CommitOperation): Promise<Rewrites> {
  const rewrites = new Map<PathKey, { from: Entry | undefined; to: Entry | undefined }>();
  for (const change of changes) {
    if (change.after === undefined) continue;
    const parsed = v.safeParse(detail, await run.detailOf(change.after));
    const path = pathOf(change);
    const rewrite = parsed.success ? parsed.output.rewritten?.[path] : undefined;
    if (rewrite) rewrites.set(path, { from: orUndefined(rewrite.from), to: orUndefined(rewrite.to) });
  }
  return rewrites;
}
