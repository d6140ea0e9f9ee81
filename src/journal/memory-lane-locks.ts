import type { LaneLock, LaneLocks } from "../core/executor.ts";

/** Lane locks among the parts of one process, for a session that works from memory, and for tests of others. */
export class MemoryLaneLocks implements LaneLocks {
  readonly capabilities = { scope: "process" } as const;
  readonly #held = new Set<string>();

  tryAcquire(lane: string): Promise<LaneLock | undefined> {
    if (this.#held.has(lane)) return Promise.resolve(undefined);
    this.#held.add(lane);
    let released = false;
    const release = (): Promise<void> => {
      if (!released) this.#held.delete(lane);
      released = true;
      return Promise.resolve();
    };
    return Promise.resolve({ lane, release });
  }
}
