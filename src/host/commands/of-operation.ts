import { sideOf } from "../../core/operation.ts";
import type { Translate } from "../l10n.ts";
import type { GitSide, LlmSide, Parts } from "../parts.ts";
import { groupName } from "../words.ts";
import { WordedError } from "../worded-error.ts";
import type { Told } from "./each.ts";

/** The side that an id belongs to. Rejects with `StateError` where there is none. */
export type OfOperation = (id: string) => Promise<GitSide | LlmSide>;

type SideParts = Pick<Parts, "journal" | "git" | "llm">;

export const sideOfOperation =
  (parts: SideParts, t: Translate): OfOperation =>
  async (id) => {
    const found = await parts.journal.operation(id);
    if (!found) throw new WordedError("not-found", t("id: there is no operation {0}.", id));
    return parts[sideOf(found.kind)];
  };

export const sideOfBatch =
  (parts: SideParts, t: Translate): OfOperation =>
  async (id) => {
    const found = await parts.journal.batch(id);
    if (!found) throw new WordedError("not-found", t("id: there is no batch {0}.", id));
    return parts[found.side];
  };

/** How operations are named where some of several were left. */
export const toldOperations = (
  journal: Pick<Parts["journal"], "operation">,
  t: Translate,
  count: (value: number) => string,
): Told<string> => ({ name: async (id) => (await journal.operation(id))?.label ?? id, t, count });

export const toldBatches = (
  journal: Pick<Parts["journal"], "batch">,
  t: Translate,
  count: (value: number) => string,
): Told<string> => ({
  name: async (id) => {
    const batch = await journal.batch(id);
    return batch ? groupName(batch.group) : id;
  },
  t,
  count,
});
