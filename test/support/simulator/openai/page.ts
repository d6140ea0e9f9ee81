import { json } from "../http.ts";
import type { JsonObject, Reply } from "../http.ts";
import { errorReply, invalid } from "./errors.ts";

/** One page of a list in the API's cursor form: `after` and `limit`. */
export function cursorPage<Entry extends { readonly id: string }>(
  query: URLSearchParams,
  entries: readonly Entry[],
  limits: { readonly usual: number; readonly most: number },
  view: (entry: Entry) => JsonObject,
): Reply {
  const limit = Number(query.get("limit") ?? limits.usual);
  if (!Number.isInteger(limit) || limit < 1 || limit > limits.most) {
    return errorReply(invalid(`Invalid 'limit': expected 1 to ${limits.most}.`, "limit"));
  }
  const after = query.get("after");
  const start = after === null ? 0 : entries.findIndex((entry) => entry.id === after) + 1;
  if (after !== null && start === 0) return errorReply(invalid(`Invalid 'after': ${after}`, "after"));
  const page = entries.slice(start, start + limit);
  return json({
    object: "list",
    data: page.map(view),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: start + page.length < entries.length,
  });
}
