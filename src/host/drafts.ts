import type { Clock } from "../core/ports.ts";
import type { Drafts } from "./ui/flows.ts";

/** Milliseconds: as much of the typing as may be lost with the window, for not writing at every key. */
const PACE_MS = 250;

interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Drafts in the workspace's own storage, where they outlive the window. */
export class StoredDrafts implements Drafts {
  readonly #store: Store;
  readonly #clock: Pick<Clock, "after">;
  /** Typed and not yet written. */
  readonly #late = new Map<string, { text: string; readonly drop: () => void }>();

  constructor(store: Store, clock: Pick<Clock, "after">) {
    this.#store = store;
    this.#clock = clock;
  }

  get(name: string): string | undefined {
    const late = this.#late.get(name);
    if (late) return late.text;
    const kept = this.#store.get(keyOf(name));
    return typeof kept === "string" ? kept : undefined;
  }

  set(name: string, text: string | undefined): void {
    this.#late.get(name)?.drop();
    this.#late.delete(name);
    void this.#store.update(keyOf(name), text);
  }

  typing(name: string, text: string): void {
    const late = this.#late.get(name);
    if (late) late.text = text;
    else
      this.#late.set(name, { text, drop: this.#clock.after(PACE_MS, () => this.set(name, this.get(name))) });
  }
}

const keyOf = (name: string): string => `draft.${name}`;
