import type { IncomingHttpHeaders } from "node:http";
import type { Body } from "./body.ts";

/** A request as it arrived and what it was answered with. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Length of the body as sent. */
  readonly bytes: number;
  /** Parsed when it is JSON, else its text; undefined when there is none or it is over a megabyte. */
  readonly body: unknown;
  /** Milliseconds since 1970 on the simulator's clock. */
  readonly time: number;
  /** Undefined while there is no answer, and when the connection was broken before one. */
  readonly status: number | undefined;
  /** Why the simulator itself failed at this request; undefined unless it has a fault. */
  readonly failure: string | undefined;
}

/** The same while it is being worked on. */
export type OpenLogEntry = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] };

export async function loggedBody(body: Body | undefined): Promise<unknown> {
  if (body === undefined || !body.small || body.bytes === 0) return undefined;
  const text = await body.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
