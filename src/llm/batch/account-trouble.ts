import type { ExecutionContext } from "../../core/executor.ts";
import type { Failure } from "../provider.ts";
import { holdOf } from "./submit.ts";

/**
 * Keeps the lane's hold while questions about what is at the provider meet an account's trouble. Nothing is sent meanwhile,
 * and the questions go on, so that the hold goes with the first that is answered.
 */
export class AccountTrouble {
  readonly #context: Pick<ExecutionContext, "hold" | "lift">;
  /** To be lifted by an answer; the first two may have been set before this window came, and an answer disproves them. */
  readonly #reasons = new Set(["no-key", "key-refused"]);

  constructor(context: Pick<ExecutionContext, "hold" | "lift">) {
    this.#context = context;
  }

  /** `undefined`: it was answered. */
  async note(failure: Failure | undefined): Promise<void> {
    if (failure?.kind === "account") {
      this.#reasons.add(failure.reason);
      await this.#context.hold(holdOf(failure));
    } else if (failure === undefined) {
      for (const reason of this.#reasons) await this.#context.lift(reason);
      this.#reasons.clear();
    }
  }
}
