import type { Batch } from "../core/batch.ts";
import type { Effect, EffectState, ProcessIdentity } from "../core/effect.ts";
import type { JournalEvent, LaneOwner } from "../core/journal.ts";
import type { SideName } from "../core/operation.ts";
import type { Hold } from "../core/snapshot.ts";
import type { Counter, Counters } from "../core/stats.ts";
import { MemoryOperations } from "./memory-operations.ts";
import { added } from "./rules.ts";
import type { Tables } from "./tables.ts";

/** Twice as many events at most, before the older half is let go. */
const eventsKept = 10_000;

/** The rows as maps. Batches stand in the order of their creation. */
export class MemoryTables extends MemoryOperations implements Tables {
  readonly #batches = new Map<string, Batch>();
  readonly #effects = new Map<string, Effect[]>();
  readonly #owners = new Map<string, LaneOwner>();
  readonly #counters = new Map<Counter, bigint>();
  readonly #batchCounters = new Map<string, Counters>();
  readonly #paused = new Set<SideName>();
  readonly #facts = new Map<string, string>();
  #holds: readonly Hold[] = [];
  #events: JournalEvent[] = [];
  #sequence = 0;

  insertBatch(batch: Batch): void {
    this.#batches.set(batch.id, batch);
  }

  updateBatch(batch: Batch): void {
    this.#batches.set(batch.id, batch);
  }

  deleteBatch(id: string): void {
    this.#batches.delete(id);
    this.#effects.delete(id);
    this.#batchCounters.delete(id);
  }

  batch(id: string): Batch | undefined {
    return this.#batches.get(id);
  }

  oldestPending(lane: string): Batch | undefined {
    return this.#all().find((batch) => batch.lane === lane && batch.status === "pending");
  }

  executingInLane(lane: string): readonly Batch[] {
    return this.#all().filter((batch) => batch.lane === lane && batch.status === "executing");
  }

  openLanes(): readonly string[] {
    const open = this.#all().filter(({ status }) => status === "pending" || status === "executing");
    return [...new Set(open.map(({ lane }) => lane))].sort();
  }

  active(side: SideName, status: "pending" | "executing", limit: number): readonly Batch[] {
    return this.#all()
      .filter((batch) => batch.side === side && batch.status === status)
      .slice(0, limit);
  }

  ended(side: SideName, limit: number, after?: string): readonly Batch[] {
    const ended = this.#all()
      .reverse()
      .filter((batch) => batch.side === side && batch.endedAt !== undefined)
      .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
    if (after === undefined) return ended.slice(0, limit);
    const at = ended.findIndex(({ id }) => id === after);
    return at === -1 ? [] : ended.slice(at + 1, at + 1 + limit);
  }

  endedBefore(before: number, limit: number): readonly string[] {
    return this.#all()
      .filter(({ endedAt }) => endedAt !== undefined && endedAt < before)
      .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))
      .slice(0, limit)
      .map(({ id }) => id);
  }

  insertEffect(effect: Effect): void {
    this.#effects.set(effect.batch, [...this.effects(effect.batch), effect]);
  }

  setEffect(
    batch: string,
    n: number,
    state: EffectState,
    change: { readonly result?: string; readonly process?: ProcessIdentity },
  ): void {
    const changed = this.effects(batch).map((effect) =>
      effect.n === n ? { ...effect, state, ...change } : effect,
    );
    this.#effects.set(batch, changed);
  }

  effects(batch: string): readonly Effect[] {
    return this.#effects.get(batch) ?? [];
  }

  owner(lane: string): LaneOwner | undefined {
    return this.#owners.get(lane);
  }

  owners(): readonly LaneOwner[] {
    return [...this.#owners.values()].sort((a, b) => (a.lane < b.lane ? -1 : 1));
  }

  saveOwner(owner: LaneOwner): void {
    this.#owners.set(owner.lane, owner);
  }

  counters(): Counters {
    return this.#counters;
  }

  addToCounter(counter: Counter, amount: bigint): void {
    this.#counters.set(counter, (this.#counters.get(counter) ?? 0n) + amount);
  }

  addToBatch(batch: string, amounts: Counters): void {
    this.#batchCounters.set(batch, added(this.batchCounters(batch), amounts));
  }

  batchCounters(batch: string): Counters {
    return this.#batchCounters.get(batch) ?? new Map();
  }

  paused(side: SideName): boolean {
    return this.#paused.has(side);
  }

  setPaused(side: SideName, paused: boolean): void {
    if (paused) this.#paused.add(side);
    else this.#paused.delete(side);
  }

  holds(): readonly Hold[] {
    return this.#holds;
  }

  setHold(hold: Hold): void {
    this.clearHold(hold);
    this.#holds = [...this.#holds, hold].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  }

  clearHold(hold: Hold): void {
    this.#holds = this.#holds.filter((other) => orderOf(other) !== orderOf(hold));
  }

  fact(key: string): string | undefined {
    return this.#facts.get(key);
  }

  setFact(key: string, value: string | undefined): void {
    if (value === undefined) this.#facts.delete(key);
    else this.#facts.set(key, value);
  }

  appendEvent(event: Omit<JournalEvent, "sequence">): void {
    if (this.#events.length >= 2 * eventsKept) this.#events = this.#events.slice(-eventsKept);
    this.#events.push({ ...event, sequence: ++this.#sequence });
  }

  lastSequence(): number {
    return this.#sequence;
  }

  eventsAfter(sequence: number, limit: number): readonly JournalEvent[] {
    const first = this.#events[0]?.sequence ?? 0;
    const at = Math.max(0, sequence + 1 - first);
    return this.#events.slice(at, at + limit);
  }

  #all(): Batch[] {
    return [...this.#batches.values()];
  }
}

const orderOf = ({ kind, reason, lane = "" }: Hold): string => `${kind} ${reason} ${lane}`;
