import type { Settlement } from "../core/journal.ts";
import type { RefsPlan } from "./commit-phase.ts";
import { refChange, succeeded } from "./outcomes.ts";
import type { Success } from "./outcomes.ts";
import type { GitOperation } from "./payload.ts";
import type { Run } from "./run.ts";

/** What a step of an earlier turn gave one operation. */
export type Entry = RefsPlan["operations"][number];

export const landing = (ref: string, old: string, next: string): Success =>
  old === next
    ? { commit: next, detail: { upToDate: true } }
    : { commit: next, refs: [refChange(ref, old, next)] };

/** The operation of an entry, if it is not final yet. */
export const withItem = (
  run: Run,
  entry: Entry,
): readonly { readonly item: GitOperation; readonly entry: Entry }[] => {
  const item = run.item(entry.id);
  return item && run.isOpen(item) ? [{ item, entry }] : [];
};

/** The operation succeeded, unless it is a merge that is also to be pushed. `detail`: joins its own. */
export function kept(
  run: Run,
  item: GitOperation,
  { ref, old, new: next }: Entry,
  detail: Readonly<Record<string, unknown>>,
): readonly Settlement[] {
  const success = landing(ref, old, next);
  const more = { ...success.detail, ...detail };
  const all = Object.keys(more).length === 0 ? success : { ...success, detail: more };
  if (item.kind === "merge") run.landed.set(item.operation.id, all);
  return item.kind === "merge" && item.push ? [] : [succeeded(item, all)];
}
