import type { SideName } from "../../core/operation.ts";
import type { JournalState } from "../../core/snapshot.ts";
import { isOnTop } from "./structure.ts";

/** Where a reader's choices are kept. */
interface Store {
  get(): readonly string[];
  set(ids: readonly string[]): void;
}

/** Which batches with a failure the reader has taken from the top of the tree. */
export class Dismissed {
  readonly #store: Store;
  #kept: readonly string[] | undefined;
  #ids: ReadonlySet<string> = new Set();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The same set until it changes, in this window or in another one. */
  ids(): ReadonlySet<string> {
    const kept = this.#store.get();
    if (kept !== this.#kept) {
      this.#kept = kept;
      this.#ids = new Set(kept);
    }
    return this.#ids;
  }

  /** Forgets those that the state no longer lists, so that what is kept does not grow. */
  add(batches: readonly string[], state: JournalState): void {
    const listed = new Set([state.git, state.llm].flatMap(({ executed }) => executed.map(({ id }) => id)));
    this.#store.set([...new Set([...this.ids(), ...batches])].filter((id) => listed.has(id)));
  }

  /** Those of these sides with a failure that stand on top. */
  onTop(state: JournalState, sides: readonly SideName[]): readonly string[] {
    return sides.flatMap((side) => {
      const data = { ...state[side], dismissed: this.ids() };
      return data.executed.filter((batch) => isOnTop(data, batch)).map(({ id }) => id);
    });
  }
}
