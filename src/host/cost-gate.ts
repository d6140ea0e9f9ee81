import { sideOf } from "../core/operation.ts";
import type { StoredOperation } from "../core/operation.ts";
import { stopsLane } from "../core/snapshot.ts";
import type { Hold } from "../core/snapshot.ts";
import { costAllowed, overDayAllowed } from "../llm/index.ts";
import type { LlmSettings } from "../llm/index.ts";
import { laneOf } from "./claims.ts";
import type { Caller } from "./commands/command.ts";
import { HeldError } from "./commands/held-error.ts";
import { isOverLimit, operationsWith, planLlm, queuedOperations } from "./flush-plan.ts";
import type { LlmPlan } from "./flush-plan.ts";
import { holdText } from "./hold-words.ts";
import type { Translate } from "./l10n.ts";
import type { Numbers } from "./numbers.ts";
import type { Parts } from "./parts.ts";
import { WordedError } from "./worded-error.ts";

interface CostGateDeps {
  readonly parts: Pick<Parts, "journal" | "preview" | "allowCost"> & {
    readonly state: Pick<Parts["state"], "current">;
  };
  /** US dollars; 0 means no limit. */
  readonly limits: () => Pick<LlmSettings, "maxCostPerFlush" | "maxCostPerDay">;
  readonly t: Translate;
  readonly usd: Numbers["usd"];
  readonly count: Numbers["count"];
  /** Asks a person; rejects with `Cancelled` where they do not agree. */
  readonly confirm: (question: string, agree: string) => Promise<void>;
}

/** What a flush that may be paid for does with it. */
export interface Passed {
  /** The detail of the batches that it forms. */
  readonly mark: object;
  /** To be called once they are formed: nothing else may leave in between. */
  readonly lift: () => Promise<void>;
}

/** Lets a flush of requests pass only below the limits on money, or with a person's consent. What has no known price may cost anything. */
export class CostGate {
  readonly #deps: CostGateDeps;

  constructor(deps: CostGateDeps) {
    this.#deps = deps;
  }

  /**
   * `limits`: holds of limits that have stopped requests by now. Whoever passes lifts them: code by costing less than
   * it may, a person by agreeing once for all that this flush sends, the batches that wait behind the holds included.
   */
  async pass(caller: Caller, limits: readonly Hold[] = []): Promise<Passed> {
    const { parts } = this.#deps;
    const waiting = parts.state
      .current()
      .llm.pending.filter(({ group }) => limits.some((hold) => stopsLane(hold, laneOf(group))))
      .map(({ id }) => id);
    const [daily] = limits.filter(({ reason }) => reason === "daily-cost-limit" || reason === "cost-unknown");
    if (daily !== undefined && caller !== "person") throw new HeldError(daily, holdText(daily, this.#deps.t));
    const asked =
      daily === undefined ? await this.#passFlush(caller, waiting) : await this.#passDay(daily, waiting);
    if (asked && waiting.length > 0) await parts.allowCost(waiting);
    return {
      mark: daily === undefined ? costAllowed : overDayAllowed,
      lift: async () => {
        for (const { kind, reason, lane } of limits) await parts.journal.clearHolds(kind, reason, lane);
      },
    };
  }

  async #passDay(daily: Hold, waiting: readonly string[]): Promise<true> {
    const { t, usd, parts, limits, confirm } = this.#deps;
    const plan = await planLlm(parts, await this.#unpaid(waiting));
    const { maxCostPerDay } = limits();
    const most = t(
      "These requests may cost up to {0}; the limit of the day is {1}.",
      usd(plan.estimatedCostUsd),
      usd(maxCostPerDay),
    );
    const question = [
      holdText(daily, t),
      most,
      ...this.#unknown(plan),
      t("Send what is queued once all the same?"),
    ];
    await confirm(question.join(" "), t("Send"));
    return true;
  }

  /** Answers whether a person was asked. */
  async #passFlush(caller: Caller, waiting: readonly string[]): Promise<boolean> {
    const { maxCostPerFlush: limit } = this.#deps.limits();
    if (limit <= 0) return false;
    const unpaid = await this.#unpaid(waiting);
    if (unpaid.length === 0) return false;
    const plan = await planLlm(this.#deps.parts, unpaid);
    if (!isOverLimit(plan, limit)) return false;
    const { t, usd, count } = this.#deps;
    const most = t(
      "These requests may cost up to {0}; the limit for one flush is {1}.",
      usd(plan.estimatedCostUsd),
      usd(limit),
    );
    const facts = [most, ...this.#unknown(plan)].join(" ");
    if (caller !== "person")
      throw new WordedError("cost-limit", `batchControl.llm.maxCostPerFlush: ${facts}`);
    const question = [
      t("Send requests: {0}?", count(plan.requests)),
      facts,
      t("The limit is the setting {0}.", "batchControl.llm.maxCostPerFlush"),
    ];
    await this.#deps.confirm(question.join(" "), t("Send"));
    return true;
  }

  /** The requests that a consent is for: what is queued, and what waits in batches behind a limit. */
  async #unpaid(waiting: readonly string[]): Promise<readonly StoredOperation[]> {
    const { journal } = this.#deps.parts;
    const queued = await queuedOperations(journal);
    const pending = await Promise.all(waiting.map((batch) => operationsWith(journal, { batch })));
    return [...queued.filter(({ kind }) => sideOf(kind) === "llm"), ...pending.flat()];
  }

  #unknown({ unpriced }: LlmPlan): readonly string[] {
    return unpriced === 0 ? [] : [this.#deps.t("Requests of unknown price: {0}", unpriced)];
  }
}
