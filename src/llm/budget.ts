import * as v from "valibot";
import type { Batch } from "../core/batch.ts";
import type { Hold } from "../core/snapshot.ts";
import type { LimitReason } from "./cost-limits.ts";
import { isCostAllowed, picoOf } from "./cost-limits.ts";
import type { LlmDeps } from "./deps.ts";

const KEY = "llm.budget";
const amount = v.pipe(
  v.string(),
  v.regex(/^\d+$/u),
  v.transform((text) => BigInt(text)),
);
const stored = v.object({
  /** UTC day of `spent`. */
  day: v.string(),
  spent: amount,
  /** What batches on their way may still cost, by their ids. */
  reserved: v.record(v.string(), amount),
  /** The next batch goes out whatever it costs. */
  allowOnce: v.boolean(),
});
type Ledger = v.InferOutput<typeof stored>;

const limitHold = (reason: LimitReason): Hold => ({ kind: "llm", reason });

/** Keeps the limits on money. For `llm.maxCostPerDay` it knows what was spent today, and what batches on their way may cost at most. Picodollars. */
export class Budget {
  readonly #deps: Pick<LlmDeps, "settings" | "clock" | "remember" | "recall">;
  #last: Promise<unknown> = Promise.resolve();
  /** Duplicates at the provider whose cost this window is about to count, so that no two of its batches do. */
  readonly counting = new Set<string>();

  constructor(deps: Pick<LlmDeps, "settings" | "clock" | "remember" | "recall">) {
    this.#deps = deps;
  }

  /** Whether what a batch may cost matters at all. */
  limits({ detail }: Pick<Batch, "detail">): boolean {
    const { maxCostPerDay, maxCostPerFlush } = this.#deps.settings();
    return maxCostPerDay > 0 || (maxCostPerFlush > 0 && !isCostAllowed(detail));
  }

  /**
   * Whether a batch may go out that may cost `most`; `undefined`: its price is unknown. One that goes out has it set aside.
   * Where nobody was asked when it was formed, it must keep the limit of a flush as well as that of the day.
   */
  async pass(
    { id, detail }: Pick<Batch, "id" | "detail">,
    most: bigint | undefined,
  ): Promise<Hold | undefined> {
    const limit = picoOf(this.#deps.settings().maxCostPerFlush);
    if (limit > 0n && !isCostAllowed(detail)) {
      if (most === undefined) return limitHold("flush-cost-unknown");
      if (most > limit) return limitHold("flush-cost-limit");
    }
    return this.#reserve(id, most);
  }

  /** Sets aside what a batch may cost, or answers the hold of the limit per day. */
  #reserve(batch: string, most: bigint | undefined): Promise<Hold | undefined> {
    return this.#change((ledger) => {
      const limit = picoOf(this.#deps.settings().maxCostPerDay);
      const others = Object.entries(ledger.reserved).reduce(
        (sum, [id, one]) => (id === batch ? sum : sum + one),
        0n,
      );
      const fits = most !== undefined && ledger.spent + others + most <= limit;
      if (limit > 0n && !fits && !ledger.allowOnce) {
        const until = new Date(Date.parse(ledger.day) + 86_400_000).toISOString();
        return [
          ledger,
          most === undefined ? limitHold("cost-unknown") : { ...limitHold("daily-cost-limit"), until },
        ];
      }
      const reserved = { ...ledger.reserved, [batch]: most ?? 0n };
      return [{ ...ledger, reserved, allowOnce: fits && ledger.allowOnce }, undefined];
    });
  }

  /** Counts what answers of a batch cost; the reservation shrinks by as much. */
  spend(batch: string, cost: bigint): Promise<void> {
    if (cost === 0n) return Promise.resolve();
    return this.#change((ledger) => {
      const left = (ledger.reserved[batch] ?? 0n) - cost;
      const { [batch]: _spent, ...others } = ledger.reserved;
      return [
        {
          ...ledger,
          spent: ledger.spent + cost,
          reserved: left > 0n ? { ...others, [batch]: left } : others,
        },
        undefined,
      ];
    });
  }

  /** Nothing more is to come of a batch. */
  release(batch: string): Promise<void> {
    return this.#change((ledger) => {
      const { [batch]: _reserved, ...reserved } = ledger.reserved;
      return [{ ...ledger, reserved }, undefined];
    });
  }

  /** Lets the next batch that the limit stops go out all the same. */
  allowOnce(): Promise<void> {
    return this.#change((ledger) => [{ ...ledger, allowOnce: true }, undefined]);
  }

  /** One change after the other, so that none is lost between reading and writing. */
  #change<T>(change: (ledger: Ledger) => [Ledger, T]): Promise<T> {
    const next = this.#last.then(async () => {
      const text = await this.#deps.recall(KEY);
      const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
      const empty: Ledger = { day, spent: 0n, reserved: {}, allowOnce: false };
      const before = text === undefined ? empty : v.parse(stored, JSON.parse(text));
      const [after, answer] = change(before.day === day ? before : { ...before, day, spent: 0n });
      await this.#deps.remember(
        KEY,
        JSON.stringify(after, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
      );
      return answer;
    });
    this.#last = next.catch(() => undefined);
    return next;
  }
}
