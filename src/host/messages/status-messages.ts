import type { Translate } from "../l10n.ts";
import { batchStatuses, operationStatuses, statusName } from "../words.ts";

/** States, which are named within messages. */
export const statusMessages = (t: Translate): readonly string[] =>
  [...new Set([...operationStatuses, ...batchStatuses])].map((status) => statusName(status, t));
