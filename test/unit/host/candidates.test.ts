import assert from "node:assert/strict";
import { Candidates, nextOf, nextPassing } from "../../../src/host/candidates.ts";
import { openBatchers, push } from "../../support/core/batchers.ts";

async function open(queued: number) {
  const batchers = await openBatchers({ maxBatchSize: 100_000, autoFlush: false });
  const add = (count: number, name: string): Promise<readonly { readonly id: string }[]> =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        batchers.git.enqueue(push(`${name}-${n}`), { source: "person" }),
      ),
    );
  await add(queued, "queued");
  const candidates = new Candidates(() => batchers.state.current(), batchers.journal);
  return { ...batchers, add, candidates };
}
async function all<View>(views: AsyncGenerator<View>): Promise<readonly View[]> {
  const found: View[] = [];
  for await (const view of views) found.push(view);
  return found;
}
const labels = async (views: AsyncGenerator<{ readonly label: string }>): Promise<readonly string[]> =>
  (await all(views)).map(({ label }) => label);

describe("What a person can choose from", () => {
  it("is everything that is queued, in its order and each once, not only what the snapshot holds", async () => {
    const { candidates, state } = await open(2500);
    assert.equal(state.current().git.queued.length, 200);
    const found = await labels(candidates.operations(({ status }) => status === "queued"));
    assert.deepEqual(
      found,
      Array.from({ length: 2500 }, (_, n) => `push queued-${n}`),
    );
  });

  it("is all of a large batch, too", async () => {
    const { candidates, git } = await open(1300);
    await git.flush();
    const found = await labels(candidates.operations(({ status }) => status === "pending"));
    assert.equal(new Set(found).size, 1300);
    assert.equal(found.length, 1300);
  });

  it("reaches back beyond the finished batches of the snapshot", async () => {
    const { candidates, git, journal, state, add } = await open(0);
    for (const { id } of await add(450, "old")) await git.cancel(id);
    assert.ok(state.current().git.executed.length <= 200);
    const found = await labels(candidates.operations(({ status }) => status === "cancelled"));
    assert.equal(new Set(found).size, 450);
    const batches = await all(candidates.batches(({ status }) => status === "cancelled"));
    assert.equal(new Set(batches.map(({ id }) => id)).size, 450);
    assert.equal((await journal.executed({ side: "git", limit: 1000 })).length, 450);
  });

  it("does not read the history for what has not ended", async () => {
    const { git, journal, state, add } = await open(3);
    for (const { id } of await add(250, "old")) await git.cancel(id);
    const candidates = new Candidates(() => state.current(), {
      operations: (query) => journal.operations(query),
      executed: () => assert.fail("the history was read"),
    });
    assert.equal((await labels(candidates.operations(({ status }) => status === "queued"))).length, 3);
    assert.deepEqual(await all(candidates.batches(({ status }) => status === "pending")), []);
  });

  it("is read in turn where it has to be, in its order and no more of it than asked for", async () => {
    const { candidates } = await open(250);
    const views = candidates.operations(() => true);
    const looked: string[] = [];
    const even = ({ label }: { readonly label: string }): Promise<boolean> => {
      looked.push(label);
      return Promise.resolve(Number(label.split("-")[1]) % 2 === 0);
    };
    const first = await nextPassing(views, even, 10, 1000);
    assert.ok(first.items.length >= 10 && looked.length < 50);
    assert.equal(first.isLast, false);
    const none = await nextPassing(views, () => Promise.resolve(false), 10, 60);
    assert.deepEqual([none.items.length, none.isLast], [0, false]);
    const rest = await nextPassing(views, even, 1000, 1000);
    assert.deepEqual([rest.items.at(-1)!.label, rest.isLast], ["push queued-248", true]);
    assert.deepEqual(
      first.items.slice(0, 3).map(({ label }) => label),
      [0, 2, 4].map((n) => `push queued-${n}`),
    );
  });

  it("is offered in pages, of which the last one says so", async () => {
    const { candidates } = await open(250);
    const views = candidates.operations(() => true);
    const first = await nextOf(views, 200);
    assert.deepEqual([first.items.length, first.isLast], [200, false]);
    const second = await nextOf(views, 200);
    assert.deepEqual([second.items.length, second.isLast], [50, true]);
    assert.equal(second.items.at(-1)!.label, "push queued-249");
  });
});
