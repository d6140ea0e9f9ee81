import type { Snapshot } from "../core/snapshot.ts";
import type { Parts } from "./parts.ts";
import type { Translate } from "./l10n.ts";

/** The lane of a group: a repository is both, an LLM group lies in its provider's lane. */
export const laneOf = (group: string): string =>
  group.startsWith("llm:") ? (group.split("/")[0] ?? group) : group;

/** Whether this window executes what is in a group. `lanes`: its own. */
export const executes = (lanes: Snapshot["lanes"], group: string): boolean =>
  lanes.some(({ lane, held }) => held && lane === laneOf(group));

/** Whether some open window may execute a lane. */
export class Claims {
  readonly #parts: Pick<Parts, "runner" | "locks">;
  readonly #t: Translate;

  constructor(parts: Pick<Parts, "runner" | "locks">, t: Translate) {
    this.#parts = parts;
    this.#t = t;
  }

  /** Why none may; `undefined` where one may. A window that may execute a lane holds its lock, so a free lock means none does. */
  async refusal(lane: string): Promise<string | undefined> {
    if (this.#parts.runner.mayClaim(lane)) return undefined;
    const lock = await this.#parts.locks.tryAcquire(lane);
    if (!lock) return undefined;
    await lock.release();
    return lane.startsWith("git:")
      ? this.#t(
          "No open, trusted window has the repository {0} open, so it stays queued.",
          lane.slice("git:".length),
        )
      : this.#t("No open, trusted window may send requests, so they stay queued.");
  }
}
