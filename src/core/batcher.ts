import type { AcceptContext, Acceptor } from "./acceptor.ts";
import { InputError, StateError } from "./errors.ts";
import { Intake } from "./intake.ts";
import type { EnqueueOutcome, Journal, SealLimits } from "./journal.ts";
import {
  isFinal,
  type NewOperation,
  type Operation,
  type SideName,
  type Source,
  type OperationStatus,
  type StoredOperation,
} from "./operation.ts";
import type { Clock, Disposable, Logger, NewId } from "./ports.ts";
import type { Result } from "./result.ts";
import type { InfoBatch } from "./batch-info.ts";
import { stopsLane } from "./snapshot.ts";
import type { StateStore } from "./state-store.ts";
import { Transitions } from "./transitions.ts";
import { due, withDefaults, type TriggerSettings } from "./triggers.ts";

export interface EnqueueOptions {
  readonly source?: Source;
  /** A person can be asked; from code nobody can. */
  readonly interactive?: boolean;
}

export interface Enqueued {
  readonly id: string;
  /** Never rejects for an expected failure: it resolves with a result whose status says what happened. */
  readonly result: Promise<Result>;
}

export interface BatcherParts<Input> {
  readonly journal: Journal;
  readonly state: StateStore;
  readonly acceptor: Acceptor<Input>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: NewId;
  readonly settings: () => TriggerSettings;
  /** Whether this window's triggers speak for a lane; without it they speak for all. */
  readonly mayTrigger?: (lane: string) => boolean;
  readonly sealLimits?: (group: string) => SealLimits;
}

/** How the two sides differ. */
export interface BatcherRules {
  readonly side: SideName;
  readonly defaults: { readonly maxBatchSize: number; readonly maxBatchAge: number };
  /** The next is prepared only after the one before was written down. */
  readonly serialIntake: boolean;
  /** While the lane executes, what arrives is collected for its next batch. */
  readonly collectWhileExecuting: boolean;
}

const PAGE = 500;

/** Queues operations of one side, turns queues into batches, and tells what became of them. Holds no state of its own. */
export abstract class Batcher<Input, Stats> extends Transitions<Stats> implements Disposable {
  protected readonly parts: BatcherParts<Input>;
  readonly #rules: BatcherRules;
  readonly #intake: Intake;
  readonly #subscription: Disposable;
  #cancelTimer: (() => void) | undefined;
  #evaluating: Promise<void> = Promise.resolve();
  #heldBy = 0;

  constructor(parts: BatcherParts<Input>, rules: BatcherRules) {
    super(parts);
    this.parts = parts;
    this.#rules = rules;
    this.#intake = new Intake((operations) => parts.journal.enqueue(operations), rules.serialIntake);
    this.#subscription = parts.state.onDidChange(() => void this.evaluateTriggers());
  }

  /** Resolves once the operation is durable. Rejects with `InputError` naming the field; nothing is queued then. */
  async enqueue(input: Input, options: EnqueueOptions = {}): Promise<Enqueued> {
    if ((input as unknown) === undefined || input === null) throw new InputError("argument", "is missing");
    const { source = "extension", interactive = false } = options;
    const accept = (context: AcceptContext) => this.parts.acceptor.accept(input, context);
    const { id, result } = await this.#add(source, interactive, accept, {
      beside: this.preparesBeside(input),
    });
    return { id, result };
  }

  /** With a serial intake: whether the acceptor itself keeps the order of inputs of this kind when it is asked for several at once. */
  protected preparesBeside(_input: Input): boolean {
    return false;
  }

  /**
   * Forms batches of everything queued, or of these groups, now, paused or not; answers those formed. `detail`: what whoever
   * executes them is to know from the start.
   */
  async flush(groups?: readonly string[], detail?: unknown): Promise<readonly InfoBatch[]> {
    const queues = await this.parts.journal.queues(this.#rules.side);
    const wanted = queues.map((queue) => queue.group).filter((group) => groups?.includes(group) ?? true);
    const sealed = await this.#seal(wanted, detail);
    await this.parts.state.refresh();
    return sealed.flatMap((id) => this.getBatchById(id) ?? []);
  }

  /** Cancels what is queued and pending; history and executing batches stay. */
  async clear(): Promise<void> {
    await this.#discard(await this.parts.journal.clear(this.#rules.side));
  }

  pause(): Promise<void> {
    return this.#setPaused(true);
  }

  resume(): Promise<void> {
    return this.#setPaused(false);
  }

  /** A queued or pending operation; rejects once it has started. */
  cancel(id: string): Promise<void> {
    return this.cancelAll([id]);
  }

  /** Queued or pending operations: all of them or, where it rejects because one has started, none. */
  async cancelAll(ids: readonly string[]): Promise<void> {
    await this.#discard(await this.parts.journal.cancel(ids));
  }

  /** Changes fields of a queued operation's input; changed content is pinned anew. `source`: who edits. */
  async edit(
    id: string,
    patch: Readonly<Record<string, unknown>>,
    source: Source = "extension",
  ): Promise<void> {
    const operation = await this.#stored(id);
    if (operation.status !== "queued")
      throw new StateError(
        "already-started",
        `"${operation.label}" is ${operation.status} and cannot be edited any more; ${insteadOfEditing(operation.status)}.`,
      );
    const interactive = wasAsked(source);
    const context: AcceptContext = { id, source: operation.source, interactive };
    const draft = await this.parts.acceptor.again(operation, context, patch);
    await this.parts.journal.edit(id, { ...draft, payload: JSON.stringify(draft.payload) });
    await this.parts.state.refresh();
  }

  /** What the operation asks for, as it was enqueued or edited. */
  async inputOf(id: string): Promise<Readonly<Record<string, unknown>>> {
    return this.parts.acceptor.inputOf(await this.#stored(id));
  }

  /** Moves a queued operation to an index within its group's queue. */
  async move(id: string, to: number): Promise<void> {
    if (!Number.isInteger(to) || to < 0) throw new InputError("to", "must be a whole number from 0");
    const operation = await this.#stored(id);
    const refusal = this.parts.acceptor.mayMove?.(operation, await this.#between(operation, to));
    if (refusal !== undefined) throw new StateError("order", refusal);
    await this.parts.journal.move(id, to);
    await this.parts.state.refresh();
  }

  /**
   * A new operation from the stored input, pinned content included. One that was retried already is not done twice: while its
   * retry is open that is the answer, and once that has succeeded there is nothing to retry.
   */
  async retry(id: string, source: Source = "extension"): Promise<{ id: string }> {
    const operation = await this.#stored(id);
    if (!isFinal(operation.status))
      throw new StateError(
        "not-final",
        `Operation ${id} is ${operation.status}; only a finished one can be retried.`,
      );
    if (operation.status === "succeeded")
      throw new StateError("succeeded", `Operation ${id} succeeded; there is nothing to retry.`);
    const retry = await this.#again(operation, source);
    if (retry.succeeded)
      throw new StateError(
        "succeeded",
        `Operation ${id} was retried as ${retry.id}, which succeeded; there is nothing to retry.`,
      );
    return { id: retry.id };
  }

  /** Stops a batch; what finished stays finished. */
  async cancelBatch(id: string): Promise<void> {
    const before = await this.batchOf(id);
    await this.parts.journal.requestCancel(id);
    if (before.status === "pending") await this.#discardBatch(id);
    await this.parts.state.refresh();
  }

  /** Retries the unsuccessful operations of a finished batch, but those whose retries have succeeded. */
  async retryBatch(id: string, source: Source = "extension"): Promise<{ ids: string[] }> {
    const batch = await this.batchOf(id);
    if (batch.endedAt === undefined)
      throw new StateError(
        "not-final",
        `Batch ${id} is ${batch.status}; only a finished one can be retried.`,
      );
    const ids: string[] = [];
    for await (const page of this.payloads(id)) {
      const open = page.filter((operation) => operation.status !== "succeeded");
      const retried = await Promise.all(open.map((operation) => this.#again(operation, source)));
      ids.push(...retried.flatMap(({ id: retry, succeeded }) => (succeeded ? [] : [retry])));
    }
    return { ids };
  }

  /** Seals what is due and sets the timer for what is not yet. Evaluations never overlap. */
  evaluateTriggers(): Promise<void> {
    this.#evaluating = this.#evaluating
      .then(() => this.#evaluate())
      .catch((error: unknown) => this.parts.log.error("The automatic flush failed.", error));
    return this.#evaluating;
  }

  /** Runs `work` while this window's triggers wait, so that what it queues piece by piece leaves together. */
  async holdTriggers<T>(work: () => Promise<T>): Promise<T> {
    this.#heldBy += 1;
    try {
      return await work();
    } finally {
      this.#heldBy -= 1;
      await this.evaluateTriggers();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#cancelTimer?.();
  }

  protected override maxAgeMs(): number {
    return this.#settings().maxBatchAge * 1000;
  }

  #settings(): TriggerSettings {
    return withDefaults(this.parts.settings(), this.#rules.defaults);
  }

  async #evaluate(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { side, collectWhileExecuting } = this.#rules;
    const settings = this.#settings();
    const state = this.parts.state.current();
    if (this.#heldBy > 0) return;
    if (!settings.autoFlush || state.paused[side]) return;
    if (this.side(state).queuedCount === 0) return;
    const queues = (await this.parts.journal.queues(side)).filter(
      (queue) =>
        !(collectWhileExecuting && queue.laneExecuting) &&
        !state.holds.some((hold) => stopsLane(hold, queue.lane)) &&
        (this.parts.mayTrigger?.(queue.lane) ?? true),
    );
    const { groups, nextMs } = due(queues, settings, this.parts.clock.now());
    if (nextMs !== undefined)
      this.#cancelTimer = this.parts.clock.after(nextMs, () => void this.evaluateTriggers());
    if (groups.length === 0) return;
    await this.#seal(groups);
    await this.parts.state.refresh();
  }

  async #seal(groups: readonly string[], detail?: unknown): Promise<readonly string[]> {
    if (groups.length === 0) return [];
    const sealed = await this.parts.journal.seal(
      groups.map((group) => {
        const limits = this.parts.sealLimits?.(group);
        return { group, ...(limits ? { limits } : {}), ...(detail === undefined ? {} : { detail }) };
      }),
    );
    if (sealed.length > 0) this.flushed();
    return sealed.map((batch) => batch.id);
  }

  async #add(
    source: Source,
    interactive: boolean,
    make: (context: AcceptContext) => ReturnType<Acceptor<Input>["accept"]>,
    { retryOf, beside = false }: { readonly retryOf?: string; readonly beside?: boolean },
  ): Promise<Enqueued & { readonly isNew: boolean }> {
    const { acceptor, clock, newId, state } = this.parts;
    const id = newId();
    let written: NewOperation | undefined;
    let immediate: string | undefined;
    let outcome: EnqueueOutcome | undefined;
    try {
      outcome = await this.#intake.add(async () => {
        const { payload, immediate: atOnce, ...draft } = await make({ id, source, interactive });
        if (atOnce) immediate = draft.group;
        written = {
          ...draft,
          id,
          source,
          enqueuedAt: clock.now(),
          payload: JSON.stringify(payload),
          ...(retryOf === undefined ? {} : { retryOf, idempotencyKey: `retry of ${retryOf}` }),
        };
        return written;
      }, beside);
    } finally {
      // Whatever was pinned for an operation that is not in the journal would stay for ever.
      if (written && outcome?.id !== id) await acceptor.discard([written]);
    }
    // A retry that was edited since is the retry all the same.
    if (outcome.kind === "conflict" && retryOf === undefined) throw keyConflict(outcome.id);
    await this.accepted(outcome.kind === "inserted" && immediate !== undefined ? [immediate] : []);
    return {
      id: outcome.id,
      result: state.settled(outcome.id),
      isNew: outcome.kind === "inserted",
    };
  }

  /** What was queued is durable, so trouble from here on is logged and the caller told that it was accepted. */
  protected async accepted(immediate: readonly string[]): Promise<void> {
    try {
      await this.#seal(immediate);
      await this.parts.state.refresh();
    } catch (error) {
      this.parts.log.error("Following an accepted operation failed.", error);
    }
    await this.evaluateTriggers();
  }

  /** The operation's retry: the one there is, one of that where it was of no use, or a new one. */
  async #again(
    operation: StoredOperation,
    source: Source,
  ): Promise<{ readonly id: string; readonly succeeded: boolean }> {
    const again = (context: AcceptContext) => this.parts.acceptor.again(operation, context);
    const { id, isNew } = await this.#add(source, wasAsked(source), again, { retryOf: operation.id });
    if (isNew) return { id, succeeded: false };
    const before = await this.#stored(id);
    if (isFinal(before.status) && before.status !== "succeeded") return this.#again(before, source);
    return { id, succeeded: before.status === "succeeded" };
  }

  async #setPaused(paused: boolean): Promise<void> {
    await this.parts.journal.setPaused(this.#rules.side, paused);
    await this.parts.state.refresh();
    await this.evaluateTriggers();
  }

  async #stored(id: string): Promise<StoredOperation> {
    const operation = await this.parts.journal.operation(id);
    if (!operation) throw new StateError("not-found", `There is no operation ${id}.`);
    return operation;
  }

  /** The queued operations of its group that a move to `to` would pass. */
  async #between(operation: StoredOperation, to: number): Promise<readonly StoredOperation[]> {
    const queue: Operation[] = [];
    for (let after: string | undefined; ;) {
      const page = await this.parts.journal.operations({
        status: "queued",
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      queue.push(...page.filter((other) => other.group === operation.group));
      after = page.at(-1)?.id;
      if (page.length < PAGE) break;
    }
    queue.sort((a, b) => a.position - b.position);
    const from = queue.findIndex((other) => other.id === operation.id);
    const passed = to < from ? queue.slice(to, from) : queue.slice(from + 1, to + 1);
    return Promise.all(passed.map((other) => this.#stored(other.id)));
  }

  async #discard(operations: readonly Operation[]): Promise<void> {
    const stored = await Promise.all(
      operations.map((operation) => this.parts.journal.operation(operation.id)),
    );
    await this.parts.acceptor.discard(stored.filter((operation) => operation !== undefined));
    await this.parts.state.refresh();
  }

  async #discardBatch(id: string): Promise<void> {
    for await (const page of this.payloads(id)) await this.parts.acceptor.discard(page);
  }
}

/** A person who repeats or changes something has been asked by then. */
const wasAsked = (source: Source): boolean => source === "person";

/** An idempotency key stands for one content. */
export const keyConflict = (id: string): InputError =>
  new InputError("idempotencyKey", `was used before for other content, by operation ${id}; use a new key`);

/** What to do where it is too late to edit. */
const insteadOfEditing = (status: OperationStatus): string =>
  isFinal(status) && status !== "succeeded"
    ? "retry it and edit the new one, or queue it anew"
    : "queue it anew with the change";
