import type { Clock, Disposable } from "../core/ports.ts";
import type { BatchView, JournalState, OperationView, Snapshot } from "../core/snapshot.ts";
import { executes } from "./claims.ts";
import type { Translate } from "./l10n.ts";
import { failureText } from "./reason-words.ts";
import { isFailure } from "./seen-failures.ts";
import { rowOf } from "./tree/node.ts";
import type { NodeRef } from "./tree/node.ts";
import { failedCount } from "./tree/structure.ts";
import { firstLine, statusName } from "./words.ts";

/** What ends so soon after each other is told together. */
const GATHER_MS = 1_000;
/** What ended waits no longer for what git still works on. */
const LONGEST_MS = 60_000;
/** So many causes are named; the rest is in the tree. */
const LISTED = 3;

interface FailureDeps {
  readonly t: Translate;
  readonly count: (value: number) => string;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly wanted: () => boolean;
  /** `first`: the row of the failure that is named first. */
  readonly tell: (message: string, first: NodeRef) => void;
}

type State = Pick<JournalState, "git" | "llm">;

/** Tells what failed, in the window that executed it; all batches that a flush made are one message. */
export class FailureNotices implements Disposable {
  readonly #deps: FailureDeps;
  #known: ReadonlySet<string>;
  #ended: BatchView[] = [];
  #since = 0;
  #isBusy = false;
  #cancelTimer: (() => void) | undefined;

  constructor(deps: FailureDeps, first: State) {
    this.#deps = deps;
    this.#known = new Set(executedIn(first).map(({ id }) => id));
  }

  /** `lanes`: those of this window; `told`: ids of batches that another notice tells of. */
  update(state: State, lanes: Snapshot["lanes"], told: ReadonlySet<string>): void {
    const executed = executedIn(state);
    const ended = executed.filter((batch) => !this.#known.has(batch.id) && executes(lanes, batch.group));
    this.#known = new Set(executed.map(({ id }) => id));
    // Requests may take a day; git comes to an end.
    this.#isBusy = [...state.git.pending, ...state.git.executing].some(({ group }) => executes(lanes, group));
    // Who cancelled it knows.
    const untold = ended.filter(({ id, status }) => status !== "cancelled" && !told.has(id));
    if (untold.length === 0) return;
    if (this.#ended.length === 0) this.#since = this.#deps.clock.now();
    this.#ended.push(...untold);
    this.#gather();
  }

  dispose(): void {
    this.#cancelTimer?.();
  }

  #gather(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.clock.after(GATHER_MS, () => {
      if (this.#isBusy && this.#deps.clock.now() - this.#since < LONGEST_MS) this.#gather();
      else this.#tell();
    });
  }

  #tell(): void {
    const { t, count, wanted, tell } = this.#deps;
    const ended = this.#ended;
    this.#ended = [];
    const failures = causesFirst(ended.flatMap(failuresIn));
    const [first] = failures;
    if (!first || !wanted()) return;
    const all = ended.reduce((sum, { operationCount }) => sum + operationCount, 0);
    if (all === 1) {
      tell(t("{0} failed: {1}", first.operation.label, causeOf(first.operation, t)), first.row);
      return;
    }
    const failed = ended.reduce((sum, batch) => sum + failedCount(batch), 0);
    const byCause = Map.groupBy(failures, ({ operation }) => causeOf(operation, t));
    const listed = [...byCause].slice(0, LISTED).map(([cause, [one]]) => `${one?.operation.label}: ${cause}`);
    const texts = [...listed, ...(failed > listed.length ? ["…"] : [])].join("; ");
    tell(t("{0} of {1} operations failed: {2}", count(failed), count(all), texts), first.row);
  }
}

interface Failure {
  readonly operation: OperationView;
  readonly row: NodeRef;
}

/** As they were queued; a view has the newest first. */
const failuresIn = (batch: BatchView): readonly Failure[] =>
  batch.operations
    .filter(isFailure)
    .map((operation) => ({ operation, row: rowOf(operation, batch) }))
    .toReversed();

/** What only follows from another failure says least. */
const causesFirst = (failures: readonly Failure[]): readonly Failure[] =>
  failures.toSorted((a, b) => Number(follows(a)) - Number(follows(b)));
const follows = ({ operation }: Failure): boolean => operation.reason === "dependency";

const causeOf = ({ error, reason, status }: OperationView, t: Translate): string =>
  error === undefined ? statusName(status, t) : firstLine(failureText(error, reason, t));

const executedIn = ({ git, llm }: State): readonly BatchView[] => [...git.executed, ...llm.executed];
