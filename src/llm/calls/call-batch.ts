import type { TurnEnd } from "../../core/executor.ts";
import type { Hold } from "../../core/snapshot.ts";
import { isFinal } from "../../core/operation.ts";
import { isOpen } from "../../core/effect.ts";
import type { Job } from "../batch/job.ts";
import { twinKeyOf } from "../batch/sent.ts";
import { holdOf } from "../batch/submit.ts";
import type { StoredRequest } from "../payload.ts";
import { readPayload } from "../payload.ts";
import { estimateCost, estimateTokens } from "../pricing/estimate.ts";
import type { ItemOutcome } from "../provider.ts";
import type { Billing } from "../settlement.ts";
import { sharedSettlement } from "../settlement.ts";
import { Caller } from "./caller.ts";
import type { Interrupted, Stopped } from "./interrupted.ts";
import { interruptedBy, noteAskedTwice } from "./interrupted.ts";
import { packs } from "./pack.ts";
import type { Shared } from "./prefix.ts";
import { sharedBeginning } from "./prefix.ts";
import type { Unit } from "./unit.ts";
import { outcomesOf } from "./unit.ts";

/** The word of our effects here: calls are being made. */
const CALLS = "calls";
const CONCURRENT = 8;
/** Requests whose payloads are in memory at once. */
const WINDOW = 256;
/** A prefix can be read a moment after the answer that writes it has begun, not at once. */
const WARM_PAUSE = 2_000;

/**
 * Makes the calls of a batch whose requests do not wait for the provider's batches. A call that was being made when its window
 * ended cannot be found again at the provider, so it is made again: it happens at least once. The call itself is counted; what
 * it cost is not known and is shown as an estimate.
 */
export class CallBatch {
  readonly #job: Job;
  readonly #caller: Caller;
  /** The call that warms the cache, while it runs on beside others. */
  readonly #pending: Promise<void>[] = [];
  /** Answers that requests with the same content share. */
  readonly #twins = new Map<string, Promise<ItemOutcome | undefined>>();
  /** Requests whose calls were cut off here. */
  readonly #cut = new Set<string>();

  constructor(job: Job) {
    this.#job = job;
    this.#caller = new Caller(job);
  }

  async run(): Promise<TurnEnd> {
    const { context, batch } = this.#job;
    const effects = await context.effects();
    const interrupted = interruptedBy(effects);
    for (const effect of effects) {
      if (isOpen(effect.state)) {
        await context.outcome({
          effect: { n: effect.n, state: "abandoned", result: { reason: "taken-over" } },
          stats: { "llm.apiCalls": 1, "llm.httpRequests": 1 },
        });
      }
    }
    if (this.#job.isCancelled()) return this.#cancelRest();
    const billing = await this.#job.billing(this.#job.deps.clock.now());
    const hold = await this.#reserve(billing);
    if (hold !== undefined) return { kind: "held", hold };
    await this.#noteAskedTwice(interrupted, billing);
    const n = await context.intent(CALLS, { requests: batch.operationCount });
    let warmed = false;
    for await (const requests of this.#windows()) {
      const units = this.#job.deps.settings().packing
        ? packs(this.#job.provider, requests)
        : requests.map((request) => [request]);
      // A single call would write for nobody.
      const shared = units.length > 1 ? sharedBeginning(this.#job.provider, requests) : undefined;
      if (shared !== undefined && !warmed) {
        warmed = true;
        await this.#warm(units, billing, shared);
      }
      await this.#all(units, billing, shared);
      if (this.#isOver()) break;
    }
    const { account } = this.#caller;
    const isStopped = this.#job.isStopped();
    const result: Stopped = { asked: [...this.#cut] };
    await context.outcome({
      effect: isStopped
        ? { n, state: "abandoned", result }
        : { n, state: account === undefined ? "done" : "failed" },
      stats: { ...this.#caller.takeCalls(), ...this.#job.takeHttpRequests() },
    });
    if (isStopped) return { kind: "stopped" };
    if (this.#job.isCancelled()) return this.#cancelRest();
    return account === undefined ? { kind: "ended" } : { kind: "held", hold: holdOf(account) };
  }

  #isOver(): boolean {
    return this.#job.isCancelled() || this.#job.isStopped() || this.#caller.account !== undefined;
  }

  async #noteAskedTwice({ named, unnamed }: Interrupted, billing: Billing): Promise<void> {
    const again: { readonly id: string; readonly stored: StoredRequest }[] = [];
    for await (const requests of this.#windows()) {
      // In their order, so what was under way when a window was gone is among the first that are open.
      const first = unnamed && again.length === 0 ? CONCURRENT : 0;
      again.push(...requests.filter(({ id }, index) => index < first || named.has(id)));
      if (named.size === 0) break;
    }
    await noteAskedTwice(this.#job, again, billing);
  }

  /** Keeps the limits on money. */
  async #reserve({ price, batch }: Billing): Promise<Hold | undefined> {
    const { budget } = this.#job;
    if (!budget.limits(this.#job.batch)) return undefined;
    let most = 0n;
    for await (const requests of this.#windows()) {
      for (const { stored } of requests)
        most += price === undefined ? 0n : estimateCost(estimateTokens(stored), price, batch).most;
    }
    return budget.pass(this.#job.batch, price === undefined ? undefined : most);
  }

  /** The first call alone, until its answer has begun: those after it find the prefix in the provider's cache. */
  async #warm(units: Unit[], billing: Billing, shared: Shared): Promise<void> {
    const first = units.shift();
    if (first === undefined) return;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const rest = this.#one(first, billing, shared, begin);
    this.#pending.push(rest);
    await Promise.race([begun, rest]);
    await this.#job.wait(WARM_PAUSE);
  }

  async #all(units: readonly Unit[], billing: Billing, shared: Shared | undefined): Promise<void> {
    const left = [...units];
    const worker = async (): Promise<void> => {
      for (let unit = left.shift(); unit !== undefined; unit = left.shift()) {
        if (this.#isOver()) return;
        await this.#one(unit, billing, shared);
      }
    };
    await Promise.all([...this.#pending.splice(0), ...Array.from({ length: CONCURRENT }, worker)]);
  }

  /** One call, for one request or several packed ones; what of the packed ones came back wrong is sent alone. */
  async #one(unit: Unit, billing: Billing, shared: Shared | undefined, begun?: () => void): Promise<void> {
    const startedAt = this.#job.deps.clock.now();
    const [first] = unit;
    if (first === undefined) return;
    const key = twinKeyOf(first.stored);
    const twin = key === undefined ? undefined : this.#twins.get(key);
    if (twin !== undefined) return this.#share(first.id, twin, billing);
    const { provider } = this.#job;
    const alone = unit.length === 1;
    const request = alone ? first.stored : provider.packed(unit.map(({ stored }) => stored));
    // Packing puts the prompts into one message, so only what comes before the messages is still shared.
    const depths = shared?.depths.filter((depth) => alone || depth === 0) ?? [];
    const answer = this.#caller.call(provider.cached(request, "5m", depths), {
      onText: (text) => {
        begun?.();
        if (alone) this.#job.deps.onText?.(first.id, text);
      },
      onCut: () => unit.forEach(({ id }) => this.#cut.add(id)),
    });
    if (key !== undefined) this.#twins.set(key, answer);
    const outcome = await answer;
    if (outcome === undefined) return this.#job.deps.onText?.(first.id, undefined);
    const durationMs = this.#job.deps.clock.now() - startedAt;
    const { settled, alone: again, wasted } = outcomesOf(unit, outcome, billing, durationMs);
    await this.#job.write(settled, { stats: { ...wasted, ...this.#caller.takeCalls() } });
    this.#job.deps.onText?.(first.id, undefined);
    for (const one of again) await this.#one([one], billing, shared);
  }

  /** Gives the answer of a request that asked the same, and asked for that. */
  async #share(id: string, twin: Promise<ItemOutcome | undefined>, billing: Billing): Promise<void> {
    const outcome = await twin;
    if (outcome !== undefined) await this.#job.write([sharedSettlement(id, outcome, billing)]);
  }

  async *#windows(): AsyncGenerator<{ readonly id: string; readonly stored: StoredRequest }[]> {
    let window: { readonly id: string; readonly stored: StoredRequest }[] = [];
    for await (const page of this.#job.context.operations()) {
      for (const operation of page) {
        if (isFinal(operation.status)) continue;
        window.push({ id: operation.id, stored: readPayload(operation) });
        if (window.length < WINDOW) continue;
        yield window;
        window = [];
      }
    }
    if (window.length > 0) yield window;
  }

  async #cancelRest(): Promise<TurnEnd> {
    await this.#job.settle(
      () => true,
      ({ id }) => ({ result: { id, status: "cancelled" } }),
    );
    return { kind: "ended" };
  }
}
