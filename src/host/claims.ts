import { setTimeout as pause } from "node:timers/promises";
import type { Snapshot } from "../core/snapshot.ts";
import type { Parts } from "./parts.ts";
import type { Translate } from "./l10n.ts";

/** The lane of a group: a repository is both, an LLM group lies in its provider's lane. */
export const laneOf = (group: string): string =>
  group.startsWith("llm:") ? (group.split("/")[0] ?? group) : group;

/** Whether this window executes what is in a group. `lanes`: its own. */
export const executes = (lanes: Snapshot["lanes"], group: string): boolean =>
  lanes.some(({ lane, held }) => held && lane === laneOf(group));

/** Other windows look in the same way, and then hold a lock for a moment; whoever executes a lane keeps it. */
const LOOKS = 3;
const LOOK_MS = 30;
/** Where a window has just gone, the next one takes over within 200 ms. */
const TAKEOVER_MS = 300;

/** Whether some open window may execute a lane. */
export class Claims {
  readonly #parts: Pick<Parts, "runner" | "locks">;
  readonly #t: Translate;
  /** The last look, by lane: two at once would take each other for somebody who executes it, and many ask at once. */
  readonly #looks = new Map<string, Promise<boolean>>();

  constructor(parts: Pick<Parts, "runner" | "locks">, t: Translate) {
    this.#parts = parts;
    this.#t = t;
  }

  /** Why none may; `undefined` where one may. A window that may execute a lane holds its lock, so a free lock means none does. */
  async refusal(lane: string): Promise<string | undefined> {
    if (this.#parts.runner.mayClaim(lane)) return undefined;
    const look = this.#looks.get(lane) ?? this.#look(lane);
    if (!(await look)) return undefined;
    return lane.startsWith("git:")
      ? this.#t(
          "No open, trusted window has the repository {0} open, so it stays queued.",
          lane.slice("git:".length),
        )
      : this.#t("No open, trusted window may send requests, so they stay queued.");
  }

  #look(lane: string): Promise<boolean> {
    const look = this.#isFree(lane).finally(() => {
      setTimeout(() => this.#looks.delete(lane), LOOK_MS).unref();
    });
    this.#looks.set(lane, look);
    return look;
  }

  async #isFree(lane: string): Promise<boolean> {
    if (!(await this.#canLock(lane))) return false;
    await pause(TAKEOVER_MS);
    return this.#canLock(lane);
  }

  async #canLock(lane: string): Promise<boolean> {
    for (let look = 1; ; look += 1) {
      const lock = await this.#parts.locks.tryAcquire(lane);
      await lock?.release();
      if (lock || look === LOOKS) return lock !== undefined;
      await pause(LOOK_MS);
    }
  }
}
