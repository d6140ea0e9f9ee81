import type { SideName } from "../core/operation.ts";
import type { Hold, JournalState, Snapshot } from "../core/snapshot.ts";
import { remediesOf } from "./commands/funnel.ts";
import type { Remedy } from "./commands/funnel.ts";
import { holdText } from "./hold-words.ts";
import type { Translate } from "./l10n.ts";

interface NoticeDeps {
  readonly t: Translate;
  readonly tell: (message: string, remedies: readonly Remedy[]) => void;
}

/** Tells once of each hold that begins, in the window that executes what is held. */
export class HoldNotices {
  readonly #deps: NoticeDeps;
  #known: ReadonlySet<string>;

  constructor(deps: NoticeDeps, first: Pick<JournalState, "holds">) {
    this.#deps = deps;
    this.#known = new Set(first.holds.map(keyOf));
  }

  /** `lanes`: those of this window. */
  update({ holds }: Pick<JournalState, "holds">, lanes: Snapshot["lanes"]): void {
    const begun = holds.filter((hold) => !this.#known.has(keyOf(hold)) && executes(lanes, hold.kind));
    this.#known = new Set(holds.map(keyOf));
    if (begun.length === 0) return;
    // What begins together is told together.
    this.#deps.tell(begun.map((hold) => holdText(hold, this.#deps.t)).join(" "), [
      ...new Set(begun.flatMap(remediesOf)),
    ]);
  }
}

const keyOf = ({ kind, reason, lane = "" }: Hold): string => `${kind} ${reason} ${lane}`;
const executes = (lanes: Snapshot["lanes"], side: SideName): boolean =>
  lanes.some(({ lane, held }) => held && lane.startsWith(`${side}:`));
