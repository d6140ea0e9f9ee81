import * as v from "valibot";
import type { Clock, Disposable, Logger } from "../../core/ports.ts";
import { isExpected } from "../commands/funnel.ts";
import type { FromPanel, Snapshot, ToPanel, PanelRequest } from "../../protocol.ts";
import { fromPanel } from "../../protocol.ts";

/** Least time between two snapshots: four a second. */
const paceMs = 250;
/** Requests are a kind and an id; whatever is longer is not from our page. */
const maxMessageLength = 1024;

/** One page that shows the panel, as far as the conversation with it goes. */
interface Page {
  readonly visible: boolean;
  /** Resolves with false when nobody was there to receive. */
  post(message: ToPanel): PromiseLike<boolean>;
}

/** The last batch that the panel has of each side that it wants more of. */
type OlderAfter = (FromPanel & { kind: "older" })["after"];
type OlderBatches = (ToPanel & { kind: "older" })["batches"];

export interface ConnectionDeps {
  readonly page: Page;
  readonly clock: Pick<Clock, "after">;
  readonly snapshot: () => Snapshot;
  /** Carries a request out; a rejection's message is shown to the reader. */
  readonly run: (request: PanelRequest) => Promise<void>;
  /** What an error says to the reader. */
  readonly told: (error: unknown) => string;
  /** The next pages of finished batches. */
  readonly older: (after: OlderAfter) => Promise<OlderBatches>;
  readonly strings: Readonly<Record<string, string>>;
  readonly locale: string;
  readonly log: Logger;
}

/**
 * Feeds one page with whole snapshots: after its handshake, at most four a second, none while it is hidden and a fresh one
 * when it is shown again. What the page asks for is checked before anything is done with it.
 */
export class PanelConnection implements Disposable {
  readonly #deps: ConnectionDeps;
  #ready = false;
  /** A newer state than the one last sent is there. */
  #stale = false;
  #stopPause: (() => void) | undefined;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  /** The state changed. */
  changed(): void {
    this.#stale = true;
    this.#feed();
  }

  /** The page was shown or hidden; a page that was hidden may have missed what was sent meanwhile. */
  visibilityChanged(): void {
    if (this.#deps.page.visible) this.changed();
  }

  /** A message of the page. Never rejects. */
  async receive(message: unknown): Promise<void> {
    const checked = check(message);
    if (checked === undefined) {
      this.#deps.log.warn("The panel sent a message that is none of its own; it was ignored.");
      return;
    }
    if (checked.kind === "ready") {
      this.#ready = true;
      this.#endPause();
      this.changed();
      return;
    }
    try {
      if (checked.kind === "older")
        await this.#post({ kind: "older", batches: await this.#deps.older(checked.after) });
      else await this.#deps.run(checked);
    } catch (error) {
      this.#logFailure(checked, error);
      await this.#post(failure(checked, this.#deps.told(error)));
    }
  }

  dispose(): void {
    this.#ready = false;
    this.#endPause();
  }

  #endPause(): void {
    this.#stopPause?.();
    this.#stopPause = undefined;
  }

  #feed(): void {
    if (!this.#ready || !this.#stale || !this.#deps.page.visible || this.#stopPause !== undefined) return;
    this.#stale = false;
    this.#stopPause = this.#deps.clock.after(paceMs, () => {
      this.#stopPause = undefined;
      this.#feed();
    });
    const { snapshot, locale, strings } = this.#deps;
    void this.#post({ kind: "snapshot", snapshot: snapshot(), locale, strings });
  }

  /** A refusal is an answer; anything else is worth its stack. */
  #logFailure({ kind }: FromPanel, error: unknown): void {
    if (isExpected(error))
      this.#deps.log.info(`The panel's request ${kind} was refused: ${messageOf(error)}`);
    else this.#deps.log.error(`The panel's request ${kind} failed.`, error);
  }

  /** A message that nobody received is sent anew, as part of a newer snapshot, when the page is shown or says it is ready. */
  async #post(message: ToPanel): Promise<void> {
    try {
      const received = await this.#deps.page.post(message);
      if (!received && message.kind === "snapshot") this.#stale = true;
    } catch (error) {
      this.#deps.log.error("The panel could not be reached.", error);
    }
  }
}

function check(message: unknown): FromPanel | undefined {
  const parsed = v.safeParse(fromPanel, message);
  return parsed.success && JSON.stringify(parsed.output).length <= maxMessageLength
    ? parsed.output
    : undefined;
}

function failure(request: FromPanel, message: string): ToPanel {
  return {
    kind: "failed",
    request: request.kind,
    message,
    ...("id" in request ? { id: request.id } : {}),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
