import { isObject } from "../http.ts";
import type { JsonObject } from "../http.ts";
import type { Outcome } from "../outcome.ts";
import { stableToken } from "../random.ts";
import { answerBody } from "./answer.ts";
import { errorBody, invalid } from "./errors.ts";
import { checkBody } from "./params.ts";
import type { Endpoint } from "./params.ts";

/** What becomes of an item; `open` is not yet executed. */
export type Fate = "open" | "succeeded" | "errored" | "canceled" | "expired" | "missing";

/** All that a line of an output or error file is made from. */
export interface LineSource {
  readonly seed: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly customId: string | undefined;
  readonly endpoint: Endpoint;
  readonly body: JsonObject;
  readonly fate: Fate;
  readonly forced: Outcome | undefined;
}

/** One line as the API writes it: with a `response`, or with an `error` alone. */
export function resultLine(source: LineSource): JsonObject {
  const line = { id: `batch_req_${stableToken(source.seed, 32)}`, custom_id: source.customId };
  return { ...line, ...content(source) };
}

function content(source: LineSource): JsonObject {
  switch (source.fate) {
    case "canceled":
      return refused("batch_cancelled", "This request was not executed: the batch was cancelled.");
    case "expired":
      return refused(
        "batch_expired",
        "This request could not be executed before the completion window expired.",
      );
    case "errored":
      return errored(source);
    case "open":
    case "succeeded":
    case "missing":
      return response(source, 200, answerBody(source.endpoint, source.body, answerContext(source)));
  }
}

export function answerContext(
  source: Pick<LineSource, "seed" | "created" | "forced">,
): Parameters<typeof answerBody>[2] {
  const { seed, created, forced } = source;
  return { seed, created, forced: forced?.kind === "succeeded" ? forced : undefined };
}

function errored(source: LineSource): JsonObject {
  const { forced } = source;
  if (forced?.kind !== "errored") {
    const wrong = checkBody(source.endpoint, source.body, true) ?? invalid("The request is invalid.");
    return response(source, wrong.status, errorBody(wrong));
  }
  if (forced.shape === "error") return refused(forced.type, forced.message);
  const error = { ...invalid(forced.message), type: forced.type };
  return response(source, forced.status ?? 400, errorBody(error));
}

function response(source: LineSource, status: number, body: JsonObject): JsonObject {
  const requestId = stableToken(`${source.seed}:request`, 32);
  return { response: { status_code: status, request_id: requestId, body }, error: null };
}

function refused(code: string, message: string): JsonObject {
  return { response: null, error: { code, message } };
}

/** The request of an input line. */
export function bodyOf(value: unknown): JsonObject {
  const body = isObject(value) ? value["body"] : undefined;
  return isObject(body) ? body : {};
}
