import type { Journal } from "./journal.ts";
import type { StoredOperation } from "./operation.ts";

const PAGE = 500;

/** The operations of a batch with their payloads, in order, a page at a time; no page is empty. */
export async function* payloadsOf(
  journal: Pick<Journal, "payloads">,
  batch: string,
): AsyncGenerator<readonly StoredOperation[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const page = await journal.payloads(batch, after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.position;
  }
}
