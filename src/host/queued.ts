import type { Operation } from "../core/operation.ts";
import { laneOf } from "./claims.ts";
import type { Provider } from "./key-variables.ts";
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

/** Requests of one provider that are not sent. */
export interface Waiting {
  readonly queued: number;
  /** In batches, which go out as soon as they can. */
  readonly pending: number;
}

export async function waitingAt(
  provider: Provider,
  {
    journal,
    state,
  }: { readonly journal: Pick<Parts["journal"], "queues">; readonly state: Pick<Parts["state"], "current"> },
): Promise<Waiting> {
  const own = `llm:${provider}`;
  const queues = await journal.queues("llm");
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
  return {
    queued: sum(queues.filter(({ lane }) => lane === own).map(({ count }) => count)),
    pending: sum(
      state
        .current()
        .llm.pending.filter(({ group }) => laneOf(group) === own)
        .map(({ operationCount }) => operationCount),
    ),
  };
}
