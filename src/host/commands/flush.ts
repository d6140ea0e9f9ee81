import * as v from "valibot";
import type { StateError } from "../../core/errors.ts";
import { isFinal } from "../../core/operation.ts";
import type { SideName } from "../../core/operation.ts";
import { parseInput } from "../../core/schema/inputs.ts";
import { stopsLane } from "../../core/snapshot.ts";
import type { BatchView, Hold } from "../../core/snapshot.ts";
import { laneOf } from "../claims.ts";
import type { Passed } from "../cost-gate.ts";
import { holdText, isLimit } from "../hold-words.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import type { Caller, FlushAnswer } from "./command.ts";
import { HeldError } from "./held-error.ts";
import { WordedError } from "../worded-error.ts";

const PAGE = 1000;
const sideNames: readonly SideName[] = ["git", "llm"];
const kind = v.optional(v.picklist(sideNames, 'must be "git" or "llm"'));
const flushInput = v.strictObject({ kind, wait: v.optional(v.boolean("must be true or false")) });
const kindInput = v.strictObject({ kind });

export type FlushInput = v.InferOutput<typeof flushInput>;
export type KindInput = v.InferOutput<typeof kindInput>;
export const parseNothing = (input: unknown): object => parseInput(v.strictObject({}), input);
export const parseFlush = (input: unknown): FlushInput => parseInput(flushInput, input);
export const parseKind = (input: unknown): KindInput => parseInput(kindInput, input);
export const sidesOf = (input: KindInput): readonly SideName[] => (input.kind ? [input.kind] : sideNames);

type FlushParts = Pick<Parts, "journal" | "state" | "git" | "llm"> & {
  /** Why no open window may execute the lane; `undefined` where one may. */
  readonly refusal: (lane: string) => Promise<string | undefined>;
  /** Rejects where requests may cost more than they may and nobody agrees. `limits`: holds of limits that stop them by now. */
  readonly mayPay: (caller: Caller, limits: readonly Hold[]) => Promise<Passed>;
  readonly t: Translate;
};

interface SideWork {
  readonly side: SideName;
  /** To be formed now. */
  readonly groups: readonly string[];
  /** Holds that only a limit on money keeps. */
  readonly limits: readonly Hold[];
  readonly busy: boolean;
  readonly blocked?: StateError;
}

/** Forms batches now and, where asked to, waits until they are over. Rejects with `StateError` where nothing can run. */
export class Flusher {
  readonly #parts: FlushParts;

  constructor(parts: FlushParts) {
    this.#parts = parts;
  }

  async flush(input: FlushInput, caller: Caller): Promise<FlushAnswer> {
    const sides = sidesOf(input);
    await this.#parts.state.refresh();
    const work = await Promise.all(sides.map((side) => this.#groups(side)));
    const blocked = work.flatMap(({ blocked: reason }) => reason ?? []);
    const [first] = blocked;
    if (first && work.every((side) => side.blocked !== undefined || !side.busy)) throw first;
    const limits = work.flatMap((side) => side.limits);
    const passed =
      limits.length > 0 || work.some(({ side, groups }) => side === "llm" && groups.length > 0)
        ? await this.#parts.mayPay(caller, limits)
        : undefined;
    const formed: BatchView[] = [];
    for (const { side, groups } of work)
      if (groups.length > 0)
        formed.push(...(await this.#parts[side].flush(groups, side === "llm" ? passed?.mark : undefined)));
    await passed?.lift();
    await this.#parts.state.refresh();
    const batches = this.#with(formed, sides);
    return input.wait ? await this.#wait(batches) : { batches };
  }

  /** What of a side can be formed now, and why the rest cannot. */
  async #groups(side: SideName): Promise<SideWork> {
    const queues = await this.#parts.journal.queues(side);
    const { pending, executing } = this.#parts.state.current()[side];
    const busy = queues.length + pending.length + executing.length > 0;
    const groups: string[] = [];
    let refusal: string | undefined;
    const lanes = [...pending.map(({ group }) => laneOf(group)), ...queues.map(({ lane }) => lane)];
    const limits = this.#parts.state
      .current()
      .holds.filter((hold) => isLimit(hold) && lanes.some((lane) => stopsLane(hold, lane)));
    let held: Hold | undefined;
    let free = false;
    for (const { group, status } of [...executing, ...pending]) {
      const hold = status === "pending" ? this.#holdOf(laneOf(group)) : undefined;
      held ??= hold;
      const because = hold ? undefined : await this.#parts.refusal(laneOf(group));
      refusal ??= because;
      if (!hold && because === undefined) free = true;
    }
    for (const { group, lane } of queues) {
      const hold = this.#holdOf(lane);
      held ??= hold;
      if (hold) continue;
      const because = await this.#parts.refusal(lane);
      if (because === undefined) groups.push(group);
      else refusal ??= because;
    }
    if (groups.length > 0 || free) return { side, groups, limits, busy };
    if (held) return { side, groups, limits, busy, blocked: this.#held(held) };
    if (refusal !== undefined)
      return { side, groups, limits, busy, blocked: new WordedError("unclaimed", refusal) };
    return { side, groups, limits, busy };
  }

  #with(formed: readonly BatchView[], sides: readonly SideName[]): readonly BatchView[] {
    const state = this.#parts.state.current();
    const open = sides.flatMap((side) => [...state[side].executing, ...state[side].pending]);
    const known = new Set(open.map(({ id }) => id));
    // One that was formed may have started, or even ended, by now.
    return [...open, ...formed.filter(({ id }) => !known.has(id))];
  }

  async #wait(batches: readonly BatchView[]): Promise<FlushAnswer> {
    const waiting = new Map<string, readonly string[]>();
    for (const { id } of batches) waiting.set(id, await this.#operationIds(id));
    const outcomes: Record<string, string> = {};
    for (;;) {
      const change = this.#nextChange();
      for (const [batch, operations] of waiting) {
        if (await this.#isOpen(batch)) continue;
        waiting.delete(batch);
        for (const next of await this.#collect(batch, operations, outcomes))
          waiting.set(next, await this.#operationIds(next));
      }
      if (waiting.size === 0) {
        change.dispose();
        break;
      }
      await change.arrived;
    }
    await this.#parts.state.refresh();
    const statuses = Object.values(outcomes);
    if (statuses.length > 0 && statuses.every((status) => status === "queued" || status === "pending"))
      await this.#demandLanes(batches.map(({ group }) => laneOf(group)));
    return { batches: batches.map((batch) => this.#latest(batch)), outcomes };
  }

  /** Rejects with what stops the first lane that is stopped. */
  async #demandLanes(lanes: readonly string[]): Promise<void> {
    const hold = lanes
      .map((lane) => this.#holdOf(lane) ?? this.#limitOf(lane))
      .find((found) => found !== undefined);
    if (hold) throw this.#held(hold);
    for (const lane of new Set(lanes)) {
      const because = await this.#parts.refusal(lane);
      if (because !== undefined) throw new WordedError("unclaimed", because);
    }
  }

  /** Notes how operations ended; answers batches that some of them are in by now, after they went back to the queue. */
  async #collect(
    own: string,
    operations: readonly string[],
    outcomes: Record<string, string>,
  ): Promise<readonly string[]> {
    const moved = new Set<string>();
    for (const id of operations) {
      const operation = await this.#parts.journal.operation(id);
      if (!operation) continue;
      outcomes[id] = operation.status;
      if (!isFinal(operation.status) && operation.batch && operation.batch !== own)
        moved.add(operation.batch);
    }
    return [...moved];
  }

  async #isOpen(batch: string): Promise<boolean> {
    const found = await this.#parts.journal.batch(batch);
    if (found?.status !== "pending" && found?.status !== "executing") return false;
    // One that waits behind a hold, or for a window that may execute it, is not waited for.
    const isHeld = this.#holdOf(found.lane) ?? this.#limitOf(found.lane);
    if (isHeld && found.status === "pending") return false;
    return (await this.#parts.refusal(found.lane)) === undefined;
  }

  /** What somebody has to mend; a limit is only to be agreed to. */
  #holdOf(lane: string): Hold | undefined {
    return this.#parts.state.current().holds.find((hold) => stopsLane(hold, lane) && !isLimit(hold));
  }

  #limitOf(lane: string): Hold | undefined {
    return this.#parts.state.current().holds.find((hold) => stopsLane(hold, lane) && isLimit(hold));
  }

  async #operationIds(batch: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (;;) {
      const after = ids.at(-1);
      const page = await this.#parts.journal.operations({ batch, limit: PAGE, ...(after ? { after } : {}) });
      ids.push(...page.map(({ id }) => id));
      if (page.length < PAGE) return ids;
    }
  }

  #held(hold: Hold): HeldError {
    return new HeldError(hold, holdText(hold, this.#parts.t));
  }

  #latest(batch: BatchView): BatchView {
    return this.#parts.git.getBatchById(batch.id) ?? this.#parts.llm.getBatchById(batch.id) ?? batch;
  }

  #nextChange(): { readonly arrived: Promise<void>; dispose(): void } {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const subscription = this.#parts.state.onDidChange(() => {
      subscription.dispose();
      resolve(undefined);
    });
    return { arrived: promise, dispose: () => subscription.dispose() };
  }
}
