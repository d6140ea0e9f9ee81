import { laneConformance } from "./conformance-lane.ts";
import { queueConformance } from "./conformance-queue.ts";
import { stateConformance } from "./conformance-state.ts";
import type { OpenFresh } from "./fixtures.ts";

/** What each journal must hold, whatever it is stored in. */
export function journalConformance(open: OpenFresh): void {
  queueConformance(open);
  laneConformance(open);
  stateConformance(open);
}
