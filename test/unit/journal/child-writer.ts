import { operation } from "./fixtures.ts";
import { openIn } from "./sqlite-fixtures.ts";

/** Enqueues without end and says each id only once it is accepted; a large payload now and then. */
const [folder = ""] = process.argv.slice(2);
const { journal } = await openIn(folder);
for (let round = 0; ; round += 1) {
  const size = round % 5 === 4 ? 100_000 : 10;
  const burst = Array.from({ length: 1 + (round % 3) }, () =>
    operation("request", { payload: "p".repeat(size) + String(Math.random()) }),
  );
  await Promise.all(
    burst.map(async (one) => {
      await journal.enqueue([one]);
      console.log(`${one.id} ${one.payload.length}`);
    }),
  );
}
