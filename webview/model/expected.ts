import type { ListNode } from "./nodes.ts";

/** Fewer finished batches than this say little about the next one. */
const enough = 3;

/** How long a group's batches took, from the shortest to the longest, leaving out the outer tenth on each side. Milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** By group, over the finished batches of a snapshot in which something succeeded. */
export function usualDurations(nodes: readonly ListNode[]): ReadonlyMap<string, Range> {
  const finished = nodes.filter((node) => node.phase === "finished" && node.status === "completed");
  return new Map(
    [...Map.groupBy(finished, ({ group }) => group)].flatMap(
      ([group, members]): (readonly [string, Range])[] => {
        const took = members.flatMap(duration).sort((a, b) => a - b);
        if (took.length < enough) return [];
        const cut = Math.floor(took.length / 10);
        return [[group, { from: took[cut] ?? 0, to: took[took.length - 1 - cut] ?? 0 }]];
      },
    ),
  );
}

function duration({ batch }: ListNode): readonly number[] {
  if (batch?.startedAt === undefined || batch.endedAt === undefined) return [];
  return [Date.parse(batch.endedAt) - Date.parse(batch.startedAt)];
}
