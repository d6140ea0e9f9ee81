/** Tells the editor about states that menus and welcome texts depend on, only when one changes. */
export class ContextKeys {
  readonly #known = new Map<string, boolean | number>();
  readonly #tell: (key: string, value: boolean | number) => void;

  /** `tell`: `setContext`. */
  constructor(tell: (key: string, value: boolean | number) => void) {
    this.#tell = tell;
  }

  set(key: string, value: boolean | number): void {
    if (this.#known.get(key) === value) return;
    this.#known.set(key, value);
    this.#tell(`batchControl.${key}`, value);
  }
}
