import type { Operation } from "../core/operation.ts";
import type { Parts } from "./parts.ts";

const PAGE = 1000;

/** Everything that is queued, however much, page by page in the journal's order. */
export async function* queuedPages(
  journal: Pick<Parts["journal"], "operations">,
): AsyncGenerator<readonly Operation[]> {
  for (let after: string | undefined; ;) {
    const page = await journal.operations({
      status: "queued",
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    yield page;
    after = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

/** What of it is wanted, in the order of the queue. */
export async function queuedWhere(
  journal: Pick<Parts["journal"], "operations">,
  wanted: (operation: Operation) => boolean,
): Promise<readonly Operation[]> {
  const found: Operation[] = [];
  for await (const page of queuedPages(journal)) found.push(...page.filter(wanted));
  return found.sort((a, b) => a.position - b.position);
}
