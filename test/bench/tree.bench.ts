/**
 * The tree with many queued operations: what each kind of change makes the editor draw, and how long working that out takes.
 * `node test/bench/tree.bench.ts [operations]`; prints a table. Nothing of it is a bound.
 */
import { openTree } from "../support/host/tree-desk.ts";

const operations = Number(process.argv[2] ?? 10_000);
const tree = await openTree(operations);

interface Row {
  readonly what: string;
  readonly "rows drawn": number;
  readonly "operations read": number;
  readonly ms: string;
}

async function measure(what: string, act: () => number | Promise<number>): Promise<Row> {
  tree.pages.length = 0;
  const begun = performance.now();
  const drawn = await act();
  const ms = (performance.now() - begun).toFixed(1);
  return { what, "rows drawn": drawn, "operations read": tree.pages.reduce((sum, n) => sum + n, 0), ms };
}

const rows = [
  await measure("first drawing", () => tree.drawAll()),
  await measure("nothing changed", () => tree.refresh()),
];
await tree.journal.setPaused("git", true);
rows.push(await measure("a side was paused", () => tree.refresh()));
await tree.add(1);
rows.push(await measure("one more was queued", () => tree.refresh()));
rows.push(await measure("show more, first", () => tree.showMore()));
for (let page = 0; page < 8; page += 1) await tree.showMore();
rows.push(await measure("show more, tenth", () => tree.showMore()));
rows.push(await measure("nothing changed, ten pages open", () => tree.refresh()));
console.log(`${operations} queued operations`);
console.table(rows);
