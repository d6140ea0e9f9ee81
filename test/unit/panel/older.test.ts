import assert from "node:assert/strict";
import { olderBatches } from "../../../src/host/panel-history.ts";
import type { BatchView, Snapshot } from "../../../src/protocol.ts";
import { keptOlder, loaded, nextOlder, noOlder, withOlder } from "../../../webview/model/older.ts";
import { batch, idOf, operation, snapshot } from "../../support/panel/snapshots.ts";
import { fill } from "../../support/host/translate.ts";

const one = (n: number): BatchView => batch(n, [operation(n, { status: "succeeded" })]);
/** A state that lists these finished batches of git, of so many in all. */
const listing = (total: number, ...ns: readonly number[]): Snapshot =>
  snapshot({ git: { executed: ns.map(one) }, counters: { "git.totalBatches": total } });
const listed = ({ git }: Snapshot): string[] => git.executed.map(({ id }) => id);
const ids = (...ns: readonly number[]): string[] => ns.map((n) => one(n).id);

describe("The panel's older batches", () => {
  it("can be asked for while there are more than the snapshot lists, after its last one", () => {
    assert.equal(nextOlder(snapshot(), noOlder), undefined);
    assert.equal(nextOlder(listing(2, 5, 4), noOlder), undefined);
    assert.deepEqual(nextOlder(listing(3, 5, 4), noOlder), { git: one(4).id });
  });

  it("can be asked for where a full list is made of cancelled ones, which no total counts", () => {
    const executed = Array.from({ length: 200 }, (_, n) => ({ ...one(n), status: "cancelled" as const }));
    assert.deepEqual(nextOlder(snapshot({ git: { executed } }), noOlder), { git: executed.at(-1)?.id });
  });

  it("follow the snapshot's own, page after page, until there are none", () => {
    const state = listing(9, 5, 4);
    const first = loaded(noOlder, { git: one(4).id }, { git: [one(3), one(2)], llm: [] });
    assert.deepEqual(listed(withOlder(state, first)), ids(5, 4, 3, 2));
    assert.deepEqual(nextOlder(withOlder(state, first), first), { git: one(2).id });
    const all = loaded(first, { git: one(2).id }, { git: [], llm: [] });
    assert.equal(nextOlder(withOlder(state, all), all), undefined);
    assert.equal(all.llm.ended, false, "nothing was asked of the other side");
  });

  it("leave no gap when newer batches push listed ones out of the snapshot", () => {
    const before = listing(9, 5, 4);
    const older = loaded(noOlder, { git: one(4).id }, { git: [one(3)], llm: [] });
    const now = listing(11, 7, 6, 5);
    assert.deepEqual(listed(withOlder(now, keptOlder(older, before, now))), ids(7, 6, 5, 4, 3));
  });

  it("are let go where batches ended that the panel never saw", () => {
    const older = loaded(noOlder, { git: one(4).id }, { git: [one(3)], llm: [] });
    const now = listing(20, 17, 16);
    assert.deepEqual(listed(withOlder(now, keptOlder(older, listing(9, 5, 4), now))), ids(17, 16));
  });

  it("come from the journal, only of the sides that are asked for", async () => {
    const asked: unknown[] = [];
    const journal = {
      executed: (query: unknown) => {
        asked.push(query);
        return Promise.resolve([one(1)]);
      },
    };
    assert.deepEqual(await olderBatches(journal, { llm: idOf(4) }, fill), { git: [], llm: [one(1)] });
    assert.deepEqual(asked, [{ side: "llm", limit: 100, after: idOf(4) }]);
  });
});
