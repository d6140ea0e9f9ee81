import { sideOf } from "../../core/operation.ts";
import type { Operation, SideName } from "../../core/operation.ts";
import type { OperationView, Side, Snapshot } from "../../core/snapshot.ts";
import { operationView } from "../../core/view.ts";
import type { Parts } from "../parts.ts";

const PAGE = 200;

/** Operations beyond those that a snapshot holds, fetched page by page when the reader asks for more. */
export class WiderSnapshot {
  readonly #journal: Pick<Parts["journal"], "operations">;
  readonly #queued: Record<SideName, readonly OperationView[]> = { git: [], llm: [] };
  readonly #batches = new Map<string, readonly OperationView[]>();
  #of: Snapshot | undefined;
  #widened: Snapshot | undefined;

  constructor(journal: Pick<Parts["journal"], "operations">) {
    this.#journal = journal;
  }

  /** The same object for the same snapshot, until more is fetched. */
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

  /** What is queued has moved on, so that pages of it no longer fit together. */
  forgetQueued(): void {
    this.#queued.git = [];
    this.#queued.llm = [];
    this.#widened = undefined;
  }

  /** Fetches the next page of a side's queue, or of one batch. */
  async more(snapshot: Snapshot, side: SideName, batch: string | undefined): Promise<void> {
    const widened = this.widen(snapshot);
    const shown = batch === undefined ? widened[side].queued : operationsOf(widened[side], batch);
    const page = await this.#fetch(side, batch, new Set(shown.map(({ id }) => id)));
    if (batch === undefined) this.#queued[side] = [...this.#queued[side], ...page];
    else this.#batches.set(batch, [...(this.#batches.get(batch) ?? []), ...page]);
    this.#widened = undefined;
  }

  /** The journal counts in the order of acceptance, the snapshot shows failures first: so what is shown is passed over. */
  async #fetch(
    side: SideName,
    batch: string | undefined,
    shown: ReadonlySet<string>,
  ): Promise<readonly OperationView[]> {
    const found: OperationView[] = [];
    for (let after: string | undefined; ;) {
      const where = batch === undefined ? { status: "queued" as const } : { batch };
      const page: readonly Operation[] = await this.#journal.operations({
        ...where,
        limit: PAGE,
        ...(after ? { after } : {}),
      });
      found.push(
        ...page.filter(({ id, kind }) => sideOf(kind) === side && !shown.has(id)).map(operationView),
      );
      after = page.at(-1)?.id;
      if (page.length < PAGE || found.length >= PAGE) return found.slice(0, PAGE);
    }
  }

  #side<Stats>(name: SideName, side: Side<Stats>): Side<Stats> {
    const withMore = <Batch extends { readonly id: string; readonly operations: readonly OperationView[] }>(
      batch: Batch,
    ): Batch => {
      const more = this.#batches.get(batch.id);
      return more ? { ...batch, operations: unique([...batch.operations, ...more]) } : batch;
    };
    return {
      ...side,
      queued: unique([...side.queued, ...this.#queued[name]]),
      pending: side.pending.map(withMore),
      executing: side.executing.map(withMore),
      executed: side.executed.map(withMore),
    };
  }
}

/** The first of each id: the snapshot's own is the newer one. */
function unique(operations: readonly OperationView[]): readonly OperationView[] {
  const seen = new Set<string>();
  return operations.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function operationsOf(side: Side<unknown>, batch: string): readonly OperationView[] {
  return (
    [...side.executing, ...side.pending, ...side.executed].find(({ id }) => id === batch)?.operations ?? []
  );
}
