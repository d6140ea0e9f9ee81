import type { BatchView, Hold, JournalState, OperationView, Side, Snapshot } from "../core/snapshot.ts";

/** Below the agreed 256 kB, so that what a message wraps around it still fits. */
const MAX_BYTES = 250_000;
const MAX_OPERATIONS = 200;
const MAX_BATCHES = 200;
const MAX_TEXT = 500;
const MAX_DETAIL_BYTES = 2_000;

/** What one window adds to the journal's state. */
export interface WindowView {
  readonly leader: boolean;
  readonly lanes: Snapshot["lanes"];
  /** What stops this window and is not in the journal, such as missing trust. */
  readonly holds: readonly Hold[];
}

/**
 * The journal's state as this window sees it, below 256 kB. Where that needs cutting, batches lose operations first (the
 * oldest finished ones before all others), then the oldest batches go; counts keep telling the totals.
 */
export function toSnapshot(state: JournalState, view: WindowView): Snapshot {
  const budget = new Budget(MAX_BYTES);
  const shell = {
    sequence: state.sequence,
    paused: state.paused,
    holds: [...view.holds, ...state.holds],
    leader: view.leader,
    lanes: view.lanes,
  };
  budget.take({ ...shell, git: { ...state.git.stats }, llm: { ...state.llm.stats } });
  const git = new SideCut(state.git);
  const llm = new SideCut(state.llm);
  const parts = ["executing", "pending", "executed"] as const;
  for (const part of parts) for (const side of [git, llm]) side.takeBatches(part, budget);
  for (const side of [git, llm]) side.takeQueued(budget);
  for (const part of parts) for (const side of [git, llm]) side.takeOperations(part, budget);
  return { ...shell, git: git.view(), llm: llm.view() };
}

class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Whether it fits; from the first that does not, nothing more does, so that what is shown has no gaps. */
  take(value: unknown): boolean {
    if (this.#left <= 0) return false;
    // The comma between items.
    this.#left -= Buffer.byteLength(JSON.stringify(value)) + 1;
    return this.#left > 0;
  }
}

type Part = "executing" | "pending" | "executed";

class SideCut<Stats> {
  readonly #side: Side<Stats>;
  readonly #kept: Record<Part, BatchView[]> = { executing: [], pending: [], executed: [] };
  readonly #queued: OperationView[] = [];

  constructor(side: Side<Stats>) {
    this.#side = side;
  }

  takeBatches(part: Part, budget: Budget): void {
    for (const batch of this.#side[part].slice(0, MAX_BATCHES)) {
      const bare = { ...batch, operations: [], ...(batch.error === undefined ? {} : { error: cut(batch.error) }) };
      if (!budget.take(bare)) return;
      this.#kept[part].push(bare);
    }
  }

  takeQueued(budget: Budget): void {
    for (const operation of this.#side.queued.slice(0, MAX_OPERATIONS)) {
      const small = slim(operation);
      if (!budget.take(small)) return;
      this.#queued.push(small);
    }
  }

  takeOperations(part: Part, budget: Budget): void {
    this.#kept[part].forEach((batch, index) => {
      const operations: OperationView[] = [];
      for (const operation of this.#side[part][index]?.operations.slice(0, MAX_OPERATIONS) ?? []) {
        const small = slim(operation);
        if (!budget.take(small)) break;
        operations.push(small);
      }
      this.#kept[part][index] = { ...batch, operations };
    });
  }

  view(): Side<Stats> {
    return { ...this.#side, ...this.#kept, queued: this.#queued };
  }
}

function slim(operation: OperationView): OperationView {
  const { detail, ...rest } = operation;
  const small = detail !== undefined && Buffer.byteLength(JSON.stringify(detail) ?? "") <= MAX_DETAIL_BYTES;
  return {
    ...rest,
    label: cut(operation.label),
    ...(operation.error === undefined ? {} : { error: cut(operation.error) }),
    ...(small ? { detail } : {}),
  };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  // Not between the halves of a surrogate pair.
  return `${text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
