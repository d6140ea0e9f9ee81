import { randomUUID } from "node:crypto";
import type { Batch } from "../../../src/core/batch.ts";
import type { Fence, Fenced, Journal } from "../../../src/core/journal.ts";
import type { NewOperation, OperationKind } from "../../../src/core/operation.ts";
import type { Clock } from "../../../src/core/ports.ts";
import type { BaseJournal } from "../../../src/journal/base-journal.ts";
import type { Codec } from "../../../src/journal/codec.ts";

/** A clock that stands still until it is told otherwise. */
export class StillClock implements Clock {
  time = Date.UTC(2026, 0, 1);

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
}

/** Its UTF-16 units from last to first. */
export const reversed = (text: string): string =>
  Buffer.from(text, "utf16le").reverse().swap16().toString("utf16le");

/** Changes every text; some become no well-formed Unicode by it, or look to the store like one that it has escaped. */
export const turning: Codec = {
  name: "turned",
  encode: (text) => Promise.resolve(`${reversed(text)}.`),
  decode: (stored) => Promise.resolve(reversed(stored.slice(0, -1))),
};

export interface Opened {
  readonly journal: BaseJournal;
  readonly clock: StillClock;
  close(): Promise<void>;
}

/** Opens a fresh, empty journal. */
export type OpenFresh = () => Promise<Opened>;

export const git = "git:/repo/.git";
export const llm = "llm:anthropic";
export const self = { pid: 4711, start: "99" };

let count = 0;

export function operation(kind: OperationKind = "commit", change: Partial<NewOperation> = {}): NewOperation {
  count += 1;
  return {
    id: randomUUID(),
    kind,
    group: kind === "request" ? `${llm}/batch/model` : git,
    lane: kind === "request" ? llm : git,
    label: `operation ${count}`,
    source: "person",
    enqueuedAt: Date.UTC(2026, 0, 1) + count,
    payload: JSON.stringify({ count }),
    fingerprint: `print ${count}`,
    ...change,
  };
}

export function done<T>(outcome: Fenced<T>): T {
  if (outcome.kind !== "done") throw new Error("fenced");
  return outcome.value;
}

/** Enqueues the operations, seals their groups and claims one batch. */
export async function started(
  journal: Journal,
  operations: readonly NewOperation[],
): Promise<{ fence: Fence; batch: Batch }> {
  await journal.enqueue(operations);
  const groups = [...new Set(operations.map(({ group }) => group))];
  await journal.seal(groups.map((group) => ({ group })));
  const fence = await journal.lead(operations[0]!.lane, "window", self);
  const batch = done(await journal.claim(fence));
  if (batch === undefined) throw new Error("nothing to claim");
  return { fence, batch };
}

/** Ids of a batch's operations in order. */
export const idsOf = async (journal: Journal, batch: string): Promise<string[]> =>
  (await journal.operations({ batch, limit: 1000 })).map(({ id }) => id);

export const queuedIds = async (journal: Journal): Promise<string[]> =>
  (await journal.operations({ status: "queued", limit: 1000 })).map(({ id }) => id);
