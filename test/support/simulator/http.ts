import type { IncomingHttpHeaders } from "node:http";
import type { Body } from "./body.ts";

/** A request as the handlers see it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  readonly requestId: string;
  /** The server's own address, without a slash at the end. */
  readonly origin: string;
  /** Tells that the body outlives the request; whoever keeps it disposes of it. */
  readonly keepBody: () => void;
}

export type Headers = Readonly<Record<string, string>>;

export type Reply =
  | { readonly kind: "json"; readonly status: number; readonly headers?: Headers; readonly value: unknown }
  /** A file of lines or a stream of events, one part each; made while it is sent. */
  | {
      readonly kind: "parts";
      readonly status: number;
      readonly headers: Headers;
      readonly parts: AsyncIterable<string>;
    };

export function json(value: unknown, status = 200, headers?: Headers): Reply {
  return headers === undefined ? { kind: "json", status, value } : { kind: "json", status, value, headers };
}

/** One server-sent event. */
export function sse(event: string | undefined, data: unknown): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return `${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A body that has to be one JSON object; undefined when it is none. */
export async function jsonBody(body: Body): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse(await body.text());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The secret of a request, from either header that the vendors' clients use. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const own = headers["x-api-key"];
  if (typeof own === "string" && own !== "") return own;
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  return bearer;
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
