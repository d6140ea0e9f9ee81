import { sideOf } from "../core/operation.ts";
import type { Hold } from "../core/snapshot.ts";
import type { Caller } from "./commands/command.ts";
import { HeldError } from "./commands/held-error.ts";
import { planLlm, queuedOperations } from "./flush-plan.ts";
import type { LlmPlan } from "./flush-plan.ts";
import { holdText } from "./hold-words.ts";
import type { Translate } from "./l10n.ts";
import type { Numbers } from "./numbers.ts";
import type { Parts } from "./parts.ts";
import { WordedError } from "./worded-error.ts";

interface CostGateDeps {
  readonly parts: Pick<Parts, "journal" | "preview" | "allowOverLimitOnce">;
  /** US dollars; 0 means no limit. */
  readonly limit: () => number;
  readonly t: Translate;
  readonly usd: Numbers["usd"];
  /** Asks a person; rejects with `Cancelled` where they do not agree. */
  readonly confirm: (question: string) => Promise<void>;
}

/** Lets a flush of requests pass only below the limits on money, or with a person's consent. What has no known price may cost anything. */
export class CostGate {
  readonly #deps: CostGateDeps;

  constructor(deps: CostGateDeps) {
    this.#deps = deps;
  }

  /**
   * `limits`: holds of limits that have stopped requests by now. Whoever passes has lifted them: code by costing less than
   * it may, a person by agreeing, for once where it is the limit of a day.
   */
  async pass(caller: Caller, limits: readonly Hold[] = []): Promise<void> {
    const [daily] = limits.filter(({ reason }) => reason === "daily-cost-limit" || reason === "cost-unknown");
    const { t, parts } = this.#deps;
    if (daily !== undefined) {
      if (caller === "code") throw new HeldError(daily, holdText(daily, t));
      await this.#deps.confirm(`${holdText(daily, t)} ${t("Send what is queued once all the same?")}`);
      await parts.allowOverLimitOnce();
    } else await this.#passFlush(caller);
    for (const { kind, reason, lane } of limits) await parts.journal.clearHolds(kind, reason, lane);
  }

  async #passFlush(caller: Caller): Promise<void> {
    const limit = this.#deps.limit();
    if (limit <= 0) return;
    const queued = (await queuedOperations(this.#deps.parts.journal)).filter(
      ({ kind }) => sideOf(kind) === "llm",
    );
    if (queued.length === 0) return;
    const plan = await planLlm(this.#deps.parts, queued);
    if (plan.estimatedCostUsd <= limit && plan.unpriced === 0) return;
    if (caller === "person") await this.#deps.confirm(this.#question(plan, limit));
    else
      throw new WordedError("cost-limit", `batchControl.llm.maxCostPerFlush: ${this.#question(plan, limit)}`);
  }

  #question({ estimatedCostUsd, unpriced }: LlmPlan, limit: number): string {
    const { t, usd } = this.#deps;
    const most = t(
      "These requests may cost up to {0}; the limit for one flush is {1}.",
      usd(estimatedCostUsd),
      usd(limit),
    );
    return unpriced === 0 ? most : `${most} ${t("Requests of unknown price: {0}", unpriced)}`;
  }
}
