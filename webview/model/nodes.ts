import { requestGroupName } from "../../src/protocol.ts";
import type {
  BatchStatus,
  BatchView,
  OperationKind,
  OperationView,
  Side,
  SideName,
  Snapshot,
} from "../../src/protocol.ts";

type Phase = "queued" | "pending" | "executing" | "finished";

/** One top row of the list: a batch, or what waits in a queue for its next batch. */
export interface ListNode {
  /** The batch's id, or `queue:<group>`; the same from snapshot to snapshot. */
  readonly key: string;
  readonly side: SideName;
  readonly phase: Phase;
  readonly status: BatchStatus | "queued";
  readonly group: string;
  readonly operations: readonly OperationView[];
  readonly operationCount: number;
  /** How many operations it has; only where a filter hides some of them. */
  readonly filteredFrom?: number;
  readonly batch?: BatchView;
}

const finishedAt = (node: ListNode): string => node.batch?.endedAt ?? node.batch?.createdAt ?? "";

/** What waits first, then what runs, then what is finished, newest first. */
export function listNodes(snapshot: Snapshot): readonly ListNode[] {
  const sides = ["git", "llm"] as const;
  const of = (phase: Exclude<Phase, "queued">): ListNode[] =>
    sides.flatMap((side) =>
      snapshot[side][phase === "finished" ? "executed" : phase].map((batch) => batchNode(side, phase, batch)),
    );
  const finished = of("finished").sort((a, b) => finishedAt(b).localeCompare(finishedAt(a)));
  const queues = sides.flatMap((side) => queueNodes(side, snapshot[side]));
  return [...queues, ...of("pending"), ...of("executing"), ...finished];
}

function batchNode(side: SideName, phase: Phase, batch: BatchView): ListNode {
  const { id, status, group, operations, operationCount } = batch;
  return { key: id, side, phase, status, group, operations, operationCount, batch };
}

/** Queued operations by group, in the order of their first; what the snapshot left out is counted on the last. */
function queueNodes(side: SideName, { queued, queuedCount }: Side<unknown>): readonly ListNode[] {
  const groups = Map.groupBy(queued, (operation) => operation.group);
  const hidden = queuedCount - queued.length;
  return [...groups].map(([group, operations], at) => ({
    key: `queue:${group}`,
    side,
    phase: "queued",
    status: "queued",
    group,
    operations,
    operationCount: operations.length + (at === groups.size - 1 ? Math.max(0, hidden) : 0),
  }));
}

/** How many operations of each kind a node has; `undefined` where the snapshot does not list them all. */
export function kindCounts({
  operations,
  operationCount,
}: ListNode): ReadonlyMap<OperationKind, number> | undefined {
  if (operations.length < operationCount) return undefined;
  const kinds = Map.groupBy(operations, ({ kind }) => kind);
  return new Map([...kinds].map(([kind, { length }]) => [kind, length]));
}

/** The part of a group's name that tells it from others: a repository's folder, or kind of work and model. */
export function shortGroup(group: string): string {
  if (group.startsWith("llm:")) return requestGroupName(group);
  const name = group.replace(/^git:/, "");
  const folders = name.split(/[\\/]/).filter((part) => part !== "" && part !== ".git");
  return folders.at(-1)?.replace(/\.git$/, "") ?? name;
}
