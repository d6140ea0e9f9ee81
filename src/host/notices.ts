import { env, l10n, window } from "vscode";
import type { Disposable } from "vscode";
import type { Clock, Logger } from "../core/ports.ts";
import type { JournalState, Snapshot } from "../core/snapshot.ts";
import { FailureNotices } from "./failure-notices.ts";
import { FinishedNotices } from "./finished-notices.ts";
import { HoldNotices } from "./hold-notices.ts";
import { numbersIn } from "./numbers.ts";
import type { Settings } from "./settings.ts";
import type { NodeRef } from "./tree/node.ts";
import { tellFailed, tellFinished } from "./ui/tell-finished.ts";
import { tell } from "./ui/tell.ts";

interface NoticesDeps {
  readonly first: JournalState;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
  /** Opens the results of a batch. */
  readonly openResults: (batch: string) => Promise<void>;
  /** Shows a row of the queue. */
  readonly show: (row: NodeRef) => Promise<void>;
}

/** What this window tells of by itself: holds, finished requests, failures; each thing once. */
export class Notices implements Disposable {
  readonly #holds: HoldNotices;
  readonly #finished: FinishedNotices;
  readonly #failures: FailureNotices;

  constructor({ first, settings, clock, log, openResults, show }: NoticesDeps) {
    const numbers = numbersIn(env.language);
    const failed = (error: unknown): void => log.error("What a notification offered failed.", error);
    this.#holds = new HoldNotices({ t: l10n.t, tell }, first);
    this.#finished = new FinishedNotices(
      {
        t: l10n.t,
        numbers,
        clock,
        when: () => settings.get("notifications.batchFinished"),
        focused: () => window.state.focused,
        tell: (finished) => void tellFinished(finished, { openResults, show }).catch(failed),
      },
      first,
    );
    this.#failures = new FailureNotices(
      {
        t: l10n.t,
        count: numbers.count,
        clock,
        wanted: () => settings.get("notifications.operationsFailed"),
        tell: (message, row) => void tellFailed(message, () => show(row)).catch(failed),
      },
      first,
    );
  }

  /** `lanes`: those of this window. */
  update(state: JournalState, lanes: Snapshot["lanes"]): void {
    this.#holds.update(state, lanes);
    this.#failures.update(state, lanes, this.#finished.update(state, lanes));
  }

  dispose(): void {
    this.#finished.dispose();
    this.#failures.dispose();
  }
}
