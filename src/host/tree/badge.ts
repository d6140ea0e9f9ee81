import type { Snapshot } from "../../core/snapshot.ts";
import type { Translate } from "../l10n.ts";
import type { Numbers } from "../numbers.ts";
import { waitingCount } from "../status-bar-model.ts";

interface Badge {
  readonly value: number;
  readonly tooltip: string;
}

/** How much waits, which is what a person can still flush, change or cancel; `undefined` where nothing does. */
export function badgeOf(
  snapshot: Snapshot,
  t: Translate,
  { count }: Pick<Numbers, "count">,
): Badge | undefined {
  const value = waitingCount(snapshot);
  return value > 0 ? { value, tooltip: t("Waiting: {0}", count(value)) } : undefined;
}
