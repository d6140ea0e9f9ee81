import type { BatchView, FromPanel, SideName, Snapshot, ToPanel } from "../../src/protocol.ts";

/** Finished batches that the newest snapshot no longer lists. `ended`: the host has no more before them. */
export type Older = Readonly<
  Record<SideName, { readonly batches: readonly BatchView[]; readonly ended: boolean }>
>;

export const noOlder: Older = { git: { batches: [], ended: false }, llm: { batches: [], ended: false } };

/** A snapshot lists no more finished batches of a side. */
const snapshotLimit = 200;
const sides = ["git", "llm"] as const;
const bySide = <T>(make: (side: SideName) => T): Record<SideName, T> => ({
  git: make("git"),
  llm: make("llm"),
});

/** What the panel shows as finished: the snapshot's own, then what was loaded. */
export const withOlder = (snapshot: Snapshot, older: Older): Snapshot => ({
  ...snapshot,
  git: { ...snapshot.git, executed: joined(snapshot.git.executed, older.git.batches) },
  llm: { ...snapshot.llm, executed: joined(snapshot.llm.executed, older.llm.batches) },
});

/** The first of each id: the newer one. */
function joined(newer: readonly BatchView[], older: readonly BatchView[]): readonly BatchView[] {
  if (older.length === 0) return newer;
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
}

/** A page arrived, in answer to `after`. */
export const loaded = (
  older: Older,
  after: AfterBySide,
  page: (ToPanel & { kind: "older" })["batches"],
): Older =>
  bySide((side) => ({
    batches: joined(older[side].batches, page[side]),
    ended: older[side].ended || (after[side] !== undefined && page[side].length === 0),
  }));

/** A newer snapshot arrived: what fell off its end stays listed, so that there is no gap before the loaded pages. */
export const keptOlder = (older: Older, before: Snapshot, now: Snapshot): Older =>
  bySide((side) => {
    const { batches, ended } = older[side];
    if (batches.length === 0) return older[side];
    const listed = new Set(now[side].executed.map(({ id }) => id));
    // Nothing in common: batches ended in between that this page never saw.
    if (!before[side].executed.some(({ id }) => listed.has(id))) return noOlder[side];
    return {
      batches: joined(
        before[side].executed.filter(({ id }) => !listed.has(id)),
        batches,
      ),
      ended,
    };
  });

export type AfterBySide = (FromPanel & { kind: "older" })["after"];

/** What to ask for next; `undefined` where all is listed. `snapshot`: as `withOlder` gave it. */
export function nextOlder(snapshot: Snapshot, older: Older): AfterBySide | undefined {
  const after: Partial<Record<SideName, string>> = {};
  for (const side of sides) {
    const { executed, stats } = snapshot[side];
    const last = executed.at(-1);
    // The total counts no cancelled batches.
    const counted = executed.filter(({ status }) => status !== "cancelled").length;
    const may = executed.length >= snapshotLimit || counted < stats.totalBatches;
    if (may && !older[side].ended && last !== undefined) after[side] = last.id;
  }
  return after.git === undefined && after.llm === undefined ? undefined : after;
}
