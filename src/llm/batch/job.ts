import { join } from "node:path";
import type { Batch } from "../../core/batch.ts";
import type { ExecutionContext } from "../../core/executor.ts";
import type { Outcome, Settlement } from "../../core/journal.ts";
import type { StoredOperation } from "../../core/operation.ts";
import { isFinal } from "../../core/operation.ts";
import type { StatsDelta } from "../../core/stats.ts";
import type { Budget } from "../budget.ts";
import type { LlmDeps } from "../deps.ts";
import { providerOfGroup, urgencyOfGroup } from "../group.ts";
import { readPayload } from "../payload.ts";
import { defined, isRecord } from "../prepare.ts";
import { priceOf } from "../pricing/pricer.ts";
import type { CallOptions, LlmProvider } from "../provider.ts";
import { waitAwake } from "../wait.ts";
import type { Billing } from "../settlement.ts";
import { AccountTrouble } from "./account-trouble.ts";

const CHUNK = 500;

/** One turn of executing one batch. */
export class Job {
  readonly batch: Batch;
  readonly context: ExecutionContext;
  readonly deps: LlmDeps;
  readonly provider: LlmProvider;
  readonly budget: Budget;
  readonly account: AccountTrouble;
  readonly meter = { httpRequests: 0 };

  constructor(batch: Batch, context: ExecutionContext, deps: LlmDeps, budget: Budget) {
    this.batch = batch;
    this.context = context;
    this.deps = deps;
    this.budget = budget;
    this.provider = deps.provider(providerOfGroup(batch.group));
    this.account = new AccountTrouble(context);
  }

  /** Somebody wants the batch stopped. A method, as the next, because the answer changes while a turn waits. */
  isCancelled(): boolean {
    const { signal } = this.context;
    return this.batch.cancelRequested || (signal.aborted && signal.reason === "cancel");
  }

  /** This window is to stop; another goes on. */
  isStopped(): boolean {
    const { signal, leaving } = this.context;
    return leaving?.aborted === true || (signal.aborted && signal.reason !== "cancel");
  }

  /** Aborts with the next thing that is asked of this turn: after a cancellation only that it stops. */
  get #next(): AbortSignal | undefined {
    const { signal, leaving } = this.context;
    if (signal.aborted) return leaving;
    return leaving === undefined ? signal : AbortSignal.any([signal, leaving]);
  }

  /** Waits, or until something else is asked of this turn. A function is asked again while it waits. */
  wait(ms: number | (() => number)): Promise<void> {
    return waitAwake(this.deps.clock, typeof ms === "number" ? () => ms : ms, this.#next);
  }

  /** For calls that change nothing and may be cut short when this window stops. */
  get reading(): CallOptions {
    const signal = this.#next;
    return signal === undefined ? this.writing : { meter: this.meter, signal };
  }

  /** For calls whose outcome must be known, so that they are never cut short from here. */
  get writing(): CallOptions {
    return { meter: this.meter };
  }

  file(name: string): string {
    return join(this.deps.tempDir, `${this.batch.id}-${name}`);
  }

  /** HTTP requests made since the last time, to go with the next outcome. */
  takeHttpRequests(): StatsDelta {
    const { httpRequests } = this.meter;
    this.meter.httpRequests = 0;
    return httpRequests === 0 ? {} : { "llm.httpRequests": httpRequests };
  }

  /** The first request tells endpoint, model and betas: a group shares them. */
  async first(): Promise<StoredOperation | undefined> {
    for await (const page of this.context.operations()) {
      if (page[0] !== undefined) return page[0];
    }
    return undefined;
  }

  /** How answers of a time are charged; a group has one model. */
  async billing(at: number): Promise<Billing> {
    const batch = urgencyOfGroup(this.batch.group) === "batch";
    const first = await this.first();
    if (first === undefined) return { price: undefined, batch };
    return {
      price: await priceOf(this.provider.name, readPayload(first).model, at, this.deps.settings().prices),
      batch,
    };
  }

  /** Writes settlements and statistics, and counts all cost in them against the limit per day. Nothing else writes cost. */
  async write(settled: readonly Settlement[], more: Omit<Outcome, "settled" | "effect"> = {}): Promise<void> {
    const stats = { ...more.stats, ...this.takeHttpRequests() };
    await this.context.outcome({ ...more, settled, stats });
    const answered = settled.reduce((sum, one) => sum + costIn(one.stats), 0n);
    await this.budget.spend(this.batch.id, { answered, wasted: costIn(more.stats) });
  }

  /** Settles every open operation that `which` accepts, page by page. */
  async settle(
    which: (operation: StoredOperation, index: number) => boolean,
    settlement: (operation: StoredOperation) => Settlement,
  ): Promise<void> {
    await this.#inChunks(which, (chunk) => this.context.outcome({ settled: chunk.map(settlement) }));
  }

  /** Marks open operations as being found out about, or takes the mark off. */
  async markChecking(
    which: (operation: StoredOperation, index: number) => boolean,
    checking: boolean,
  ): Promise<void> {
    await this.note(which, { checking: checking ? true : undefined });
  }

  /** Adds to the details of open operations; `undefined` takes off. */
  async note(
    which: (operation: StoredOperation, index: number) => boolean,
    more: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#inChunks(which, (chunk) =>
      this.context.outcome({
        details: new Map(
          chunk.map(({ id, detail }) => [id, defined({ ...(isRecord(detail) ? detail : {}), ...more })]),
        ),
      }),
    );
  }

  async #inChunks(
    which: (operation: StoredOperation, index: number) => boolean,
    write: (chunk: readonly StoredOperation[]) => Promise<unknown>,
  ): Promise<void> {
    let index = 0;
    let chunk: StoredOperation[] = [];
    for await (const page of this.context.operations()) {
      for (const operation of page) {
        if (!isFinal(operation.status) && which(operation, index)) chunk.push(operation);
        index += 1;
        if (chunk.length >= CHUNK) {
          await write(chunk);
          chunk = [];
        }
      }
    }
    if (chunk.length > 0) await write(chunk);
  }
}

const costIn = (stats: StatsDelta | undefined): bigint => BigInt(stats?.["llm.costPico"] ?? 0);
