import { isFinal } from "../core/operation.ts";
import type { BatchView, JournalState, OperationView } from "../core/snapshot.ts";
import { operationView } from "../core/view.ts";
import type { Parts } from "./parts.ts";
import { queuedPages } from "./queued.ts";

const PAGE = 1000;
const BATCHES = 200;
const sideNames = ["git", "llm"] as const;

/** What a person may choose from: not only what a snapshot has room for, but everything that the journal keeps. */
export class Candidates {
  readonly #state: () => JournalState;
  readonly #journal: Pick<Parts["journal"], "operations" | "executed">;

  constructor(state: () => JournalState, journal: Pick<Parts["journal"], "operations" | "executed">) {
    this.#state = state;
    this.#journal = journal;
  }

  /** What is queued, in its order; then what executes, waits and is over, the newest first. */
  async *operations(may: (view: OperationView) => boolean): AsyncGenerator<OperationView> {
    const seen = new Set<string>();
    const found = { anyFinal: false };
    const wanted = (view: OperationView): boolean => {
      if (!may(view) || seen.has(view.id)) return false;
      seen.add(view.id);
      found.anyFinal ||= isFinal(view.status);
      return true;
    };
    for await (const page of queuedPages(this.#journal)) yield* page.map(operationView).filter(wanted);
    for (const batch of listed(this.#state()))
      for await (const page of this.#operationsOf(batch, may)) yield* page.filter(wanted);
    // Whoever looks for what has not ended does not find it there.
    if (!found.anyFinal) return;
    for await (const batch of this.#older())
      for await (const page of this.#operationsOf(batch, may)) yield* page.filter(wanted);
  }

  /** What executes, waits and is over, the newest first. */
  async *batches(may: (view: BatchView) => boolean): AsyncGenerator<BatchView> {
    const now = listed(this.#state()).filter(may);
    yield* now;
    if (!now.some(({ endedAt }) => endedAt !== undefined)) return;
    for await (const batch of this.#older()) if (may(batch)) yield batch;
  }

  /** A view has no room for all of a large batch; what it has tells whether there is anything to look for. */
  async *#operationsOf(
    { id, operations, operationCount }: BatchView,
    may: (view: OperationView) => boolean,
  ): AsyncGenerator<readonly OperationView[]> {
    yield operations;
    if (operations.length === operationCount || (operations.length > 0 && !operations.some(may))) return;
    for (let after: string | undefined; ;) {
      const page = await this.#journal.operations({
        batch: id,
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      yield page.map(operationView);
      after = page.at(-1)?.id;
      if (page.length < PAGE) return;
    }
  }

  async *#older(): AsyncGenerator<BatchView> {
    for (const side of sideNames) {
      let after = this.#state()[side].executed.at(-1)?.id;
      while (after !== undefined) {
        const page: readonly BatchView[] = await this.#journal.executed({ side, after, limit: BATCHES });
        yield* page;
        after = page.length < BATCHES ? undefined : page.at(-1)?.id;
      }
    }
  }
}

const listed = ({ git, llm }: JournalState): readonly BatchView[] =>
  [git, llm].flatMap((side) => [...side.executing, ...side.pending, ...side.executed]);

/** The next ones, and whether there are none after them. */
export async function nextOf<View>(
  views: AsyncGenerator<View>,
  many: number,
): Promise<{ readonly items: readonly View[]; readonly isLast: boolean }> {
  const items: View[] = [];
  while (items.length < many) {
    const next = await views.next();
    if (next.done === true) return { items, isLast: true };
    items.push(next.value);
  }
  return { items, isLast: false };
}

/** So many are looked at beside each other. */
const AT_ONCE = 16;

/** As `nextOf`, of those that pass; looks at no more than `most` to find them, for each look is a read. */
export async function nextPassing<View>(
  views: AsyncGenerator<View>,
  passes: (view: View) => Promise<boolean>,
  many: number,
  most: number,
): Promise<{ readonly items: readonly View[]; readonly isLast: boolean }> {
  const items: View[] = [];
  for (let looked = 0; items.length < many && looked < most; looked += AT_ONCE) {
    const next = await nextOf(views, AT_ONCE);
    const passed = await Promise.all(next.items.map(passes));
    items.push(...next.items.filter((_, index) => passed[index]));
    if (next.isLast) return { items, isLast: true };
  }
  return { items, isLast: false };
}
