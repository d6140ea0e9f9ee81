import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface GroupOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * A process with all its children in a group of their own. Without its native watchdog an extension host outlives the
 * server that started it, so it is the group that is ended, also when this process ends first.
 */
export class ProcessGroup {
  readonly child: ChildProcess;
  readonly #onExit = (): void => this.#signal("SIGKILL");

  constructor(command: string, args: readonly string[], options: GroupOptions = {}) {
    this.child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    process.on("exit", this.#onExit);
  }

  /** Resolves when the leader is gone and the rest of the group has been killed. */
  async end(graceMilliseconds = 2000): Promise<void> {
    process.off("exit", this.#onExit);
    if (this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined) {
      const gone = once(this.child, "exit");
      this.#signal("SIGTERM");
      const killer = setTimeout(() => this.#signal("SIGKILL"), graceMilliseconds);
      await gone;
      clearTimeout(killer);
    }
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // ESRCH: nobody is left in the group.
    }
  }
}
