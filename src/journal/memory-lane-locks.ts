import type { LaneLock, LaneLocks, LockCapabilities, LockPurpose } from "../core/executor.ts";

/** Lane locks among the parts of one process, for a session that works from memory, and for tests of others. */
export class MemoryLaneLocks implements LaneLocks {
  readonly capabilities: LockCapabilities = { kind: "os", clock: "local", scope: "process" };
  readonly #held = new Set<string>();

  tryAcquire(lane: string, purpose: LockPurpose = "lead"): Promise<LaneLock | undefined> {
    const name = `${purpose} ${lane}`;
    if (this.#held.has(name)) return Promise.resolve(undefined);
    this.#held.add(name);
    let released = false;
    const release = (): Promise<void> => {
      if (!released) this.#held.delete(name);
      released = true;
      return Promise.resolve();
    };
    return Promise.resolve({ lane, release });
  }
}
