import { isZero } from "./refs.ts";
import type { RefMove } from "./refs.ts";

/** Where a batch notes what its refs were before it and what it left them at. */
export const undoPrefix = (batch: string): string => `refs/batch-control/undo/${batch}`;
const under = (batch: string, what: "old" | "new" | "merged", ref: string): string =>
  `${undoPrefix(batch)}/${what}/${ref.slice("refs/".length)}`;
export const undoOld = (batch: string, ref: string): string => under(batch, "old", ref);
export const undoNew = (batch: string, ref: string): string => under(batch, "new", ref);
/** What the branch was before the first merge of this batch into it was brought into its working tree. */
export const undoMerged = (batch: string, ref: string): string => under(batch, "merged", ref);

/** Notes it, unless `known` says that it is. */
export const mergedMove = (
  batch: string,
  { ref, old }: { readonly ref: string; readonly old: string },
  known: ReadonlySet<string>,
): readonly RefMove[] =>
  known.has(undoMerged(batch, ref)) ? [] : [{ ref: undoMerged(batch, ref), next: old }];

/** The branches that have undo refs, from their names. */
export const undoneBranches = (batch: string, undoRefs: Iterable<string>): Set<string> =>
  new Set(
    [...undoRefs].flatMap((ref) => {
      const last = `${undoPrefix(batch)}/new/`;
      return ref.startsWith(last) ? [`refs/${ref.slice(last.length)}`] : [];
    }),
  );

/**
 * What is known of a batch's undo refs: the branches that it moved, and where the state before the first merge into a
 * working tree is noted.
 */
export const knownUndo = (batch: string, undoRefs: readonly string[]): Set<string> =>
  new Set([
    ...undoneBranches(batch, undoRefs),
    ...undoRefs.filter((ref) => ref.startsWith(`${undoPrefix(batch)}/merged/`)),
  ]);

/** What goes into the same transaction as a move, so that it can be undone. `known`: branches that this batch moved before. */
export function undoMoves(
  batch: string,
  moves: readonly RefMove[],
  known: ReadonlySet<string>,
): readonly RefMove[] {
  return moves.flatMap(({ ref, old, next }) => {
    if (next === undefined) return [];
    const isFirst = !known.has(ref) && old !== undefined && !isZero(old);
    return [
      ...(isFirst ? [{ ref: undoOld(batch, ref), next: old }] : []),
      { ref: undoNew(batch, ref), next },
    ];
  });
}
