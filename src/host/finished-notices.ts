import type { Clock, Disposable } from "../core/ports.ts";
import type { BatchView, Snapshot } from "../core/snapshot.ts";
import { executes } from "./claims.ts";
import type { Translate } from "./l10n.ts";
import type { Numbers } from "./numbers.ts";
import { isFailure } from "./seen-failures.ts";
import { rowOf } from "./tree/node.ts";
import type { NodeRef } from "./tree/node.ts";
import { failedCount } from "./tree/structure.ts";

/** A batch that took as long is worth a word: by then a person has turned to something else. */
const LONG_MS = 3 * 60_000;
/** What finishes within so long is told together. */
const GATHER_MS = 1_000;

interface FinishedDeps {
  readonly t: Translate;
  readonly numbers: Pick<Numbers, "count">;
  readonly clock: Pick<Clock, "after">;
  /** `always`, `whenLong` or `never`. */
  readonly when: () => string;
  /** The person has this window in front of them. */
  readonly focused: () => boolean;
  readonly tell: (finished: Finished) => void;
}

export interface Finished {
  readonly message: string;
  /** The batch that ended last. */
  readonly newest: string;
  /** How many requests were answered. */
  readonly answers: number;
  /** The row of one that was not; absent where all were. */
  readonly failed?: NodeRef;
}

type State = Pick<Snapshot, "llm">;

/** Tells of finished LLM batches that a person no longer waits for, in the window that executed them, several as one. */
export class FinishedNotices implements Disposable {
  readonly #deps: FinishedDeps;
  #running: ReadonlySet<string>;
  #ended: BatchView[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(deps: FinishedDeps, first: State) {
    this.#deps = deps;
    this.#running = runningIn(first);
  }

  /** `lanes`: those of this window. Answers the ids of batches that are told of now. */
  update(state: State, lanes: Snapshot["lanes"]): ReadonlySet<string> {
    const ended = state.llm.executed.filter(({ id }) => this.#running.has(id));
    this.#running = runningIn(state);
    const told = ended.filter((batch) => executes(lanes, batch.group) && this.#isWorthIt(batch));
    this.#ended.push(...told);
    if (this.#ended.length > 0) this.#cancelTimer ??= this.#deps.clock.after(GATHER_MS, () => this.#tell());
    return new Set(told.map(({ id }) => id));
  }

  dispose(): void {
    this.#cancelTimer?.();
  }

  #isWorthIt({ status, startedAt = "", endedAt = "" }: BatchView): boolean {
    // Who cancelled it knows.
    if (status === "cancelled") return false;
    switch (this.#deps.when()) {
      case "never":
        return false;
      case "always":
        return true;
      default:
        return Date.parse(endedAt) - Date.parse(startedAt) >= LONG_MS || !this.#deps.focused();
    }
  }

  #tell(): void {
    const { t, numbers, tell } = this.#deps;
    const ended = this.#ended;
    this.#ended = [];
    this.#cancelTimer = undefined;
    const newest = ended.reduce((last, batch) =>
      (batch.endedAt ?? "") > (last.endedAt ?? "") ? batch : last,
    );
    const answers = ended.reduce((all, { counts }) => all + (counts["succeeded"] ?? 0), 0);
    const failed = ended.reduce((all, batch) => all + failedCount(batch), 0);
    const [row] = ended.flatMap((batch) =>
      batch.operations.filter(isFailure).map((operation) => rowOf(operation, batch)),
    );
    const parts = [
      ended.length === 1
        ? t("An LLM batch has finished.")
        : t("LLM batches have finished: {0}.", numbers.count(ended.length)),
      t("Answers: {0}.", numbers.count(answers)),
      ...(failed > 0 ? [t("Failed: {0}.", numbers.count(failed))] : []),
    ];
    tell({ message: parts.join(" "), newest: newest.id, answers, ...(row && { failed: row }) });
  }
}

const runningIn = ({ llm }: State): ReadonlySet<string> =>
  new Set([...llm.pending, ...llm.executing].map(({ id }) => id));
