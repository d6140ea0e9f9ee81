import type { Failure, RemoteBatch } from "../provider.ts";
import type { Reading } from "./deliver.ts";
import type { CreatedPart } from "./parts.ts";

const DAY = 86_400_000;
/** A batch that was just created may not be visible everywhere yet. */
const NOT_FOUND_GRACE = 900_000;
/** Results are kept for 29 days; from the 25th on somebody should know. */
const WARN_AFTER = 25 * DAY;
const KEPT = 29 * DAY;

/** Why a request has no result, by reason. */
export const lost = {
  "results-gone":
    "The provider keeps results for 29 days and no longer has them. The prompt is kept; a retry sends and pays it again.",
  "result-missing": "The provider's results hold no line for this request. A retry sends and pays it again.",
  "not-created":
    "The provider never created the batch that this request was sent in. A retry sends it again.",
} as const;

const iso = (at: number): string => new Date(at).toISOString();

/** What is known of a batch at the provider, for a person to read. Without counts nothing is made up. */
export function remoteDetail(remote: RemoteBatch): Readonly<Record<string, unknown>> {
  return {
    remoteId: remote.id,
    remoteStatus: remote.archived ? "archived" : remote.status,
    createdAt: iso(remote.createdAt),
    ...(remote.endedAt === undefined ? {} : { endedAt: iso(remote.endedAt) }),
    ...(remote.expiresAt === undefined ? {} : { expiresAt: iso(remote.expiresAt) }),
    ...(remote.status === "ended" ? {} : progress(remote)),
  };
}

const progress = ({ finished, total }: RemoteBatch): Readonly<Record<string, unknown>> =>
  finished === undefined
    ? {
        progress:
          "The provider counts nothing before the end. Most batches take less than an hour, none more than 24.",
      }
    : { finished, total };

/** What was odd about the lines of the results. */
export function seen(reading: Reading): Readonly<Record<string, unknown>> {
  const { missing, damaged, duplicate, unknown, failure } = reading;
  const odd = Object.entries({ missing, damaged, duplicate, unknown }).filter(([, count]) => count > 0);
  return {
    ...(odd.length === 0 ? {} : { lines: Object.fromEntries(odd) }),
    ...(failure === undefined ? {} : { readError: failure.message }),
  };
}

/**
 * A batch that cannot be asked about is waited for: it goes on, and is billed, without us. `times`: so often in a row by now.
 * `undefined`: nothing a person should know yet.
 */
export function troubleDetail(
  part: CreatedPart,
  failure: Failure,
  now: number,
  times: number,
): Readonly<Record<string, unknown>> | undefined {
  const age = now - part.createdAt;
  const { remoteId } = part;
  const warning =
    age < WARN_AFTER ? {} : { warning: `The provider deletes the results on ${iso(part.createdAt + KEPT)}.` };
  if (failure.kind === "not-found" && age < NOT_FOUND_GRACE) return undefined;
  // One question that is lost is nothing; the next one is mostly answered.
  if (failure.kind === "transient" && times < 2)
    return age < WARN_AFTER ? undefined : { remoteId, ...warning };
  const message =
    failure.kind === "not-found"
      ? "The provider does not show this batch to the key in use; it may belong to another workspace. It is neither sent again nor deleted."
      : failure.message;
  const reason = failure.kind === "not-found" ? "not-visible" : failure.reason;
  return { remoteId, trouble: { reason, message }, ...warning };
}
