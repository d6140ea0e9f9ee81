import { failureOf, GitError } from "./git-error.ts";
import { moveRefs, ZERO } from "./refs.ts";
import type { RefMove } from "./refs.ts";
import type { Run } from "./run.ts";
import { undoMoves } from "./undo-refs.ts";

/**
 * Notes how something that is done can be undone. Answers what went wrong, which is only a warning: what was done stands.
 * `n`: the effect that the transaction belongs to, so that a lock it leaves is known as its own.
 */
export async function noteUndoMoves(
  run: Run,
  moves: readonly RefMove[],
  n?: number,
): Promise<string | undefined> {
  const noteStart = n === undefined ? undefined : (pid: number): Promise<void> => run.noteStart(n, pid);
  try {
    await run.patiently(() => moveRefs(run.git, run.commonDir, moves, "batch-control: undo", noteStart));
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError) || run.signal.aborted) throw error;
    const warning = `it cannot be undone, for that could not be noted: ${failureOf(error).error}`;
    run.context.log.warn(warning);
    return warning;
  }
}

/** Notes it for one branch. `known`: the branches for which it is noted already. */
export async function noteUndo(
  run: Run,
  branch: string,
  old: string | undefined,
  next: string,
  known: Set<string>,
  n?: number,
): Promise<string | undefined> {
  const moves = undoMoves(run.batch.id, [{ ref: branch, old: old ?? ZERO, next }], known);
  const warning = await noteUndoMoves(run, moves, n);
  if (warning === undefined) known.add(branch);
  return warning;
}
