import type { Fault } from "./faults.ts";
import type { Outcome } from "./outcome.ts";

type ReplyFault = Extract<Fault, { kind: "reply" }>;

function anthropicError(
  status: number,
  type: string,
  message: string,
  details?: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): ReplyFault {
  const error = details === undefined ? { type, message } : { type, message, details };
  return { kind: "reply", status, headers, body: { type: "error", error, request_id: null } };
}

/** The Anthropic API's own error replies, for {@link Simulator.misbehave}. */
export const anthropicFaults = {
  /** `retryAfter` in seconds; without it the header is missing. */
  rateLimited: (retryAfter?: number): ReplyFault =>
    anthropicError(
      429,
      "rate_limit_error",
      "This request would exceed your organization's rate limit.",
      undefined,
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    ),
  /** The monthly cap of the tier: no `retry-after`, over on the first of the month. */
  monthlyCap: (): ReplyFault =>
    anthropicError(429, "rate_limit_error", "You have reached your monthly spend limit.", {
      error_code: "enforced_spend_limit_reached",
    }),
  /** A limit that the customer set is a 400, unlike every other limit. `date` such as `2026-12-01`. */
  ownSpendLimit: (date: string): ReplyFault =>
    anthropicError(
      400,
      "invalid_request_error",
      `You have reached your specified API usage limits. You will regain access on ${date} at 00:00 UTC.`,
    ),
  organizationOnHold: (): ReplyFault =>
    anthropicError(400, "invalid_request_error", "This organization is on hold.", {
      error_code: "organization_on_hold",
    }),
  unauthorized: (): ReplyFault => anthropicError(401, "authentication_error", "invalid x-api-key"),
  notFound: (): ReplyFault => anthropicError(404, "not_found_error", "Not found"),
  tooLarge: (): ReplyFault => anthropicError(413, "request_too_large", "Request exceeds the maximum size"),
  serverError: (): ReplyFault => anthropicError(500, "api_error", "Internal server error"),
  overloaded: (): ReplyFault => anthropicError(529, "overloaded_error", "Overloaded"),
};

function openaiError(
  status: number,
  type: string,
  code: string | null,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ReplyFault {
  return { kind: "reply", status, headers, body: { error: { message, type, code, param: null } } };
}

/** The OpenAI API's own error replies. */
export const openaiFaults = {
  rateLimited: (retryAfter?: number): ReplyFault =>
    openaiError(
      429,
      "requests",
      "rate_limit_exceeded",
      "Rate limit reached for requests",
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    ),
  insufficientQuota: (): ReplyFault =>
    openaiError(
      429,
      "insufficient_quota",
      "insufficient_quota",
      "You exceeded your current quota, please check your plan and billing details.",
    ),
  unauthorized: (): ReplyFault =>
    openaiError(401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
  notFound: (): ReplyFault => openaiError(404, "invalid_request_error", null, "Not found"),
  serverError: (): ReplyFault => openaiError(500, "server_error", null, "The server had an error."),
};

/** Outcomes of items that users of batch tools have met. */
export const outcomes = {
  /** An empty account comes item by item and under the type of a wrong request. */
  creditTooLow: (): Outcome => ({
    kind: "errored",
    type: "invalid_request_error",
    message: "Your credit balance is too low to access the Anthropic API.",
  }),
  apiError: (): Outcome => ({
    kind: "errored",
    type: "api_error",
    message: "Internal server error",
    status: 500,
  }),
  invalidRequest: (message = "The request is invalid."): Outcome => ({
    kind: "errored",
    type: "invalid_request_error",
    message,
  }),
  stopped: (stopReason: string): Outcome => ({ kind: "succeeded", stopReason }),
  says: (text: string): Outcome => ({ kind: "succeeded", text }),
};
