import type { JsonObject, Reply } from "../http.ts";

/** An error as the API reports it, without its envelope. */
export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: JsonObject;
}

export function invalid(message: string): ApiError {
  return { status: 400, type: "invalid_request_error", message };
}

export function notFound(message: string): ApiError {
  return { status: 404, type: "not_found_error", message };
}

/** The body of an error reply; an errored batch item carries the same one. */
export function errorBody(error: ApiError, requestId: string | null): JsonObject {
  const { type, message, details } = error;
  return {
    type: "error",
    error: details === undefined ? { type, message } : { type, message, details },
    request_id: requestId,
  };
}

export function errorReply(error: ApiError, requestId: string): Reply {
  return { kind: "json", status: error.status, value: errorBody(error, requestId) };
}
