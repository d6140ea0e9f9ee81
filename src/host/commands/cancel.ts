import { StateError } from "../../core/errors.ts";
import { sideOf } from "../../core/operation.ts";
import type { Parts } from "../parts.ts";
import { doEach } from "./each.ts";
import type { Told } from "./each.ts";
import type { OfOperation } from "./of-operation.ts";

/**
 * Cancels queued and pending operations: at once where all of a side can be, else one by one, so that one that has started
 * keeps none of the others.
 */
export async function cancelOperations(
  ids: readonly string[],
  parts: Pick<Parts, "journal" | "git" | "llm">,
  ofOperation: OfOperation,
  told: Told<string>,
): Promise<void> {
  const found = await Promise.all(ids.map((id) => parts.journal.operation(id)));
  const sides = new Set(found.map((operation) => operation && sideOf(operation.kind)));
  const [side] = sides;
  if (ids.length > 1 && sides.size === 1 && side !== undefined) {
    try {
      await parts[side].cancelAll(ids);
      return;
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
    }
  }
  await doEach(ids, async (id) => (await ofOperation(id)).cancel(id), told);
}
