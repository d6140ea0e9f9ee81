import type { IncomingMessage, ServerResponse } from "node:http";
import { InputError, JournalError, StateError } from "../core/errors.ts";
import type { ErrorData } from "./agent-error.ts";
import { fromUtf8 } from "./utf8.ts";

/** A refusal by the endpoint itself, before any tool is asked. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
  }
}

/** The text of a request's body; rejects with `Refusal` where it is longer than `limit` bytes or is not UTF-8. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    // The rest is read as well and thrown away: who is still writing would not read the refusal.
    if (size <= limit) pieces.push(piece);
    else pieces.length = 0;
  }
  if (size > limit) throw new Refusal(413, `The request is larger than ${limit / 1024 / 1024} MB; split it.`);
  const text = fromUtf8(Buffer.concat(pieces));
  if (text === undefined) throw new Refusal(400, "The request is not UTF-8 text.");
  return text;
}

export function answer(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value ?? null);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    connection: "close",
  });
  response.end(text);
}

/** An error as it travels, with the HTTP status that goes with it. */
export function errorAnswer(error: unknown): { readonly status: number; readonly error: ErrorData } {
  const { message, name } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof Refusal) return { status: error.status, error: { message, name } };
  if (error instanceof InputError)
    return { status: 400, error: { message, name, field: error.field, reason: error.reason } };
  if (error instanceof StateError) return { status: 409, error: { message, name, reason: error.reason } };
  if (error instanceof JournalError) return { status: 503, error: { message, name, reason: error.reason } };
  return { status: 500, error: { message, name } };
}
