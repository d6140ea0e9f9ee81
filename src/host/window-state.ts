import { EventEmitter, workspace } from "vscode";
import type { Disposable, Event } from "vscode";
import type { Hold, Snapshot } from "../core/snapshot.ts";
import type { Clock, Logger } from "../core/ports.ts";
import type { Claims } from "./claims.ts";
import type { Parts } from "./parts.ts";
import { toSnapshot } from "./snapshot.ts";
import { UnclaimedWork } from "./unclaimed.ts";

interface WindowStateDeps {
  readonly parts: Pick<Parts, "state" | "runner">;
  readonly claims: Pick<Claims, "refusal">;
  readonly clock: Pick<Clock, "after">;
  readonly log: Logger;
}

/** The journal's state as this window sees it, and one event for whatever changes it. */
export class WindowState implements Disposable {
  readonly #parts: Pick<Parts, "state" | "runner">;
  readonly #unclaimed: UnclaimedWork;
  readonly #changed = new EventEmitter<Snapshot>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  #snapshot: Snapshot | undefined;
  readonly onDidChange: Event<Snapshot> = this.#changed.event;

  constructor({ parts, claims, clock, log }: WindowStateDeps) {
    this.#parts = parts;
    const changed = (): void => {
      void this.#unclaimed.update();
      this.#onChange();
    };
    this.#unclaimed = new UnclaimedWork({
      claims,
      clock,
      log,
      state: () => parts.state.current(),
      changed: () => this.#onChange(),
    });
    this.#subscriptions = [
      parts.state.onDidChange(changed),
      parts.runner.onDidChange(changed),
      workspace.onDidGrantWorkspaceTrust(changed),
      this.#unclaimed,
    ];
  }

  current(): Snapshot {
    return (this.#snapshot ??= toSnapshot(this.#parts.state.current(), {
      leader: this.#parts.runner.leader(),
      lanes: this.#parts.runner.lanes(),
      holds: workspace.isTrusted ? this.#unclaimed.holds() : untrustedHolds(),
    }));
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }

  #onChange(): void {
    this.#snapshot = undefined;
    this.#changed.fire(this.current());
  }
}

function untrustedHolds(): readonly Hold[] {
  const reason = "untrusted";
  return [
    { kind: "git", reason },
    { kind: "llm", reason },
  ];
}
