import { v7 } from "uuid";
import type { Journal } from "../../../src/core/journal.ts";
import type { Snapshot } from "../../../src/core/snapshot.ts";
import { toSnapshot } from "../../../src/host/snapshot.ts";
import { TreeModel } from "../../../src/host/tree/model.ts";
import type { QueueNode } from "../../../src/host/tree/node.ts";
import type { RenderContext } from "../../../src/host/tree/render.ts";
import { MemoryJournal } from "../../../src/journal/memory-journal.ts";
import { ManualClock } from "../core/manual-clock.ts";
import { fill } from "./translate.ts";

const context: RenderContext = {
  t: fill,
  time: (iso) => iso,
  day: (day) => day,
  count: String,
  usd: String,
  dayOf: (iso) => iso.slice(0, 10),
};

/** The tree of one snapshot, beyond which there is nothing. */
export const modelOf = (snapshot: Snapshot): TreeModel =>
  new TreeModel(() => snapshot, { operations: () => Promise.resolve([]) }, context);

/** A journal, and the tree of it as an editor asks for it: whatever is shown is open, and drawn anew when it is stale. */
export async function openTree(queued: number) {
  const clock = new ManualClock();
  const newId = (): string => v7();
  const journal = new MemoryJournal({ clock, newId });
  const add = async (count: number): Promise<void> => {
    await journal.enqueue(
      Array.from({ length: count }, (_, n) => ({
        id: newId(),
        kind: "request" as const,
        group: "llm:anthropic/judge/m",
        lane: "llm:anthropic",
        label: `Request ${n}`,
        source: "tool" as const,
        enqueuedAt: clock.now(),
        payload: "{}",
        fingerprint: "",
      })),
    );
  };
  const read = async (): Promise<Snapshot> =>
    toSnapshot(await journal.state(), { leader: true, lanes: [], holds: [] });
  await add(queued);
  let snapshot = await read();
  const pages: number[] = [];
  const operations: Journal["operations"] = async (query) => {
    const page = await journal.operations(query);
    pages.push(page.length);
    return page;
  };
  const model = new TreeModel(() => snapshot, { operations }, context);
  let drawn = 0;
  let last: QueueNode | undefined;
  const draw = (nodes: readonly QueueNode[]): void => {
    for (const node of nodes) {
      drawn += 1;
      model.draw(node);
      if (node.ref.kind === "more") last = node;
      draw(model.children(node));
    }
  };
  const redraw = (stale: ReturnType<TreeModel["changed"]>): number => {
    drawn = 0;
    draw(stale === "all" ? model.children() : stale);
    return drawn;
  };
  return {
    journal,
    model,
    add,
    pages,
    /** Each answers how many rows were drawn. */
    drawAll: () => redraw("all"),
    refresh: async () => {
      snapshot = await read();
      return redraw(model.changed()) + redraw(await model.refresh());
    },
    showMore: async () => (last ? redraw((await model.showMore(last)).stale) : 0),
  };
}
