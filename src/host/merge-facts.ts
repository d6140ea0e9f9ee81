import * as v from "valibot";

const facts = v.object({
  source: v.string(),
  target: v.string(),
  conflictFiles: v.optional(v.array(v.string()), []),
});

/** Short branch names, and the files that conflicted, relative to a worktree. */
export type MergeFacts = v.InferOutput<typeof facts>;

/** What a merge's detail says of it; `undefined` where it says something else. */
export function mergeFacts(detail: unknown): MergeFacts | undefined {
  const read = v.safeParse(facts, detail);
  return read.success ? read.output : undefined;
}
