import { isZero } from "./refs.ts";
import type { RefMove } from "./refs.ts";

/** Where a batch notes what its refs were before it and what it left them at. */
export const undoPrefix = (batch: string): string => `refs/batch-control/undo/${batch}`;
const under = (batch: string, what: "old" | "new" | "merged", ref: string): string =>
  `${undoPrefix(batch)}/${what}/${ref.slice("refs/".length)}`;
export const undoOld = (batch: string, ref: string): string => under(batch, "old", ref);
export const undoNew = (batch: string, ref: string): string => under(batch, "new", ref);
/** What the branch was before this batch's merge into it was brought into its working tree. */
export const undoMerged = (batch: string, ref: string): string => under(batch, "merged", ref);

/** What goes into the same transaction as a move, so that it can be undone. `known`: undo refs that are there already. */
export function undoMoves(batch: string, moves: readonly RefMove[], known: Set<string>): readonly RefMove[] {
  return moves.flatMap(({ ref, old, next }) => {
    if (next === undefined) return [];
    const first = undoOld(batch, ref);
    const last = undoNew(batch, ref);
    const keep: RefMove[] =
      !known.has(last) && old !== undefined && !isZero(old) ? [{ ref: first, next: old }] : [];
    known.add(last);
    return [...keep, { ref: last, next }];
  });
}
