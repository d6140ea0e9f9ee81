import { sideOf } from "../../core/operation.ts";
import type { Operation, SideName } from "../../core/operation.ts";
import type { BatchView, OperationView, Side, Snapshot } from "../../core/snapshot.ts";
import { operationView } from "../../core/view.ts";
import type { Parts } from "../parts.ts";

const PAGE = 200;

/** A side's queue, or one batch. */
interface Place {
  readonly side: SideName;
  readonly batch?: string | undefined;
}

/** What was read of a place beyond its snapshot, in the order of the journal. */
interface Held extends Place {
  readonly operations: readonly OperationView[];
  /** The last operation that was read, of whatever side: the next page begins behind it. */
  readonly end: string | undefined;
  /** What the snapshot said of the place then. */
  readonly state: string;
}

/** Operations beyond those that a snapshot holds, read page by page when the reader asks for more. */
export class WiderSnapshot {
  readonly #journal: Pick<Parts["journal"], "operations">;
  readonly #held = new Map<string, Held>();
  #of: Snapshot | undefined;
  #widened: Snapshot | undefined;

  constructor(journal: Pick<Parts["journal"], "operations">) {
    this.#journal = journal;
  }

  /** The same object for the same snapshot, until more is read. */
  widen(snapshot: Snapshot): Snapshot {
    if (this.#of !== snapshot || !this.#widened) {
      this.#of = snapshot;
      this.#widened = {
        ...snapshot,
        git: this.#side("git", snapshot.git),
        llm: this.#side("llm", snapshot.llm),
      };
    }
    return this.#widened;
  }

  /** Reads the next page of a side's queue, or of one batch. */
  async more(snapshot: Snapshot, side: SideName, batch: string | undefined): Promise<void> {
    const place = { side, batch };
    const before = this.#held.get(keyOf(place));
    const shown = new Set(shownOf(this.widen(snapshot), place).map(({ id }) => id));
    const page = await this.#read(place, before?.end ?? this.#start(snapshot, place), PAGE, shown);
    // Asked for twice at once, it is the same page.
    if (this.#held.get(keyOf(place)) !== before) return;
    this.#hold(snapshot, place, [...(before?.operations ?? []), ...page.operations], page.end);
  }

  /** Reads as much as was read of every place that the snapshot tells otherwise by now. Answers whether there was one. */
  async refresh(snapshot: Snapshot): Promise<boolean> {
    const stale = [...this.#held.values()].filter((held) => held.state !== stateOf(snapshot, held));
    for (const held of stale) {
      const key = keyOf(held);
      if (isGone(snapshot, held)) this.#held.delete(key);
      else {
        const count = held.operations.length;
        const { operations, end } = await this.#read(held, this.#start(snapshot, held), count, new Set());
        if (this.#held.get(key) === held) this.#hold(snapshot, held, operations, end);
      }
    }
    this.#widened = undefined;
    return stale.length > 0;
  }

  #hold(
    snapshot: Snapshot,
    place: Place,
    operations: readonly OperationView[],
    end: string | undefined,
  ): void {
    this.#held.set(keyOf(place), { ...place, operations, end, state: stateOf(snapshot, place) });
    this.#widened = undefined;
  }

  /** A snapshot has the beginning of a queue; of a batch it has what failed and what is new, which are anywhere. */
  #start(snapshot: Snapshot, { side, batch }: Place): string | undefined {
    return batch === undefined ? snapshot[side].queued.at(-1)?.id : undefined;
  }

  /** Everything of a place behind `after` until `count` of it are not `shown`. */
  async #read(
    { side, batch }: Place,
    after: string | undefined,
    count: number,
    shown: ReadonlySet<string>,
  ): Promise<Pick<Held, "operations" | "end">> {
    const where = batch === undefined ? ({ status: "queued" } as const) : { batch };
    const operations: OperationView[] = [];
    let [end, left] = [after, count];
    while (left > 0) {
      const page: readonly Operation[] = await this.#journal.operations({
        ...where,
        limit: PAGE,
        ...(end ? { after: end } : {}),
      });
      for (const operation of page) {
        if (left === 0) break;
        end = operation.id;
        if (sideOf(operation.kind) !== side) continue;
        operations.push(operationView(operation));
        if (!shown.has(operation.id)) left -= 1;
      }
      if (page.length < PAGE) break;
    }
    return { operations, end };
  }

  #side<Stats>(side: SideName, data: Side<Stats>): Side<Stats> {
    const wider = <Batch extends BatchView>(one: Batch): Batch => {
      const held = this.#held.get(keyOf({ side, batch: one.id }));
      return held
        ? { ...one, operations: together(one.operations, held.operations, one.operationCount) }
        : one;
    };
    const queued = this.#held.get(keyOf({ side }))?.operations ?? [];
    return {
      ...data,
      queued: together(data.queued, queued, data.queuedCount),
      pending: data.pending.map(wider),
      executing: data.executing.map(wider),
      executed: data.executed.map(wider),
    };
  }
}

const keyOf = ({ side, batch }: Place): string => batch ?? side;

/** The first of each id, for the snapshot's own is the newer one, and no more than there are. */
function together(
  own: readonly OperationView[],
  held: readonly OperationView[],
  count: number,
): readonly OperationView[] {
  if (held.length === 0) return own;
  const seen = new Set<string>();
  return [...own, ...held].filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, count);
}

const batchOf = (data: Side<unknown>, id: string): BatchView | undefined =>
  [...data.executing, ...data.pending, ...data.executed].find((batch) => batch.id === id);

function shownOf(snapshot: Snapshot, { side, batch }: Place): readonly OperationView[] {
  if (batch === undefined) return snapshot[side].queued;
  return batchOf(snapshot[side], batch)?.operations ?? [];
}

/** A queue without more than its snapshot, or a batch that the snapshot no longer lists. */
function isGone(snapshot: Snapshot, { side, batch }: Place): boolean {
  const data = snapshot[side];
  return batch === undefined ? data.queuedCount <= data.queued.length : batchOf(data, batch) === undefined;
}

/** Whatever of a snapshot may differ when other operations of the place do. */
function stateOf(snapshot: Snapshot, { side, batch }: Place): string {
  const { queued, queuedCount } = snapshot[side];
  if (batch === undefined) return JSON.stringify([queuedCount, queued.map(({ id }) => id)]);
  const { status, counts } = batchOf(snapshot[side], batch) ?? {};
  return JSON.stringify([status, counts]);
}
