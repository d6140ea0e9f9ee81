import type { RemoteBatch } from "../provider.ts";
import type { Reading } from "./deliver.ts";

const iso = (at: number): string => new Date(at).toISOString();

/** What is known of a batch at the provider, for a person to read. Without counts nothing is made up. */
export function remoteDetail(remote: RemoteBatch): Readonly<Record<string, unknown>> {
  return {
    remoteId: remote.id,
    remoteStatus: remote.status,
    createdAt: iso(remote.createdAt),
    ...(remote.endedAt === undefined ? {} : { endedAt: iso(remote.endedAt) }),
    ...(remote.expiresAt === undefined ? {} : { expiresAt: iso(remote.expiresAt) }),
    ...(remote.status === "ended"
      ? {}
      : remote.finished === undefined
        ? {
            progress:
              "The provider counts nothing before the end. Most batches take less than an hour, none more than 24.",
          }
        : { finished: remote.finished, total: remote.total }),
  };
}

/** What was odd about the lines of the results. */
export function seen(reading: Reading): Readonly<Record<string, unknown>> {
  const { missing, damaged, duplicate, unknown, failure } = reading;
  const odd = Object.entries({ missing, damaged, duplicate, unknown }).filter(([, count]) => count > 0);
  return {
    ...(odd.length === 0 ? {} : { lines: Object.fromEntries(odd) }),
    ...(failure === undefined ? {} : { readError: failure.message }),
  };
}
