import { createHash } from "node:crypto";
import type { StoredOperation } from "../../core/operation.ts";
import { isFinal } from "../../core/operation.ts";
import type { StoredRequest } from "../payload.ts";
import { readPayload } from "../payload.ts";
import { canonicalJson } from "../text.ts";
import type { Part } from "./parts.ts";
import { inPart } from "./parts.ts";

export interface Sent {
  readonly id: string;
  readonly stored: StoredRequest;
}

/**
 * The requests of a part as they go out, one line each, in order: those that are open, and of those that are the same and
 * ask for it only the first.
 */
export async function* sentOf(
  part: Part,
  pages: AsyncIterable<readonly StoredOperation[]>,
): AsyncGenerator<Sent> {
  const seen = new Set<string>();
  let index = 0;
  for await (const page of pages) {
    for (const operation of page) {
      if (inPart(part, index) && !isFinal(operation.status)) {
        const twin = twinKey(operation);
        if (twin === undefined || !seen.has(twin)) yield { id: operation.id, stored: readPayload(operation) };
        if (twin !== undefined) seen.add(twin);
      }
      index += 1;
    }
  }
}

/** The same for requests that may share one answer; `undefined` for one that does not ask for it. */
export function twinKey(operation: Pick<StoredOperation, "payload">): string | undefined {
  // Saves parsing what cannot hold it.
  if (!operation.payload.includes('"dedupe":true')) return undefined;
  const { params, rest } = readPayload(operation);
  if (rest.metadata?.["dedupe"] !== true) return undefined;
  return createHash("sha256").update(canonicalJson(params)).digest("base64");
}
