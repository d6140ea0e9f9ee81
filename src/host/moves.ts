import { queuedWhere } from "./queued.ts";
import type { Parts } from "./parts.ts";

/** A queued operation, and the index within its group's queue that it goes to. */
export interface Move {
  readonly id: string;
  readonly to: number;
}

/** Brings the chosen ones together, in their order, so that the first of them stands at `to` or as near as there is room. */
export function blockMoves(
  queue: readonly string[],
  chosen: ReadonlySet<string>,
  to: number,
): readonly Move[] {
  const block = queue.filter((id) => chosen.has(id));
  const first = Math.min(to, queue.length - block.length);
  return inTurn(
    queue,
    block.map((id, at) => ({ id, to: first + at })),
  );
}

/** Moves each of the chosen ones by one place; those at the end keep it, and the others do not pass them. */
export function stepMoves(
  queue: readonly string[],
  chosen: ReadonlySet<string>,
  by: 1 | -1,
): readonly Move[] {
  const order = by === -1 ? queue : queue.toReversed();
  let room = 0;
  const steps = order.flatMap((id, at) => {
    if (!chosen.has(id)) return [];
    const place = Math.max(at - 1, room);
    room = place + 1;
    return [{ id, to: by === -1 ? place : queue.length - 1 - place }];
  });
  return inTurn(queue, steps);
}

/** One at a time, each move lets those before it have what they were given: first what goes down, the lowest before. */
function inTurn(queue: readonly string[], moves: readonly Move[]): readonly Move[] {
  const at = new Map(queue.map((id, index) => [id, index]));
  const from = ({ id }: Move): number => at.get(id) ?? -1;
  const byPlace = moves.toSorted((a, b) => a.to - b.to);
  return [
    ...byPlace.filter((move) => move.to > from(move)).toReversed(),
    ...byPlace.filter((move) => move.to < from(move)),
  ];
}

/** What has to be moved where, with the queues as they are now and not only as far as they are shown. */
export class Moves {
  readonly #journal: Pick<Parts["journal"], "operation" | "operations">;

  constructor(journal: Pick<Parts["journal"], "operation" | "operations">) {
    this.#journal = journal;
  }

  /** `to`: an index within the queue of each. */
  block(ids: readonly string[], to: number): Promise<readonly Move[]> {
    return this.#inQueues(ids, (queue, chosen) => blockMoves(queue, chosen, to));
  }

  step(ids: readonly string[], by: 1 | -1): Promise<readonly Move[]> {
    return this.#inQueues(ids, (queue, chosen) => stepMoves(queue, chosen, by));
  }

  /** To the place of another one; `undefined` where one of them is not in the queue that this one is in. */
  async onto(ids: readonly string[], target: string): Promise<readonly Move[] | undefined> {
    const group = (await this.#journal.operation(target))?.group;
    const queue = (await queuedWhere(this.#journal, (each) => each.group === group)).map(({ id }) => id);
    const chosen = new Set(ids.filter((id) => id !== target));
    if (![...chosen, target].every((id) => queue.includes(id))) return undefined;
    const at = queue.indexOf(target);
    const rest = queue.filter((id) => !chosen.has(id));
    const isAbove = queue.slice(0, at).some((id) => chosen.has(id));
    return blockMoves(queue, chosen, rest.indexOf(target) + (isAbove ? 1 : 0));
  }

  async #inQueues(
    ids: readonly string[],
    moves: (queue: readonly string[], chosen: ReadonlySet<string>) => readonly Move[],
  ): Promise<readonly Move[]> {
    const chosen = new Set(ids);
    const queued = await queuedWhere(this.#journal, () => true);
    const groups = new Set(queued.filter(({ id }) => chosen.has(id)).map(({ group }) => group));
    return [...groups].flatMap((group) =>
      moves(
        queued.filter((each) => each.group === group).map(({ id }) => id),
        chosen,
      ),
    );
  }
}
