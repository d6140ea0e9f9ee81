import type { Body } from "./body.ts";

const window = 256;

/** Where each item's JSON lies in the body that it came in. */
export class ItemIndex {
  private starts = new Float64Array(1024);
  private ends = new Float64Array(1024);
  count = 0;

  add(start: number, end: number): void {
    if (this.count === this.starts.length) {
      this.starts = grown(this.starts);
      this.ends = grown(this.ends);
    }
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count += 1;
  }

  start(index: number): number {
    return this.starts[index] ?? 0;
  }

  end(index: number): number {
    return this.ends[index] ?? 0;
  }
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const bigger = new Float64Array(array.length * 2);
  bigger.set(array);
  return bigger;
}

export interface Item {
  readonly index: number;
  readonly value: unknown;
}

/**
 * Reads the items one after the other. `order` may rearrange the items of one window and the windows
 * among themselves, never items over windows: each window is then one read, however the order is.
 * An item that is no JSON throws SyntaxError, or has the value that `unreadable` gives.
 */
export async function* readItems(
  body: Body,
  items: ItemIndex,
  order: (count: number) => Iterable<number> = inOrder,
  unreadable?: (error: unknown) => unknown,
): AsyncGenerator<Item> {
  for (const group of order(Math.ceil(items.count / window))) {
    const first = group * window;
    const count = Math.min(window, items.count - first);
    const base = items.start(first);
    const bytes = await body.read(base, items.end(first + count - 1) - base);
    for (const place of order(count)) {
      const index = first + place;
      const text = bytes.toString("utf8", items.start(index) - base, items.end(index) - base);
      yield { index, value: parse(text, unreadable) };
    }
  }
}

function parse(text: string, unreadable: ((error: unknown) => unknown) | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (unreadable === undefined) throw error;
    return unreadable(error);
  }
}

export function* inOrder(count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield index;
}
