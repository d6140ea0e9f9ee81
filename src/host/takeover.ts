import { l10n } from "vscode";
import type { LaneOwner } from "../core/journal.ts";
import type { Disposable, Logger } from "../core/ports.ts";
import { isAlive } from "../journal/process-identity.ts";
import { showMessage } from "./ui/tell.ts";

export interface TakeoverDeps {
  readonly runner: {
    stuckLeaders(): readonly LaneOwner[];
    onDidChange(listener: () => void): Disposable;
  };
  readonly log: Logger;
}

/**
 * Offers to end a window's extension host that holds a lane and shows no sign of life. Only a person decides: ending the
 * process lets go of its lock, and the next leader finds out what it had done.
 */
export class Takeover implements Disposable {
  readonly #deps: TakeoverDeps;
  readonly #asked = new Set<string>();
  readonly #subscription: Disposable;

  constructor(deps: TakeoverDeps) {
    this.#deps = deps;
    this.#subscription = deps.runner.onDidChange(() => {
      for (const owner of deps.runner.stuckLeaders()) void this.#offer(owner);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Once for each leadership: who said no is not asked again until another leader hangs. */
  async #offer(owner: LaneOwner): Promise<void> {
    const { log, runner } = this.#deps;
    const key = `${owner.holder}:${owner.epoch}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    const take = l10n.t("Take Over");
    const question = l10n.t(
      "Another window (process {0}) is to execute {1} but has not responded for a minute. Taking over ends that window's extension host; nothing that was queued is lost.",
      owner.process.pid,
      owner.lane,
    );
    if ((await showMessage({ severity: "warning", message: question }, take)) !== take) return;
    // It may have recovered, or its number may belong to another process by now.
    if (!runner.stuckLeaders().some(({ holder, epoch }) => holder === owner.holder && epoch === owner.epoch))
      return;
    if (!(await isAlive(owner.process))) return;
    log.warn(
      `Ending process ${owner.process.pid}, which held ${owner.lane} without a sign of life, as the user asked.`,
    );
    process.kill(owner.process.pid, "SIGKILL");
  }
}
