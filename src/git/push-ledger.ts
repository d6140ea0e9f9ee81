import type { Settlement } from "../core/journal.ts";
import type { RefChange } from "../core/result.ts";
import type { StatsDelta } from "../core/stats.ts";
import type { Failure } from "./git-error.ts";
import { cancelled, failed, succeeded } from "./outcomes.ts";
import type { MergeOperation, PushOperation } from "./payload.ts";
import type { PushStep } from "./plan-pushes.ts";
import type { Run } from "./run.ts";

export type Pusher = PushOperation | MergeOperation;
/** How one ref fared at one address. */
export type RefEnd =
  | { readonly kind: "delivered"; readonly change: RefChange; readonly upToDate: boolean }
  /** `unsent`: before any `git push` was started for it. */
  | { readonly kind: "failed"; readonly failure: Failure; readonly unsent?: true }
  | { readonly kind: "cancelled" };

/** Adds up how the refs of a push operation fared at all addresses; it is settled with the last of them. */
export class PushLedger {
  readonly #run: Run;
  readonly #waiting = new Map<
    string,
    { readonly item: Pusher; readonly open: Set<string>; readonly ends: RefEnd[] }
  >();
  readonly warnings = new Map<string, string>();

  constructor(run: Run, steps: readonly PushStep[]) {
    this.#run = run;
    for (const { url, refs } of steps) {
      for (const { ref, operations } of refs) {
        for (const item of operations) {
          const { id } = item.operation;
          const entry = this.#waiting.get(id) ?? { item, open: new Set<string>(), ends: [] };
          entry.open.add(key(url, ref));
          this.#waiting.set(id, entry);
        }
      }
    }
  }

  /** Notes ends at one address; answers what is settled by that. */
  note(url: string, ends: ReadonlyMap<string, RefEnd>): readonly Settlement[] {
    const settled: Settlement[] = [];
    for (const { item, open, ends: own } of this.#waiting.values()) {
      if (!this.#run.isOpen(item)) continue;
      const before = open.size;
      for (const [ref, end] of ends) if (open.delete(key(url, ref))) own.push(end);
      if (open.size > 0 || before === 0) continue;
      const settlement = this.#settle(item, own);
      settled.push({ ...settlement, stats: statsOf(settlement, own) });
    }
    return settled;
  }

  #settle(item: Pusher, ends: readonly RefEnd[]): Settlement {
    const { id } = item.operation;
    const landed = this.#run.landed.get(id) ?? {};
    const warning = this.warnings.get(id);
    const changes = ends.flatMap((end) => (end.kind === "delivered" && !end.upToDate ? [end.change] : []));
    const success = {
      ...landed,
      refs: [...(landed.refs ?? []), ...(item.kind === "push" ? distinct(changes) : [])],
      ...(warning === undefined ? {} : { detail: { ...landed.detail, warning } }),
    };
    const failure = ends.find((end) => end.kind === "failed")?.failure;
    if (failure) return failed(item, mergedThough(item, failure), success);
    if (ends.some(({ kind }) => kind === "cancelled")) {
      if (item.kind === "push") return cancelled(item);
      return failed(
        item,
        mergedThough(item, { reason: "cancelled", error: "the batch was cancelled" }),
        success,
      );
    }
    return succeeded(item, success);
  }
}

/** A push that was cancelled, or that no `git push` was ever started for, was not executed. */
function statsOf({ result: { status } }: Settlement, ends: readonly RefEnd[]): StatsDelta {
  if (status === "cancelled" || ends.every((end) => end.kind === "failed" && end.unsent)) return {};
  return { "git.pushesRequested": 1, "git.pushesDelivered": status === "succeeded" ? 1 : 0 };
}

const key = (url: string, ref: string): string => `${url}\0${ref}`;
const distinct = (changes: readonly RefChange[]): readonly RefChange[] => [
  ...new Map(changes.map((change) => [change.ref, change])).values(),
];

/** What was merged stays merged. */
export const mergedThough = (item: Pusher, failure: Failure): Failure =>
  item.kind === "merge" ? { ...failure, error: `merged, but not pushed: ${failure.error}` } : failure;
