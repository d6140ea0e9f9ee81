import * as v from "valibot";
import type { Batch } from "../core/batch.ts";
import type { SideName } from "../core/operation.ts";
import type { BatchView, JournalState, Progress, Side } from "../core/snapshot.ts";
import { gitStats, llmStats } from "../core/stats.ts";
import { operationView } from "../core/view.ts";
import type { Tables } from "./tables.ts";

/** At most so many queued operations, operations of one batch, and batches of one status are shown. */
const shown = 200;
/** At most so many operations of all active batches of a side are shown, and as many of its executed ones. */
const operationBudget = 400;
/** Keeps a snapshot, with what a window adds to it, under 256 kB of JSON. */
const byteBudget = 245_000;
const queueBytes = 90_000;

/** What is left for views; a view that does not fit is left out, for the counts give the totals. */
class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  /** The views that fit, in order; one that is too large does not hide those behind it. */
  take<View>(views: readonly View[]): View[] {
    return views.filter((view) => {
      const bytes = Buffer.byteLength(JSON.stringify(view)) + 1;
      if (bytes > this.#left) return false;
      this.#left -= bytes;
      return true;
    });
  }
}

interface Shells {
  readonly pending: readonly BatchView[];
  readonly executing: readonly BatchView[];
  readonly executed: readonly BatchView[];
}

/** The same view for every window and every journal; bounded work, however much is queued or was executed. */
export function buildState(tables: Tables): JournalState {
  const queue = new Budget(queueBytes);
  const queued = bySide((side) => queue.take(tables.firstQueued(side, shown).map(operationView)));
  const budget = new Budget(byteBudget - queueBytes + queue.left);
  const shells = bySide((side) => shellsOf(tables, side, budget));
  const active = bySide((side) => ({
    executing: fill(tables, shells[side].executing, budget, operationBudget),
    pending: fill(tables, shells[side].pending, budget, operationBudget / 2),
  }));
  const counters = tables.counters();
  const sideOf = <Stats>(side: SideName, stats: Stats): Side<Stats> => ({
    queued: queued[side],
    queuedCount: tables.queuedCount(side),
    ...active[side],
    executed: fill(tables, shells[side].executed, budget, operationBudget),
    stats,
  });
  return {
    sequence: tables.lastSequence(),
    paused: bySide((side) => tables.paused(side)),
    holds: tables.holds(),
    git: sideOf("git", gitStats(counters)),
    llm: sideOf("llm", llmStats(counters)),
  };
}

/** A page of finished batches. Every batch of it is there, and of their operations what the budget allows. */
export function buildHistory(
  tables: Tables,
  side: SideName,
  limit: number,
  after: string | undefined,
): readonly BatchView[] {
  const shells = tables.ended(side, limit, after).map((batch) => batchView(tables, batch));
  return fill(tables, shells, new Budget(byteBudget), operationBudget);
}

const bySide = <T>(make: (side: SideName) => T): { readonly git: T; readonly llm: T } => ({
  git: make("git"),
  llm: make("llm"),
});

const shellsOf = (tables: Tables, side: SideName, budget: Budget): Shells => ({
  executing: budget.take(tables.active(side, "executing", shown).map((batch) => batchView(tables, batch))),
  pending: budget.take(tables.active(side, "pending", shown).map((batch) => batchView(tables, batch))),
  executed: budget.take(tables.ended(side, shown).map((batch) => batchView(tables, batch))),
});

function fill(
  tables: Tables,
  shells: readonly BatchView[],
  budget: Budget,
  limit: number,
): readonly BatchView[] {
  let open = limit;
  return shells.map((shell) => {
    if (open <= 0 || budget.left <= 0) return shell;
    const operations = budget.take(tables.shownInBatch(shell.id, Math.min(shown, open)).map(operationView));
    open -= operations.length;
    return { ...shell, operations };
  });
}

const iso = (time: number): string => new Date(time).toISOString();

const batchView = (tables: Tables, batch: Batch): BatchView => ({
  id: batch.id,
  status: batch.status,
  group: batch.group,
  createdAt: iso(batch.createdAt),
  ...(batch.startedAt === undefined ? {} : { startedAt: iso(batch.startedAt) }),
  ...(batch.endedAt === undefined ? {} : { endedAt: iso(batch.endedAt) }),
  ...errorOf(batch),
  operations: [],
  operationCount: batch.operationCount,
  counts: batch.counts,
  stats: Object.fromEntries([...tables.batchCounters(batch.id)].map(([name, sum]) => [name, Number(sum)])),
  ...(batch.remoteId === undefined ? {} : { remoteId: batch.remoteId }),
  ...progressOf(batch),
});

/** Why it is tried again, or, of one that is at its provider, why that cannot be asked about it now. */
const errorOf = ({ status, error, detail }: Batch): Pick<BatchView, "error"> => {
  if (error !== undefined) return { error };
  const noted = status === "executing" ? v.safeParse(trouble, detail) : undefined;
  return noted?.success ? { error: `${noted.output.trouble.reason}: ${noted.output.trouble.message}` } : {};
};
const trouble = v.object({ trouble: v.object({ reason: v.string(), message: v.string() }) });

/** A git executor notes its progress in the batch's detail. */
const progressOf = ({ side, status, detail }: Batch): Pick<BatchView, "progress"> =>
  side === "git" &&
  status === "executing" &&
  typeof detail === "object" &&
  detail !== null &&
  "progress" in detail
    ? { progress: detail.progress as Progress }
    : {};
