import type { Hold, JournalState, Snapshot } from "../core/snapshot.ts";

/** What one window adds to the journal's state. */
export interface WindowView {
  readonly leader: boolean;
  readonly lanes: Snapshot["lanes"];
  /** What stops this window and is not in the journal, such as missing trust. */
  readonly holds: readonly Hold[];
}

/** The journal's state, which is bounded already, as this window sees it. */
export const toSnapshot = (state: JournalState, view: WindowView): Snapshot => ({
  ...state,
  holds: [...view.holds, ...state.holds],
  leader: view.leader,
  lanes: view.lanes,
});
