import * as v from "valibot";
import type { Batch } from "../core/batch.ts";
import type { Hold } from "../core/snapshot.ts";
import type { LimitReason } from "./cost-limits.ts";
import { isCostAllowed, isOverDayAllowed, picoOf } from "./cost-limits.ts";
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
  /** Batches that a person let pass, whatever they cost, after they were formed; by their ids. */
  allowed: v.optional(v.array(v.string()), []),
});
type Ledger = v.InferOutput<typeof stored>;

const limitHold = (reason: LimitReason): Hold => ({ kind: "llm", reason });

type BudgetDeps = Pick<LlmDeps, "settings" | "clock" | "remember" | "recall" | "batchStatus">;

/** Keeps the limits on money. For `llm.maxCostPerDay` it knows what was spent today, and what batches on their way may cost at most. Picodollars. */
export class Budget {
  readonly #deps: BudgetDeps;
  #last: Promise<unknown> = Promise.resolve();
  /** Duplicates at the provider whose cost this window is about to count, so that no two of its batches do. */
  readonly counting = new Set<string>();

  constructor(deps: BudgetDeps) {
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
  async pass(batch: Pick<Batch, "id" | "detail">, most: bigint | undefined): Promise<Hold | undefined> {
    return this.#change(async (before) => {
      const ledger = await this.#withoutEnded(before);
      const hold = ledger.allowed.includes(batch.id) ? undefined : this.#holdOf(ledger, batch, most);
      if (hold !== undefined) return [ledger, hold];
      return [{ ...ledger, reserved: { ...ledger.reserved, [batch.id]: most ?? 0n } }, undefined];
    });
  }

  #holdOf(
    { day, spent, reserved }: Ledger,
    { id, detail }: Pick<Batch, "id" | "detail">,
    most: bigint | undefined,
  ): Hold | undefined {
    const { maxCostPerFlush, maxCostPerDay } = this.#deps.settings();
    const ofFlush = picoOf(maxCostPerFlush);
    if (ofFlush > 0n && !isCostAllowed(detail)) {
      if (most === undefined) return limitHold("flush-cost-unknown");
      if (most > ofFlush) return limitHold("flush-cost-limit");
    }
    const ofDay = picoOf(maxCostPerDay);
    if (ofDay === 0n || isOverDayAllowed(detail)) return undefined;
    if (most === undefined) return limitHold("cost-unknown");
    const others = Object.entries(reserved).reduce(
      (sum, [other, one]) => (other === id ? sum : sum + one),
      0n,
    );
    if (spent + others + most <= ofDay) return undefined;
    const until = new Date(Date.parse(day) + 86_400_000).toISOString();
    return { ...limitHold("daily-cost-limit"), until };
  }

  /** Nothing is kept for batches that are over, however they ended: their window may have been gone by then. */
  async #withoutEnded(ledger: Ledger): Promise<Ledger> {
    const open = new Set<string>();
    for (const id of new Set([...Object.keys(ledger.reserved), ...ledger.allowed])) {
      const status = await this.#deps.batchStatus(id);
      if (status === "pending" || status === "executing") open.add(id);
    }
    return {
      ...ledger,
      reserved: Object.fromEntries(Object.entries(ledger.reserved).filter(([id]) => open.has(id))),
      allowed: ledger.allowed.filter((id) => open.has(id)),
    };
  }

  /** Counts what a batch cost. `answered`: its answers, by which the reservation shrinks; `wasted`: what nobody had foreseen. */
  spend(batch: string, { answered, wasted }: Readonly<Record<"answered" | "wasted", bigint>>): Promise<void> {
    if (answered + wasted === 0n) return Promise.resolve();
    return this.#change((ledger) => {
      const left = (ledger.reserved[batch] ?? 0n) - answered;
      const { [batch]: _spent, ...others } = ledger.reserved;
      return [
        {
          ...ledger,
          spent: ledger.spent + answered + wasted,
          reserved: left > 0n ? { ...others, [batch]: left } : others,
        },
        undefined,
      ];
    });
  }

  /** Nothing more is to come of a batch, or nothing ever went out. */
  release(batch: string): Promise<void> {
    return this.#change((ledger) => {
      if (ledger.reserved[batch] === undefined && !ledger.allowed.includes(batch)) return [ledger, undefined];
      const { [batch]: _reserved, ...reserved } = ledger.reserved;
      return [{ ...ledger, reserved, allowed: ledger.allowed.filter((id) => id !== batch) }, undefined];
    });
  }

  /** Lets batches that are formed already pass both limits, whatever they cost. */
  allow(batches: readonly string[]): Promise<void> {
    return this.#change((ledger) => [
      { ...ledger, allowed: [...new Set([...ledger.allowed, ...batches])] },
      undefined,
    ]);
  }

  /** One change after the other, and anew where another window changed it meanwhile, so that none is lost. */
  #change<T>(change: (ledger: Ledger) => [Ledger, T] | Promise<[Ledger, T]>): Promise<T> {
    const next = this.#last.then(async () => {
      for (;;) {
        const text = await this.#deps.recall(KEY);
        const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
        const empty: Ledger = { day, spent: 0n, reserved: {}, allowed: [] };
        const before = text === undefined ? empty : v.parse(stored, JSON.parse(text));
        const today = before.day === day ? before : { ...before, day, spent: 0n };
        const [after, answer] = await change(today);
        if (after === before) return answer;
        if (await this.#deps.remember(KEY, written(after), { was: text })) return answer;
      }
    });
    this.#last = next.catch(() => undefined);
    return next;
  }
}

const written = (ledger: Ledger): string =>
  JSON.stringify(ledger, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
