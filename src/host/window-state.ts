import { EventEmitter, workspace } from "vscode";
import type { Disposable, Event } from "vscode";
import type { Hold, Snapshot } from "../core/snapshot.ts";
import type { Parts } from "./parts.ts";
import { toSnapshot } from "./snapshot.ts";

/** The journal's state as this window sees it, and one event for whatever changes it. */
export class WindowState implements Disposable {
  readonly #parts: Pick<Parts, "state" | "runner">;
  readonly #changed = new EventEmitter<Snapshot>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  #snapshot: Snapshot | undefined;
  readonly onDidChange: Event<Snapshot> = this.#changed.event;

  constructor(parts: Pick<Parts, "state" | "runner">) {
    this.#parts = parts;
    const changed = (): void => this.#onChange();
    this.#subscriptions = [
      parts.state.onDidChange(changed),
      parts.runner.onDidChange(changed),
      workspace.onDidGrantWorkspaceTrust(changed),
    ];
  }

  current(): Snapshot {
    return (this.#snapshot ??= toSnapshot(this.#parts.state.current(), {
      leader: this.#parts.runner.leader(),
      lanes: this.#parts.runner.lanes(),
      holds: workspace.isTrusted ? [] : untrustedHolds(),
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
