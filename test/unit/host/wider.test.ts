import assert from "node:assert/strict";
import { childRefs } from "../../../src/host/tree/structure.ts";
import { nodeId } from "../../../src/host/tree/node.ts";
import { WiderSnapshot } from "../../../src/host/tree/wider.ts";
import { toSnapshot } from "../../../src/host/snapshot.ts";
import { openBatchers, push } from "../../support/core/batchers.ts";

async function open(count: number) {
  const batchers = await openBatchers({ maxBatchSize: 100_000 });
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      batchers.git.enqueue(push(`branch-${index}`), { source: "person" }),
    ),
  );
  const snapshot = () => toSnapshot(batchers.state.current(), { leader: true, lanes: [], holds: [] });
  return { ...batchers, snapshot, wider: new WiderSnapshot(batchers.journal) };
}

describe("More than a snapshot holds", () => {
  it("is fetched page by page, each operation once, until all is there", async () => {
    const { snapshot, wider } = await open(450);
    const now = snapshot();
    assert.equal(now.git.queued.length, 200);
    assert.equal(wider.widen(now), wider.widen(now));
    const counts: number[] = [];
    for (let page = 0; page < 3; page++) {
      await wider.more(now, "git", undefined);
      counts.push(new Set(wider.widen(now).git.queued.map(({ id }) => id)).size);
    }
    assert.deepEqual(counts, [400, 450, 450]);
    assert.equal(wider.widen(now).git.queued.length, 450);
  });

  it("is fetched for a batch, too", async () => {
    const { git, snapshot, wider } = await open(300);
    const [formed] = await git.flush();
    const now = snapshot();
    await wider.more(now, "git", formed!.id);
    const operations = wider.widen(now).git.pending[0]!.operations;
    assert.equal(operations.length, 300);
    assert.equal(new Set(operations.map(({ label }) => label)).size, 300);
  });

  it("is read on from where the last page ended, and not from the first again", async () => {
    const { journal, snapshot } = await open(900);
    const read: number[] = [];
    const wider = new WiderSnapshot({
      operations: async (query) => {
        const page = await journal.operations(query);
        read.push(page.length);
        return page;
      },
    });
    for (let page = 0; page < 3; page++) await wider.more(snapshot(), "git", undefined);
    assert.deepEqual(read, [200, 200, 200]);
    assert.equal(wider.widen(snapshot()).git.queued.length, 800);
    await Promise.all([1, 2].map(() => wider.more(snapshot(), "git", undefined)));
    assert.equal(wider.widen(snapshot()).git.queued.length, 900);
  });

  it("stays as wide and in order while the queue changes", async () => {
    const { git, journal, state, snapshot, wider } = await open(900);
    await wider.more(snapshot(), "git", undefined);
    const all = await journal.operations({ status: "queued", limit: 1000 });
    // One within the snapshot, two beyond it; and what is last shown goes to the front.
    await journal.cancel([all[10]!.id, all[250]!.id, all[399]!.id]);
    await journal.move(all[390]!.id, 0);
    await git.enqueue(push("late"), { source: "person" });
    await state.refresh();
    assert.equal(await wider.refresh(snapshot()), true);
    const queue = await journal.operations({ status: "queued", limit: 400 });
    assert.deepEqual(
      wider.widen(snapshot()).git.queued.map(({ id }) => id),
      queue.map(({ id }) => id),
    );
    assert.equal(await wider.refresh(snapshot()), false);
  });

  it("is gone with the queue", async () => {
    const { git, state, snapshot, wider } = await open(450);
    await wider.more(snapshot(), "git", undefined);
    await git.flush();
    await state.refresh();
    assert.deepEqual(wider.widen(snapshot()).git.queued, []);
    await wider.refresh(snapshot());
    assert.deepEqual(wider.widen(snapshot()).git.queued, []);
  });

  it("is offered by a last row only where there is more", async () => {
    const { snapshot, wider } = await open(250);
    const now = snapshot();
    const queued = { kind: "section", side: "git", section: "queued" } as const;
    const last = (of: typeof now) => nodeId(childRefs(of, queued, (iso) => iso).at(-1)!);
    assert.equal(last(wider.widen(now)), "git/more");
    await wider.more(now, "git", undefined);
    assert.match(last(wider.widen(now)), /^operation\//);
  });
});
