import type { Counter, SideName } from "../../src/protocol.ts";
import type { ListNode } from "./nodes.ts";

/** `alone`: what doing each operation alone would have taken. `batched`: what it took. */
export interface Pair {
  readonly alone: number;
  readonly batched: number;
}

/** One batch's place in a chart; its pair is the sum from the first batch shown up to and with this one. */
export interface Point extends Pair {
  readonly batch: string;
  readonly group: string;
  /** ISO time of the batch's end. */
  readonly at: string;
}

export interface Series {
  /** Oldest first. */
  readonly points: readonly Point[];
  /** Finished batches that carry no statistics, so that nothing is guessed for them. */
  readonly leftOut: number;
}

/** What each side gets done and what carries it: the two counters behind its savings. */
const tripCounters = {
  git: ["git.pushesDelivered", "git.pushesExecuted"],
  llm: ["llm.answered", "llm.apiCalls"],
} as const satisfies Record<SideName, readonly [Counter, Counter]>;
const picodollars = 1e12;

/** Pushes delivered and requests answered, against `git push` runs and API calls made. */
export const tripSeries = (nodes: readonly ListNode[], side: SideName | "all"): Series =>
  series(
    nodes.filter((node) => side === "all" || node.side === side),
    batchTrips,
  );

/** US dollars at the standard price against what was paid, over requests whose price is known. */
export const costSeries = (nodes: readonly ListNode[]): Series =>
  series(
    nodes.filter((node) => node.side === "llm"),
    batchCost,
  );

export function batchTrips(node: ListNode): Pair {
  const [alone, batched] = tripCounters[node.side];
  return { alone: stat(node, alone), batched: stat(node, batched) };
}

export const batchCost = (node: ListNode): Pair => ({
  alone: stat(node, "llm.standardCostPico") / picodollars,
  batched: stat(node, "llm.costPico") / picodollars,
});

function series(nodes: readonly ListNode[], measure: (node: ListNode) => Pair): Series {
  const ended = nodes.filter((node) => node.phase === "finished" && node.status !== "cancelled");
  const known = ended.filter((node) => node.batch?.stats !== undefined);
  let alone = 0;
  let batched = 0;
  const points = known.toReversed().flatMap((node): Point[] => {
    const more = measure(node);
    if (more.alone === 0 && more.batched === 0) return [];
    alone += more.alone;
    batched += more.batched;
    const at = node.batch?.endedAt ?? node.batch?.createdAt ?? "";
    return [{ batch: node.key, group: node.group, at, alone, batched }];
  });
  return { points, leftOut: ended.length - known.length };
}

const stat = (node: ListNode, counter: Counter): number => node.batch?.stats?.[counter] ?? 0;
