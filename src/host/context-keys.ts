import { isDeepStrictEqual } from "node:util";

/** A list is one to look for something `in`. */
type Value = boolean | number | readonly string[];

/** Tells the editor about states that menus and welcome texts depend on, only when one changes. */
export class ContextKeys {
  readonly #known = new Map<string, Value>();
  readonly #tell: (key: string, value: Value) => void;

  /** `tell`: `setContext`. */
  constructor(tell: (key: string, value: Value) => void) {
    this.#tell = tell;
  }

  set(key: string, value: Value): void {
    if (isDeepStrictEqual(this.#known.get(key), value)) return;
    this.#known.set(key, value);
    this.#tell(`batchControl.${key}`, value);
  }
}
