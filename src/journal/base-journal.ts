import type { Batch } from "../core/batch.ts";
import type { Effect, ProcessIdentity } from "../core/effect.ts";
import { StateError } from "../core/errors.ts";
import type {
  EnqueueOutcome,
  Fence,
  Fenced,
  GroupQueue,
  HistoryQuery,
  Journal,
  JournalEvent,
  LaneOwner,
  OperationQuery,
  Outcome,
  ReleaseTo,
  SealGroup,
} from "../core/journal.ts";
import type { NewOperation, Operation, Origin, SideName, StoredOperation } from "../core/operation.ts";
import type { Disposable } from "../core/ports.ts";
import type { Result } from "../core/result.ts";
import type { BatchView, Hold, JournalState } from "../core/snapshot.ts";
import { decoded, encoded } from "./codec.ts";
import type { Codec } from "./codec.ts";
import * as control from "./control-verbs.ts";
import * as lane from "./lane-verbs.ts";
import * as queue from "./queue-verbs.ts";
import type { Body, OperationWithBody, Tables, Transaction } from "./tables.ts";
import { buildHistory, buildState } from "./views.ts";

/** `done`: it tells what has happened already, so the last room of a full volume is for it. */
export type Weight = "done";

/** What a store does for the verbs. */
export interface Store {
  /** Runs the verb in one transaction, all or nothing, and resolves when it is durable. It may run the verb more than once. */
  write<T>(verb: (transaction: Transaction) => T, weight?: Weight): Promise<T>;
  /** Runs the read on one consistent state. */
  read<T>(read: (tables: Tables) => T): Promise<T>;
  /** Puts a text where it is durable once a transaction names it. */
  place(text: string, weight?: Weight): Promise<Body>;
  load(body: Body): Promise<string>;
  watch(since: number, listener: (events: readonly JournalEvent[]) => void): Disposable;
  /** Called when finished work was dropped: lets go of what only that used. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** What whoever opens a journal may give. */
export interface JournalOptions {
  /** All payloads and results go through it; without one they are stored as they are given. */
  readonly codec?: Codec;
  /** The window whose operations are enqueued here. */
  readonly origin?: Origin;
}

/** The verbs of the journal over a store; what they mean is the same whatever the store is. */
export class BaseJournal implements Journal {
  readonly #store: Store;
  readonly #options: JournalOptions;

  constructor(store: Store, { codec, origin }: JournalOptions) {
    this.#store = store;
    this.#options = {
      ...(codec === undefined ? {} : { codec }),
      ...(origin === undefined ? {} : { origin }),
    };
  }

  async enqueue(operations: readonly NewOperation[]): Promise<readonly EnqueueOutcome[]> {
    const { origin } = this.#options;
    const accepted = await eachInTurn(operations, async (operation) => ({
      ...(await this.#accepted(operation)),
      ...(origin === undefined ? {} : { origin }),
    }));
    return this.#store.write((transaction) => queue.enqueue(transaction, accepted));
  }

  async edit(
    id: string,
    change: Pick<NewOperation, "group" | "lane" | "label" | "payload" | "fingerprint" | "detail">,
  ): Promise<void> {
    const { group, lane: laneName, label, fingerprint, detail, body, bytes } = await this.#accepted(change);
    const accepted = { group, lane: laneName, label, fingerprint, detail, body, bytes };
    await this.#store.write((transaction) => queue.edit(transaction, id, accepted));
  }

  move(id: string, to: number): Promise<void> {
    return this.#store.write((transaction) => queue.move(transaction, id, to));
  }

  cancel(ids: readonly string[]): Promise<readonly Operation[]> {
    return this.#store.write((transaction) => queue.cancel(transaction, ids));
  }

  clear(side: SideName | undefined): Promise<readonly Operation[]> {
    return this.#store.write((transaction) => queue.clear(transaction, side));
  }

  seal(groups: readonly SealGroup[]): Promise<readonly Batch[]> {
    return this.#store.write((transaction) => lane.seal(transaction, groups));
  }

  requestCancel(batch: string): Promise<void> {
    return this.#store.write((transaction) => queue.requestCancel(transaction, batch));
  }

  lead(laneName: string, holder: string, process: ProcessIdentity): Promise<Fence> {
    return this.#store.write((transaction) => lane.lead(transaction, laneName, holder, process));
  }

  beat(fence: Fence): Promise<Fenced<void>> {
    return this.#store.write((transaction) => lane.beat(transaction, fence));
  }

  owners(): Promise<readonly LaneOwner[]> {
    return this.#store.read((tables) => tables.owners());
  }

  claim(fence: Fence, batch?: string): Promise<Fenced<Batch | undefined>> {
    return this.#store.write((transaction) => lane.claim(transaction, fence, batch));
  }

  recordIntent(
    fence: Fence,
    batch: string,
    effect: { readonly kind: string; readonly plan: unknown },
  ): Promise<Fenced<number>> {
    return this.#store.write((transaction) => lane.recordIntent(transaction, fence, batch, effect));
  }

  recordStart(fence: Fence, batch: string, n: number, process: ProcessIdentity): Promise<Fenced<void>> {
    return this.#store.write((transaction) => lane.recordStart(transaction, fence, batch, n, process));
  }

  async recordOutcome(fence: Fence, batch: string, outcome: Outcome): Promise<Fenced<Batch>> {
    const settled = await eachInTurn(outcome.settled ?? [], async (settlement) => ({
      ...settlement,
      detail: copied(settlement.detail),
      body: await this.#place(JSON.stringify(settlement.result), "done"),
    }));
    const details = new Map([...(outcome.details ?? [])].map(([id, detail]) => [id, copied(detail)]));
    const placed = { ...outcome, detail: copied(outcome.detail), details, settled };
    return this.#store.write((transaction) => lane.recordOutcome(transaction, fence, batch, placed), "done");
  }

  release(fence: Fence, batch: string, to: ReleaseTo, from?: number): Promise<Fenced<void>> {
    return this.#store.write((transaction) => lane.release(transaction, fence, batch, to, from), "done");
  }

  setPaused(side: SideName, paused: boolean): Promise<void> {
    return this.#store.write((transaction) => control.setPaused(transaction, side, paused));
  }

  setHold(hold: Hold, fence?: Fence): Promise<Fenced<void>> {
    return this.#store.write((transaction) => lane.setHold(transaction, hold, fence));
  }

  liftHold(fence: Fence, reason: string): Promise<Fenced<void>> {
    return this.#store.write((transaction) => lane.liftHold(transaction, fence, reason));
  }

  clearHolds(side: SideName, reason?: string, laneName?: string): Promise<void> {
    return this.#store.write((transaction) => control.clearHolds(transaction, side, reason, laneName));
  }

  remember(
    key: string,
    value: string | undefined,
    only?: { readonly was: string | undefined },
  ): Promise<boolean> {
    return this.#store.write(({ tables }) => {
      if (only !== undefined && tables.fact(key) !== only.was) return false;
      tables.setFact(key, value);
      return true;
    });
  }

  recall(key: string): Promise<string | undefined> {
    return this.#store.read((tables) => tables.fact(key));
  }

  async prune(age: { readonly olderThanMs: number }): Promise<readonly string[]> {
    const dropped: string[] = [];
    for (;;) {
      const step = await this.#store.write((transaction) => control.pruneStepOf(transaction, age));
      dropped.push(...step.dropped);
      if (!step.more) break;
    }
    await this.#store.sweep();
    return dropped;
  }

  state(): Promise<JournalState> {
    return this.#store.read(buildState);
  }

  queues(side: SideName): Promise<readonly GroupQueue[]> {
    return this.#store.read((tables) => control.groupQueues(tables, side));
  }

  openLanes(): Promise<readonly string[]> {
    return this.#store.read((tables) => tables.openLanes());
  }

  executing(laneName: string): Promise<readonly Batch[]> {
    return this.#store.read((tables) => tables.executingInLane(laneName));
  }

  batch(id: string): Promise<Batch | undefined> {
    return this.#store.read((tables) => tables.batch(id));
  }

  async operation(id: string): Promise<StoredOperation | undefined> {
    const stored = await this.#store.read((tables) => tables.stored(id));
    return stored && this.#loaded(stored);
  }

  operations({ batch, status, after, limit }: OperationQuery): Promise<readonly Operation[]> {
    return this.#store.read((tables) => {
      const last = after === undefined ? undefined : tables.operation(after);
      if (after !== undefined && last === undefined)
        throw new StateError("not-found", `There is no operation ${after}.`);
      return tables.list({ batch, status, after: last?.position, limit });
    });
  }

  executed({ side, after, limit }: HistoryQuery): Promise<readonly BatchView[]> {
    return this.#store.read((tables) => buildHistory(tables, side, limit, after));
  }

  async payloads(batch: string, after: number, limit: number): Promise<readonly StoredOperation[]> {
    const stored = await this.#store.read((tables) => {
      let bytes = 0;
      const page = tables.bodiesInBatch(batch, after, limit);
      const end = page.findIndex(
        ({ operation }, index) => (bytes += operation.bytes) > pageBytes && index > 0,
      );
      return end === -1 ? page : page.slice(0, end);
    });
    return eachInTurn(stored, (one) => this.#loaded(one));
  }

  effects(batch: string): Promise<readonly Effect[]> {
    return this.#store.read((tables) => tables.effects(batch));
  }

  async result(id: string): Promise<Result | undefined> {
    const body = await this.#store.read((tables) => tables.resultBody(id));
    return body && (JSON.parse(await this.#load(body)) as Result);
  }

  watch(since: number, listener: (events: readonly JournalEvent[]) => void): Disposable {
    return this.#store.watch(since, listener);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #accepted<Input extends { readonly payload: string; readonly detail?: unknown }>(
    input: Input,
  ): Promise<Omit<Input, "payload"> & { body: Body; bytes: number }> {
    const { payload, ...rest } = input;
    const detail = rest.detail === undefined ? {} : { detail: copied(rest.detail) };
    return { ...rest, ...detail, body: await this.#place(payload), bytes: Buffer.byteLength(payload) };
  }

  async #loaded({ operation, body }: OperationWithBody): Promise<StoredOperation> {
    return { ...operation, payload: await this.#load(body) };
  }

  async #place(text: string, weight?: Weight): Promise<Body> {
    const { codec } = this.#options;
    if (codec === undefined) return this.#store.place(text, weight);
    return { ...(await this.#store.place(await encoded(codec, text), weight)), codec: codec.name };
  }

  async #load(body: Body): Promise<string> {
    return decoded(this.#options.codec, body, await this.#store.load(body));
  }
}

/** One after the other: each may open a file, and of those a process has only so many. */
async function eachInTurn<From, To>(
  items: readonly From[],
  make: (item: From) => Promise<To>,
): Promise<readonly To[]> {
  const made: To[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

/** A JSON-safe value as it comes back from storage, so that nobody's later change of the original is seen. */
const copied = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Payloads are read in pages of at most so many bytes, or a page of large prompts would fill the memory. */
const pageBytes = 16 * 1024 * 1024;
