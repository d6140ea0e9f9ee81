interface Shown {
  readonly key: string;
  readonly kind: string;
}

/**
 * Which element shows which row: one that is shown already keeps its element, one that comes takes that of a row of its
 * kind that went. So scrolling makes no elements, it only fills them anew.
 */
export class Slots {
  #slots = new Map<string, string>();
  #count = 0;

  /**
   * The names of the elements for `rows`, in their order. Keys must differ. The element of the row `focused` is filled with
   * no other, for the focus would be taken along and nobody told.
   */
  assign(rows: readonly Shown[], focused?: string): readonly string[] {
    const free = this.#free(new Set(rows.map(({ key }) => key)).add(focused ?? ""));
    this.#slots = new Map(
      rows.map(({ key, kind }) => [key, this.#slots.get(key) ?? free.get(kind)?.shift() ?? this.#make(kind)]),
    );
    return [...this.#slots.values()];
  }

  /**
   * By kind, in the order to be filled: that in which they stand where nothing but the active row stays, so that none moves;
   * else from the other end, so that only they move and not all that stay.
   */
  #free(stay: ReadonlySet<string>): ReadonlyMap<string, string[]> {
    const gone = [...this.#slots].filter(([key]) => !stay.has(key)).map(([, slot]) => slot);
    return Map.groupBy(this.#slots.size - gone.length > 1 ? gone.toReversed() : gone, kindOf);
  }

  #make(kind: string): string {
    this.#count += 1;
    return `${kind} ${this.#count}`;
  }
}

const kindOf = (slot: string): string => slot.slice(0, slot.indexOf(" "));
