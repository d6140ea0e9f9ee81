import { isFinal } from "../core/operation.ts";
import { failureOf } from "./git-error.ts";
import { removeLeftLocks } from "./own-locks.ts";
import { pinnedId, pinPrefix } from "./pins.ts";
import { moveRefs, readRefs } from "./refs.ts";
import type { Run } from "./run.ts";

/** Batches that can still be undone. */
const MAX_UNDO = 50;
const DAY_MS = 86_400_000;
const UNDO = "refs/batch-control/undo";
const TEMPORARY = "refs/batch-control/tmp";

/**
 * Deletes our refs that nobody needs any more: pins of final operations, what a crash left behind, the undo refs of all
 * but the newest batches. What cannot be deleted now is deleted after a later batch.
 */
export async function tidy(run: Run): Promise<void> {
  try {
    await removeLeftLocks(run);
    const refs = await readRefs(run.git, run.commonDir, pinPrefix, TEMPORARY, UNDO);
    const names = [...refs.keys()];
    const under = (prefix: string): readonly string[] => names.filter((ref) => ref.startsWith(`${prefix}/`));
    const useless = [
      ...(await loosePins(run, under(pinPrefix))),
      ...under(TEMPORARY),
      ...oldUndo(under(UNDO)),
    ];
    await moveRefs(
      run.git,
      run.commonDir,
      useless.map((ref) => ({ ref })),
      "batch-control: tidy",
    );
  } catch (error) {
    run.context.log.warn(`refs that are needed no more could not be deleted: ${failureOf(error).error}`);
  }
}

/** Pins of final operations, and old ones that no operation answers to. */
async function loosePins(run: Run, pins: readonly string[]): Promise<readonly string[]> {
  const loose = await Promise.all(
    pins.map(async (ref) => {
      const id = pinnedId(ref);
      const own = run.item(id);
      if (own) return run.isOpen(own) ? [] : [ref];
      // A window that was killed after its batch had ended could not let go of them.
      const stored = await run.deps.operation(id);
      if (stored) return isFinal(stored.status) ? [ref] : [];
      // Younger ones may be on their way into the journal.
      return run.deps.clock.now() - madeAt(id) < DAY_MS ? [] : [ref];
    }),
  );
  return loose.flat();
}

/** Ids begin with the time of their making: RFC 9562, version 7. */
const madeAt = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

function oldUndo(refs: readonly string[]): readonly string[] {
  const batchOf = (ref: string): string => ref.slice(UNDO.length + 1).split("/")[0] ?? "";
  const kept = new Set([...new Set(refs.map(batchOf))].sort().slice(-MAX_UNDO));
  return refs.filter((ref) => !kept.has(batchOf(ref)));
}
