import type { BatchView, OperationView, Side, Snapshot } from "../../../src/core/snapshot.ts";
import type { Counter, Counters } from "../../../src/core/stats.ts";
import { gitStats, llmStats } from "../../../src/core/stats.ts";

/** A valid id that is the same in every run. */
export const idOf = (n: number): string => `01930000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
/** So many minutes after nine o'clock. */
export const minute = (n: number): string => new Date(Date.UTC(2026, 2, 2, 9, n)).toISOString();

export function operation(n: number, change: Partial<OperationView> = {}): OperationView {
  return {
    id: idOf(n),
    kind: "commit",
    group: "git:/repos/shop/.git",
    label: `Commit ${n} on feature/${n}`,
    status: "queued",
    enqueuedAt: minute(0),
    source: "person",
    ...change,
  };
}

export function batch(
  n: number,
  operations: readonly OperationView[],
  { status = "completed", ...change }: Partial<BatchView> = {},
): BatchView {
  const counts = Object.fromEntries(
    [...Map.groupBy(operations, (one) => one.status)].map(([of, { length }]) => [of, length]),
  );
  const started = status === "pending" ? {} : { startedAt: minute(n) };
  const ended = status === "pending" || status === "executing" ? {} : { endedAt: minute(n + 1) };
  const id = idOf(1_000_000 + n);
  const group = "git:/home/ada/shop/.git";
  const operationCount = operations.length;
  return {
    id,
    status,
    group,
    createdAt: minute(n),
    ...started,
    ...ended,
    operations,
    operationCount,
    counts,
    ...change,
  };
}

const noSide = { queued: [], queuedCount: 0, pending: [], executing: [], executed: [] };
const sums = (counters: Readonly<Partial<Record<Counter, number>>>): Counters =>
  new Map(Object.entries(counters).map(([name, value]) => [name as Counter, BigInt(value)]));

export interface SnapshotChange {
  readonly sequence?: number;
  readonly git?: Partial<Side<unknown>>;
  readonly llm?: Partial<Side<unknown>>;
  readonly counters?: Readonly<Partial<Record<Counter, number>>>;
  readonly paused?: Partial<Snapshot["paused"]>;
  readonly holds?: Snapshot["holds"];
  readonly lanes?: Snapshot["lanes"];
}

/** An empty state with what is given put in. `queuedCount` follows `queued`. */
export function snapshot({
  sequence = 1,
  git,
  llm,
  counters = {},
  paused,
  holds = [],
  lanes = [],
}: SnapshotChange = {}): Snapshot {
  const all = sums(counters);
  return {
    sequence,
    paused: { git: false, llm: false, ...paused },
    holds,
    leader: lanes.every(({ held }) => held),
    lanes,
    git: { ...noSide, queuedCount: git?.queued?.length ?? 0, ...git, stats: gitStats(all) },
    llm: { ...noSide, queuedCount: llm?.queued?.length ?? 0, ...llm, stats: llmStats(all) },
  };
}

export const llmGroup = "llm:anthropic/implementer/claude-sonnet-4-5";
const reviewer = "llm:openai/reviewer/gpt-5-mini";
export const shop = "git:/home/ada/shop/.git";

/** Three commits and three pushes that went out in one push. */
export function pushBatch(n: number): BatchView {
  const kinds = ["commit", "commit", "commit", "push", "push", "push"] as const;
  const labels = [
    "Fix rounding of totals",
    "Add a cart test",
    "Rename Basket to Cart",
    "feature/a",
    "feature/b",
    "feature/c",
  ];
  const operations = kinds.map((kind, at) =>
    operation(n * 100 + at, {
      kind,
      label: labels[at] ?? "",
      status: "succeeded",
      source: at % 2 ? "tool" : "person",
      group: shop,
    }),
  );
  return batch(n, operations, {
    stats: { "git.totalOps": 6, "git.pushesDelivered": 3, "git.pushesExecuted": 1 },
  });
}

/** Answers at half price, in one call. */
export function answerBatch(n: number, count: number, change: Partial<BatchView> = {}): BatchView {
  const operations = Array.from({ length: count }, (_, at) =>
    operation(n * 100 + at, {
      kind: "request",
      label: `Explain module ${at + 1}`,
      status: "succeeded",
      group: llmGroup,
    }),
  );
  const standard = 4_200_000_000 * count;
  const stats = {
    "llm.answered": count,
    "llm.apiCalls": 1,
    "llm.standardCostPico": standard,
    "llm.costPico": standard / 2,
  };
  return batch(n, operations, { group: llmGroup, remoteId: `msgbatch_${n}`, stats, ...change });
}

/** A working day: something in every state, one failure, one hold. */
export function busySnapshot(sequence = 1): Snapshot {
  const merge = operation(901, {
    kind: "merge",
    label: "Merge feature/a into main",
    status: "failed",
    reason: "conflict",
    error: "src/cart.ts conflicts with feature/b. Merge feature/b into feature/a, then retry.",
  });
  const merged = operation(902, { kind: "merge", label: "Merge feature/c into main", status: "succeeded" });
  const mixed = batch(
    40,
    [merge, merged, operation(903, { kind: "push", label: "main", status: "succeeded" })],
    {
      stats: { "git.totalOps": 3, "git.pushesDelivered": 1, "git.pushesExecuted": 1 },
    },
  );
  const running = [1, 2, 3, 4, 5, 6].map((n) =>
    operation(700 + n, {
      kind: "request",
      label: `Review pull request ${n}`,
      status: n < 3 ? "succeeded" : "executing",
      ...(n === 4 ? { detail: { checking: true } } : {}),
      group: reviewer,
    }),
  );
  return snapshot({
    sequence,
    git: {
      queued: [
        operation(1, { label: "Show the total in the header", group: shop }),
        operation(2, { kind: "push", label: "feature/header", group: shop, source: "mcp" }),
      ],
      pending: [
        batch(52, [operation(810, { status: "pending", label: "Bump the version" })], { status: "pending" }),
      ],
      executed: [mixed, pushBatch(30), pushBatch(10)],
    },
    llm: {
      queued: [
        operation(3, { kind: "request", label: "Summarise the changelog", group: llmGroup, source: "cli" }),
      ],
      executing: [batch(50, running, { status: "executing", group: reviewer })],
      executed: [answerBatch(35, 12), answerBatch(20, 8), answerBatch(5, 3)],
    },
    counters: {
      "git.totalOps": 15,
      "git.totalBatches": 3,
      "git.pushesDelivered": 7,
      "git.pushesExecuted": 3,
      "git.failed": 1,
      "git.pushesRequested": 7,
      "git.commits": 6,
      "git.merges": 1,
      "llm.totalRequests": 23,
      "llm.totalBatches": 3,
      "llm.answered": 23,
      "llm.apiCalls": 3,
      "llm.unpricedRequests": 2,
      "llm.inputTokens": 184_220,
      "llm.outputTokens": 52_310,
      "llm.cacheReadTokens": 20_000,
      "llm.cacheWriteTokens": 1_200,
      "llm.standardCostPico": 96_600_000_000,
      "llm.costPico": 48_300_000_000,
    },
    paused: { git: true },
    holds: [
      {
        kind: "llm",
        reason: "spend-limit",
        until: minute(600),
      },
    ],
    lanes: [
      { lane: shop, held: true },
      { lane: "llm:anthropic", held: false },
    ],
  });
}

/** So many finished batches of so many operations each. */
export function largeSnapshot(batches: number, size: number): Snapshot {
  const executed = Array.from({ length: batches }, (_, at) => {
    const n = batches - at;
    const operations = Array.from({ length: size }, (_unused, index) =>
      operation(n * size + index, { label: `Operation ${n}.${index}`, status: "succeeded" }),
    );
    return batch(n, operations, {
      stats: { "git.pushesDelivered": size, "git.pushesExecuted": 1 + (n % 3) },
    });
  });
  const total = batches * size;
  return snapshot({
    git: { executed },
    counters: {
      "git.totalOps": total,
      "git.totalBatches": batches,
      "git.pushesDelivered": total,
      "git.pushesExecuted": batches * 2,
    },
  });
}
