import type { BatchView, OperationView, Side, Snapshot } from "../../../src/core/snapshot.ts";
import { gitStats, llmStats } from "../../../src/core/stats.ts";
import type { Counters } from "../../../src/core/stats.ts";

/** Views with defaults, for tests of what shows them. Times are local noon of a November day, so no zone moves the day. */
const at = (day: number, hour = 12): string => new Date(2026, 10, day, hour).toISOString();

export function operation(id: string, more: Partial<OperationView> = {}): OperationView {
  return {
    id,
    kind: "push",
    group: "git:/repos/app/.git",
    label: `Push ${id}`,
    status: "queued",
    enqueuedAt: at(29),
    source: "person",
    ...more,
  };
}

export function batch(id: string, more: Partial<BatchView> & { readonly day?: number } = {}): BatchView {
  const { day = 29, ...view } = more;
  const status = view.status ?? "completed";
  const isOver = status !== "pending" && status !== "executing";
  const operations = view.operations ?? [operation(`${id}-1`, { status: isOver ? "succeeded" : "pending" })];
  const counts: Record<string, number> = {};
  for (const each of operations) counts[each.status] = (counts[each.status] ?? 0) + 1;
  return {
    id,
    group: "git:/repos/app/.git",
    createdAt: at(day, 9),
    ...(isOver ? { startedAt: at(day, 10), endedAt: at(day, 11) } : {}),
    operationCount: operations.length,
    counts,
    ...view,
    status,
    operations,
  };
}

interface Parts extends Partial<Omit<Snapshot, "git" | "llm">> {
  readonly git?: Partial<Side<unknown>>;
  readonly llm?: Partial<Side<unknown>>;
  readonly counters?: Counters;
}

export function snapshot({ git, llm, counters = new Map(), ...rest }: Parts = {}): Snapshot {
  return {
    sequence: 1,
    paused: { git: false, llm: false },
    holds: [],
    leader: true,
    lanes: [],
    ...rest,
    git: { ...side(git), stats: gitStats(counters) },
    llm: { ...side(llm), stats: llmStats(counters) },
  };
}

const side = (parts: Partial<Side<unknown>> = {}): Omit<Side<unknown>, "stats"> => ({
  queued: [],
  queuedCount: parts.queued?.length ?? 0,
  pending: [],
  executing: [],
  executed: [],
  ...parts,
});
